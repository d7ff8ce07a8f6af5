"""Everything evpv raises on purpose.

    EvpvError
    ├── RecordError      a file's line that cannot be read: says file, line, field and what was expected
    ├── ConfigError      a preset, recipe or setting that does not exist or does not fit
    ├── ImageError       a picture that cannot or should not be decoded
    ├── BackendError     a model that did not answer, or not usably
    ├── BudgetError      money that would be passed by the next question; what was asked before is kept
    └── MissingExtraError    a plug-in whose optional packages are not installed

The command line prints these without a traceback; anything else is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class EvpvError(Exception):
    """The root of the tree: catch this to catch all that evpv raises on purpose."""


class RecordError(EvpvError):
    """One line of a file that does not say what it should.

    >>> print(RecordError("must be a string, not 3", file="p.jsonl", line=7, field="candidates[0].steps[1].text"))
    p.jsonl:7: candidates[0].steps[1].text: must be a string, not 3
    """

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None, field: str | None = None):
        self.message, self.file, self.line, self.field = message, file, line, field
        place = ":".join(str(part) for part in (file, line) if part is not None)
        super().__init__(": ".join(part for part in (place, field, message) if part))


class ConfigError(EvpvError):
    """A preset, recipe or setting that does not exist or does not fit."""


class ImageError(EvpvError):
    """A picture that cannot or should not be decoded."""


class BackendError(EvpvError):
    """A model that did not answer, or not usably."""


class BudgetError(EvpvError):
    """Money that would be passed by the next question; what was asked before is kept."""


class MissingExtraError(EvpvError):
    """A plug-in whose optional packages are not installed.

    >>> print(MissingExtraError("the embedded extractor", extra="vision", missing="rapidocr"))
    the embedded extractor needs 'rapidocr': pip install 'evpv[vision]'
    """

    def __init__(self, what: str, *, extra: str, missing: str):
        super().__init__(f"{what} needs {missing!r}: pip install 'evpv[{extra}]'")


def unknown_name(kind: str, name: str, known: Iterable[str]) -> ConfigError:
    """A ConfigError that lists what exists and points at the nearest right name.

    >>> print(unknown_name("preset", "groundd", ["paper", "grounded"]))
    there is no preset 'groundd'; did you mean 'grounded'? There are: grounded, paper.
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return ConfigError(f"there is no {kind} {name!r}{hint} There are: {', '.join(names)}.")
