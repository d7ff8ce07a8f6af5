"""The page at `/`: drop a figure, paste a question and candidates, see the viewer.

The viewer's own page is put into a frame as a blob, which inherits this page's policy: so the policy names the two
scripts and the two styles that may be used, by their digests, and nothing else runs, loads or leaves.
"""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.responses import HTMLResponse, Response

_PLACE = re.compile(r"\{\{(style|script|example)\}\}")


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
    filled = {"style": style, "script": script, "example": _example()}
    return _PLACE.sub(lambda place: filled[place[1]], frame), policy


def _example() -> str:
    """A problem to try, with its figure; nothing in it can end the element that holds it."""
    own = files("evpv.server").joinpath("page")
    figure = base64.b64encode(own.joinpath("example.png").read_bytes()).decode()
    told = {**json.loads(own.joinpath("example.json").read_text(encoding="utf-8")), "figure": figure}
    return json.dumps(told).replace("<", "\\u003c")


def _digests(*texts: str) -> str:
    return " ".join(f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)
