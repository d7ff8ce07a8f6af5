"""Reading a figure on a CPU, offline: pictures in, constraints out. Start at `extractor.py`."""
