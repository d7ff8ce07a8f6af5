"""The pure packages import nothing but the standard library, numpy and pint, and no I/O, clock or randomness; and patterns stand in `language`.

Whoever else wants to know what a text says asks `language`; three chapters of the checks judge, which are about wordings of questions and of
known rules, have patterns of their own.

usage: check_purity.py [SOURCE_FOLDER]     prints each offence as file:line and exits 1 if there is one
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PURE = ("errors.py", "types.py", "language", "premises", "reward")
THIRD_PARTY = {"numpy", "pint"}
OWN = ("evpv.errors", "evpv.types", "evpv.language", "evpv.premises", "evpv.reward")
IMPURE = {
    "asyncio", "datetime", "ftplib", "getpass", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "platform", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
    "uuid", "warnings", "importlib",
}  # fmt: skip
READERS = ("premises", "judges/checks")
WITH_PATTERNS = ("judges/checks/drawings.py", "judges/checks/questions.py", "judges/checks/rules.py")
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def modules(source: Path) -> Iterator[Path]:
    """The files of the pure packages."""
    for name in PURE:
        path = source / "evpv" / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def offences(path: Path) -> Iterator[tuple[int, str]]:
    """What a file imports or calls that a pure module must not."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if not allowed(alias.name):
                    yield node.lineno, f"imports {alias.name}"
        elif isinstance(node, ast.ImportFrom):
            if node.level or not allowed(node.module or ""):
                yield node.lineno, f"imports {node.module}"
        elif isinstance(node, ast.Attribute) and ast.unparse(node).startswith(("numpy.random", "np.random")):
            yield node.lineno, "uses numpy's randomness"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            yield node.lineno, f"calls {node.func.id}"


def patterns(source: Path) -> Iterator[str]:
    """Modules that read text by patterns of their own where `language` should."""
    for folder in READERS:
        for path in sorted((source / "evpv" / folder).rglob("*.py")):
            imports = (
                node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Import)
            )
            name = path.relative_to(source / "evpv").as_posix()
            if name not in WITH_PATTERNS and any(alias.name == "re" for node in imports for alias in node.names):
                yield f"{path}: imports re; patterns stand in evpv.language"


def allowed(module: str) -> bool:
    """Whether a pure module may import this."""
    top = module.split(".")[0]
    if top == "evpv":
        return module == "evpv" or any(module == own or module.startswith(own + ".") for own in OWN)
    return top in THIRD_PARTY or (top in sys.stdlib_module_names and top not in IMPURE)


def main(source: Path) -> int:
    found = [f"{path}:{line}: {what}" for path in modules(source) for line, what in offences(path)]
    found += patterns(source)
    print("\n".join(found) if found else f"pure: {len(list(modules(source)))} modules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src"))
