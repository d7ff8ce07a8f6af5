"""Reading a geometry figure: named points, lines, and what is written and marked on them.

`read_geometry` (`reading`) is the whole job, in three parts:
find: `overlay` (names drawn on top), `ink` (what is drawn), `lettering` and `labels` (what is written), `points` (which
corner a letter names), `figure` (what is joined), `line_marks` and `angle_marks` (ticks, arrowheads, squares, arcs);
where nothing has a name, `circles`, `outlines` and `solids` (polygons, boxes, cones by their outline);
attach: `attaching` (what a label measures);
state: `facts` (what is said, and how surely), `unlettered` (the same of figures without names).
"""

from evpv.perception.geometry.reading import read_geometry

__all__ = ["read_geometry"]
