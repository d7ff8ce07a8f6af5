"""Writes the tree of modules into docs/tree.md, each with the first sentence of its docstring, and that of packages into README.md.

usage: write_tree.py [--check]     with --check, nothing is written and the exit code says whether it is up to date
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- tree: written by scripts/write_tree.py -->", "<!-- end of tree -->"
WIDTH = 34
LONGEST = 118
NOT_OURS = ("__pycache__", "node_modules")


def comment(path: Path) -> str:
    """The first sentence of a module's docstring."""
    return first_sentence(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")


def first_sentence(text: str) -> str:
    """The first sentence of a text's first paragraph."""
    line = " ".join(text.split("\n\n")[0].split())
    ends = (i for i, c in enumerate(line) if c in ".;" and line[i + 1 : i + 2] in ("", " ") and not is_inside(line[:i]))
    return line[: next(ends, len(line))]


def is_inside(text: str) -> bool:
    """Whether what follows `text` stands in a bracket, or after an abbreviation."""
    return text.count("(") > text.count(")") or text.endswith(("Eq", "e.g", "i.e"))


def rows(folder: Path, depth: int = 0) -> list[str]:
    """The lines of one folder: its own comment, then its modules, then its folders."""
    indent = "  " * depth
    lines = [row(f"{indent}{folder.name}/", folder_comment(folder))]
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            lines.append(row(f"{indent}  {path.name}", comment(path)))
    for inner in sorted(path for path in folder.iterdir() if path.is_dir() and path.name not in NOT_OURS):
        if has_files(inner):
            lines += rows(inner, depth + 1)
    return lines


def has_files(folder: Path) -> bool:
    """Whether git would keep the folder: one that a removed package left behind holds only what Python compiled."""
    return any(path.is_file() and not set(NOT_OURS) & set(path.parts) for path in folder.rglob("*"))


def folder_comment(folder: Path) -> str:
    """What a package says of itself, or the first sentence of the note beside files of another kind, whatever its title."""
    if (folder / "__init__.py").exists():
        return comment(folder / "__init__.py")
    note = folder / "README.md"
    said = re.sub(r"^#.*\n", "", note.read_text(encoding="utf-8"), flags=re.MULTILINE) if note.exists() else ""
    return first_sentence(said.strip())


def row(name: str, text: str) -> str:
    return f"{name:<{WIDTH}} {text}".rstrip()


def packages(source: Path) -> list[str]:
    """A line for each package and module directly under the source folder; folders of data have nothing to say here."""
    return [shorten(line) for line in rows(source) if not line.startswith("    ") and len(line.split()) > 1]


def shorten(line: str) -> str:
    """A line cut where its sentence pauses, if it is too long for a page of code."""
    if len(line) <= LONGEST:
        return line
    pause = max(line.rfind(mark, WIDTH + 1, LONGEST) for mark in (", ", ": ", " ("))
    cut = line[:pause] if pause > 0 else line[:LONGEST]
    return cut if not is_inside(cut) else cut[: cut.rfind(" (")]


def with_tree(text: str, lines: list[str]) -> str:
    """A document with its tree made anew."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    tree = "\n".join(lines)
    return f"{before}{BEGIN}\n```\n{tree}\n```\n{END}{after}"


def main() -> int:
    source = ROOT / "src" / "evpv"
    stale = False
    for path, lines in ((ROOT / "README.md", packages(source)), (ROOT / "docs" / "tree.md", rows(source))):
        old = path.read_text(encoding="utf-8")
        new = with_tree(old, lines)
        stale |= new != old
        if "--check" not in sys.argv:
            path.write_text(new, encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
