"""Texts that try to run, to reach the network or to break the layout, and a run that holds one in every place for text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

from evpv.records import RunWriter, trace_from_json

SCRIPT = "window.evpvHit=1"
PAYLOADS = (
    f"<script>{SCRIPT}</script>",
    f"</script><script>{SCRIPT}</script>",
    f"<img src=x onerror={SCRIPT}>",
    f"<svg onload={SCRIPT}><animate onbegin={SCRIPT} attributeName=x dur=1s /></svg>",
    f"<svg><script>{SCRIPT}</script><foreignObject><iframe srcdoc='<script>parent.{SCRIPT}</script>'></iframe></foreignObject></svg>",
    f"<math><mtext><style><img src=x onerror={SCRIPT}></style></mtext></math>",
    f'"><b onmouseover="{SCRIPT}" autofocus onfocus="{SCRIPT}" tabindex=0>',
    f"' onclick='{SCRIPT}' x='",
    f"javascript:{SCRIPT}",
    f"data:text/html,<script>{SCRIPT}</script>",
    "<style>body{display:none}*{background:url(https://example.org/a.png)}</style>",
    "red;} body { display: none; } /*",
    "<link rel=stylesheet href=https://example.org/a.css><meta http-equiv=refresh content='0;url=https://example.org/'>",
    "<!-- --!> ]]> <base href=https://example.org/>",
    "{{script}} {{data}} {{title}} ${window.evpvHit=1} #{1}",
    rf"$\href{{javascript:{SCRIPT}}}{{click}}$",
    r"$\url{https://example.org/} \includegraphics{https://example.org/a.png}$",
    rf"$\htmlData{{onclick={SCRIPT}}}{{x}} \htmlStyle{{position:fixed;inset:0}}{{x}} \class{{bar}}{{x}} \id{{page}}{{x}}$",
    r"$\def\a{\a\a}\a$ $\newcommand{\x}{\x\x}\x$ $\let\y\undefined\y$",
    r"$\text{<img src=x onerror=" + SCRIPT + r">} \unicode{x3c}script$ \(\style{display:none}{x}\)",
    r"$\rule{9999em}{9999em} \kern9999em \hspace{9999em} \Huge x$ $$" + r"\frac{1}{" * 120 + "1" + "}" * 120 + "$$",
    "\\begin{array}{c}" * 50 + "$" + "{" * 300 + "}" * 300 + "$",
    "\u202egnirts sdrawkcab\u202d \u2066\u2067\u2068 \u200f\u200e \u2069",
    "\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627 " * 20,
    "w" * 10_000,
    "\u0e49" * 200 + "Z\u0351\u036b\u0343" * 100,
    "__proto__",
    "constructor",
    "\u2028\u2029\ufeff\u0000\u0007\u001b[31m",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 40,
    "",
)
# evpv reads no control characters out of ids any better than others, but an id may not be empty.
IDS = tuple(payload for payload in PAYLOADS if payload)


def payload_run(folder: Path, payloads: tuple[str, ...] = PAYLOADS) -> Path:
    """A run with one problem a payload, and a payload in its manifest, its pictures' names and every text field."""
    names = [f"{number}-{_as_name(text)}.png" for number, text in enumerate(payloads)]
    run = folder / "run <b>&'\"#%25"
    run.mkdir(parents=True)
    for name in names:
        Image.new("RGB", (40, 30), "white").save(run / name)
    manifest = {
        "recipe": payloads[0],
        "fingerprint": payloads[1],
        "problems": payloads[2],
        "date": payloads[3],
        "versions": {text: text for text in payloads[:12]},
        "settings": {"extractor": {"use": payloads[4]}, "judge": {"use": payloads[5]}, payloads[6]: payloads[7]},
    }
    with RunWriter(run, manifest) as writer:
        for number, text in enumerate(payloads):
            writer.append(trace_from_json(_record(number, text, names[number])))
    return run


def _as_name(text: str) -> str:
    return text[:60].replace("/", "_").replace("\0", "_")


def _record(number: int, text: str, image: str) -> dict[str, Any]:
    ids = (text or "empty", f"{number} {text}", "b")
    steps = [
        {
            "text": text, "claim": text, "claim_from": "policy", "type": "numeric", "verdict": verdict, "support": 0.3,
            "constraint": 0 if verdict != "missing" else None, "explanation": text, "base_reward": 0.4, "gate": 0.3,
            "reward": -0.4, "judge": text, text or "none": text,
        }
        for verdict in ("contradicted", "supported", "missing", "unparsed")
    ]  # fmt: skip
    return json.loads(
        json.dumps(
            {
                "problem_id": f"{number} {text}",
                "question": text,
                "image": [image, text.replace("\0", "") or "none"],
                "options": [text, text + "2"],
                "answer": text,
                "figure": text,
                "unread": text,
                "cost": {text or "none": 1.5},
                "constraints": [
                    {
                        "category": "numeric",
                        "entity": text,
                        "attribute": text,
                        "value": 3.0,
                        "unit": text,
                        "box": [1, 2, 30, 20],
                    },
                    {"category": "relation", "type": text or "equal", "entities": [text], "direction": text},
                    {
                        "category": "structure",
                        "type": text or "table",
                        "parts": [text],
                        "attachment": [text],
                        "adjacency": [text],
                    },
                ],
                "candidates": [
                    {"id": name, "final_answer": text, "reliability": 0.5, "score": 0.5, "steps": steps} for name in ids
                ],
                "ranking": {
                    "select": text or "score",
                    "best": [ids[0]],
                    "order": list(ids),
                    "values": dict.fromkeys(ids, 0.5),
                },
            }
        )
    )  # type: ignore[no-any-return]
