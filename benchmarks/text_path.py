"""How fast text becomes verdicts: drawn problems assessed with their constraints given, against the commit before the redesign.

usage: text_path.py [--problems 260] [--before 5e704c8]

Both sides run in a process of their own, one after the other and twice, on the same problems; the older commit is checked out
beside in a temporary git worktree. Prints a table and, as its last line, one JSON object: `over_before` is how many times
faster this tree is, by the better of its two runs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIDE = """
import json, sys, time
sys.path.insert(0, sys.argv[2])
from evpv.figures import make_problems
from evpv.reward.assess import assess
from evpv.reward.method import preset
made = [(one.problem, one.constraints) for one in make_problems(count=int(sys.argv[1]), seed=500, split="test")]
method = preset("grounded")
warm = made[0]
assess(warm[0], warm[1], [[0.5] * len(c.steps) for c in warm[0].candidates], method)
began = time.process_time()
verdicts = []
for problem, constraints in made:
    trace = assess(problem, constraints, [[0.5] * len(c.steps) for c in problem.candidates], method)
    verdicts += [step.match.verdict for c in trace.candidates for step in c.steps if step.match]
print(json.dumps({"seconds": time.process_time() - began, "claims": len(verdicts),
                  "decided": sum(v in ("supported", "contradicted") for v in verdicts)}))
"""


def measured(tree: Path, problems: int) -> dict[str, float]:
    """One side's seconds of processor time, and what it decided."""
    env = {**os.environ, "PYTHONPATH": str(tree / "src"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SIDE, str(problems), str(tree / "src")],
        env=env,
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=260)
    parser.add_argument("--before", default="5e704c8")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        older = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", older, options.before], cwd=ROOT, check=True)
        try:
            runs = [(measured(older, options.problems), measured(ROOT, options.problems)) for _ in range(2)]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", older], cwd=ROOT, check=True)
    before, now = (min((pair[side] for pair in runs), key=lambda run: run["seconds"]) for side in (0, 1))
    for name, run in ((options.before, before), ("this tree", now)):
        print(f"{name:10} {run['seconds']:7.2f} s  {run['claims']:6.0f} claims, {run['decided']:6.0f} decided")
    ratio = before["seconds"] / now["seconds"]
    print(
        json.dumps(
            {
                "over_before": round(ratio, 2),
                "claims": now["claims"],
                "decided": now["decided"],
                "decided_before": before["decided"],
            }
        )
    )


if __name__ == "__main__":
    main()
