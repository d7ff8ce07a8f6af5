"""Traces as one HTML page that needs nothing else: send it to a colleague."""

from evpv.viewer.page import page, write_page

__all__ = ["page", "write_page"]
