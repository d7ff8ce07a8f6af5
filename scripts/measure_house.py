"""What the house costs a reader: files, lines, names, complexity, and the modules that one problem passes through.

usage: measure_house.py [SOURCE_ROOT …]     one column a root (a checkout), so that before and after stand side by side

The counts are those of issue trackers' reviews: public functions, classes and constants of modules per 1,000 lines, functions named by a
participle alone, functions over McCabe complexity 10, string-keyed `extra[...]` accesses, pairs of duplicated runs.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

PARTICIPLE = re.compile(
    r"_?(?!token|open|screen|need|seed|feed|between|markdown|_?upgrade|then|flatten|sharpen|straighten)[a-z]+(ed|en|wn|ade|old|ept)"
)
EXTRA_ACCESS = re.compile(r"\bextra(?:\[|\.get\(|\.pop\()")
BRANCHES = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.Assert, ast.match_case,
)  # fmt: skip
COMPLEX = 10

WALK = """
import json, os, sys
seen = set()
def note(frame, event, argument):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and name.split(".")[0] == "evpv" and frame.f_code.co_name != "<module>":
        seen.add(name)
from evpv import Verifier
from pathlib import Path
import tempfile
from PIL import Image, ImageDraw
folder = Path(tempfile.mkdtemp())
picture = Image.new("RGB", (420, 140), "white")
pen = ImageDraw.Draw(picture)
for row, (name, value) in enumerate((("Fruit", "Price"), ("apple", str(100 + os.getpid() % 900)), ("pear", "5"))):
    pen.text((40, 20 + 36 * row), name, fill="black", font_size=22)
    pen.text((240, 20 + 36 * row), value, fill="black", font_size=22)
picture.save(folder / "table.png")
problem = {"id": "p", "image": str(folder / "table.png"), "question": "What do both cost?",
           "candidates": [{"response": "The apple costs 3 and the pear costs 5.\\n\\nSo 3 + 5 = 8."},
                          {"response": "The apple costs 4.\\n\\nSo 4 + 5 = 9."}]}
verifier = Verifier.from_recipe("embedded")
sys.setprofile(note)
verifier.rank(problem)
sys.setprofile(None)
print(json.dumps(sorted(seen)))
"""


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions of a module, methods and inner ones too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def module_names(tree: ast.Module) -> list[str]:
    """What a module defines at its top: functions, classes and constants."""
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [target.id for target in targets if isinstance(target, ast.Name)]
    return names


def complexity(function: ast.AST) -> int:
    """McCabe's number: one path, and one more for every branch and every further operand of `and` and `or`."""
    count = 1
    for node in ast.walk(function):
        if isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
        elif isinstance(node, BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
    return count


def duplicated_pairs(source: Path) -> str:
    """Pairs of places that share six or more lines, where the command that counts them is at hand."""
    if shutil.which("duplicates") is None:
        return "–"
    done = subprocess.run(
        ["duplicates", "--repo", str(source), "--seconds", "120"], capture_output=True, text=True, check=False
    )
    found = re.search(r"\d+", done.stdout.splitlines()[0]) if done.stdout else None
    return found[0] if found else "0"


def modules_of_one_problem(source: Path) -> str:
    """How many modules run while one problem with two candidates is ranked, its picture new to the cache."""
    program = f"import sys; sys.path.insert(0, {str(source)!r})\n" + WALK
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    return str(len(json.loads(done.stdout))) if done.returncode == 0 else "–"


def measures(root: Path) -> dict[str, str]:
    """Every count of one checkout."""
    source = root / "src"
    files = sorted(p for p in source.rglob("*.py") if "node_modules" not in p.parts)
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    lines = sum(text.count("\n") for text in texts.values())
    public = sum(not name.startswith("_") for tree in trees.values() for name in module_names(tree))
    every = [function for tree in trees.values() for function in functions(tree)]
    return {
        "files": str(len(files)),
        "lines": f"{lines:,}",
        "public names per 1,000 lines": f"{1000 * public / lines:.1f}",
        "functions named by a participle": str(sum(PARTICIPLE.fullmatch(f.name) is not None for f in every)),
        f"functions over complexity {COMPLEX}": str(sum(complexity(f) > COMPLEX for f in every)),
        "accesses to extra by a key": str(sum(len(EXTRA_ACCESS.findall(text)) for text in texts.values())),
        "duplicated pairs": duplicated_pairs(source),
        "modules one problem passes through": modules_of_one_problem(source),
    }


def main(roots: list[Path]) -> None:
    columns = [measures(root) for root in roots]
    table = Table("count", *(root.resolve().name for root in roots))
    for name in columns[0]:
        table.add_row(name, *(column[name] for column in columns))
    Console().print(table)
    print(json.dumps({root.resolve().name: column for root, column in zip(roots, columns, strict=True)}))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]] or [Path(__file__).parents[1]])
