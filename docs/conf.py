"""The documentation site (`make docs`): Sphinx over the Markdown pages of this folder, with the API from docstrings."""

from __future__ import annotations

from evpv import __version__

project = "evpv"
author = "the evpv authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["schemas"]
html_theme = "furo"
html_title = "evpv"
html_show_copyright = False  # LICENSE says it
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # examples of JSON with an ellipsis
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
