"""The page at `/`: drop a figure, paste a question and candidates, see the viewer.

The viewer's own page is put into a frame as a blob, which inherits this page's policy: so the policy names the two
scripts and the two styles that may be used, by their digests, and nothing else runs, loads or leaves.
"""

from __future__ import annotations

import base64
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.responses import HTMLResponse, Response


def front_page() -> Response:
    """The page, with its policy in a header."""
    page, policy = _page()
    return HTMLResponse(page, headers={"content-security-policy": policy})


@cache
def _page() -> tuple[str, str]:
    own, viewer = files("evpv.server").joinpath("page"), files("evpv.viewer").joinpath("static")
    frame, style, script = (
        own.joinpath(name).read_text(encoding="utf-8") for name in ("index.html", "page.css", "page.js")
    )
    scripts = _digests(script, viewer.joinpath("page.js").read_text(encoding="utf-8"))
    styles = _digests(style, viewer.joinpath("page.css").read_text(encoding="utf-8"))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src data: blob:; connect-src 'self'; "
        "frame-src blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types evpv"
    )
    return frame.replace("{{style}}", style).replace("{{script}}", script), policy


def _digests(*texts: str) -> str:
    return " ".join(f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)
