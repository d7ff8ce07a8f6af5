"""What sentences say of a table or chart: each is read once, with the figure's names known, and held against its cells.

The walk of a text, a file a station:

1. `reading.py` cuts it into sentences and keeps what later ones lean on; `grid.py` is the figure as rows and columns.
2. `marks.py` finds in a sentence what it names (`names.py`), the numbers that are values (`numbers.py`) and the words of relation.
3. `pieces.py` cuts the sentence into pieces that each say one thing, between what it asserts (`anchors.py`).
4. `views.py` says what cells a piece is about: those it names, else those of what was said before.
5. `kinds.py` asks the kinds of saying in turn, and the first that understands the piece decides: counts and sums (`totals.py`), extremes
   (`extremes.py`, `orders.py`), comparisons (`comparisons.py`), movements (`movements.py`), values (`values.py`; of numbers that are none
   `gaps.py`, `tallies.py`, and `terms.py` of calculations). Each tries its readings, the likeliest first, and `verdicts.py` makes one verdict
   of them, doubted where the piece speaks of strangers (`strangers.py`). What nothing confirms may be worked out (`programs.py`).
6. `trust.py` gathers signs of how the piece was read (`evidence.py`: where its numbers may come from) and says by them, with fitted weights
   (`sign_weights.py`), what is believed: wrong, missing, right, or nothing said at all.
"""
