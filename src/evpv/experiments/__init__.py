"""The paper's experiments, each one command: planned before anything is asked, written as tables and figures."""
