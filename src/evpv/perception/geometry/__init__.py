"""Reading a geometry figure: named points, lines, and what is written and marked on them.

`read_geometry` (`reading`) is the whole job, in three parts:
find: `overlay` (names drawn on top), `ink` (what is drawn), `lettering` and `labels` (what is written), `points` (which
corner a letter names), `figure` (what is joined), `marks` (ticks, arrowheads, squares, arcs);
where nothing has a name, `enclosures` (what lines close off), `outlines` (what that is), `polyhedra` and `solids`;
attach: `attaching` (what a label measures);
state: `reading` (what is said, and how surely).
"""

from evpv.perception.geometry.ink import without_dashes
from evpv.perception.geometry.reading import read_geometry

__all__ = ["read_geometry", "without_dashes"]
