"""Reading a geometry figure: named points, lines, and what is written and marked on them.

`read_geometry` is the whole job. The parts, in the order in which they run:
`overlay` (names drawn on top), `ink` (what is drawn), `shapes`, `print_runs` and `labels` (what is written), `naming`
(which corner a letter names), `figure`, `idle_points` and `angles` (what is joined), `callouts` and `attaching` (what a label measures),
`right_angles`, `marks` and `arcs` (squares, ticks, arrowheads, arcs), `facts` and `confidence` (what is said, and how surely).
"""

from evpv.perception.geometry.reading import read_geometry

__all__ = ["read_geometry"]
