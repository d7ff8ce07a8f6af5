"""What a step says it sees, against what was seen: parsing claims, matching them, and how far to trust the rest.

Pure: no I/O, clock or randomness; nothing but the standard library, numpy and pint.
"""
