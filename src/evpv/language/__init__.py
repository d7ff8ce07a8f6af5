"""What a text says: plain text, numbers, names, expressions, and the assertions made of them.

Pure, and below everything that compares: nothing here knows a figure. `premises`, `judges` and `evaluation` share it, so
that the house has one number reader, one expression parser and one table of names.
"""
