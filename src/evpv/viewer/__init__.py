"""Traces as one HTML page that needs nothing else: send it to a colleague."""

from evpv.viewer.bundle import write_page, write_run_page

__all__ = ["write_page", "write_run_page"]
