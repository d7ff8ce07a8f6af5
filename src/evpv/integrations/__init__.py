"""Where users already are: the verifier as a reward for TRL and verl, and as a writer of evaluation kits' tables."""
