"""From base rewards and reliability to gated rewards, scores and a ranking. Pure; start at `assess.py`."""
