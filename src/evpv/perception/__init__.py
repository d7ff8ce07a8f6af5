"""Reading a figure on a CPU, offline: pictures in, constraints out. Start at `extractor.py`."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before anything loads the OCR runtime: offline means that it calls nobody
