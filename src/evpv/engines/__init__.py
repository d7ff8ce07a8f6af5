"""Ways to run a recipe over many problems: worker processes on this machine, or Ray Data on a cluster (docs/running.md)."""
