"""Policies: the models that write candidates."""
