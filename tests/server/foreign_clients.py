"""Cohere's and LiteLLM's own clients asked against a service, unchanged; prints one JSON line a call.

A program of its own: what these packages do when they are imported is theirs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it is fetched when litellm is imported

QUERY = "AB is 3 plus 4. How long is AB?"
TEXTS = ["AB = 3 + 4 = 8. The answer is 8.", "AB = 3 + 4 = 7. The answer is 7."]


def cohere_answers(url: str, key: str, image: str) -> Iterator[tuple[str, Any]]:
    import cohere

    newer, older = cohere.ClientV2(api_key=key, base_url=url), cohere.Client(api_key=key, base_url=url)
    yield "cohere v2", newer.rerank(model="rerank-v3.5", query=QUERY, documents=TEXTS, top_n=2)
    yield "cohere v1", older.rerank(model="rerank-v3.5", query=QUERY, documents=TEXTS, return_documents=True)
    in_body = {"additional_body_parameters": {"image": image}}
    yield "cohere v2, image in the body", newer.rerank(model="x", query=QUERY, documents=TEXTS, request_options=in_body)
    in_header = {"additional_headers": {"X-EVPV-Image": image}}
    yield (
        "cohere v2, image in a header",
        newer.rerank(model="x", query=QUERY, documents=TEXTS, request_options=in_header),
    )
    yield "cohere v2, image in the query", newer.rerank(model="x", query=f"image:{image} {QUERY}", documents=TEXTS)


def litellm_answers(url: str, key: str, image: str) -> Iterator[tuple[str, Any]]:
    import litellm

    for provider in ("cohere", "jina_ai", "hosted_vllm"):
        settings = {"model": f"{provider}/evpv", "documents": TEXTS, "api_key": key, "api_base": f"{url}/v1/rerank"}
        if provider == "hosted_vllm":
            settings["api_base"] = f"{url}/v1"
        yield f"litellm {provider}", litellm.rerank(query=QUERY, top_n=2, return_documents=True, **settings)
        yield f"litellm {provider}, image in the query", litellm.rerank(query=f"image:{image} {QUERY}", **settings)


def main() -> None:
    which, url, key, image = sys.argv[1:]
    for name, answer in {"cohere": cohere_answers, "litellm": litellm_answers}[which](url, key, image):
        results = [one if isinstance(one, dict) else one.model_dump() for one in answer.results]
        print(json.dumps({"name": name, "results": results}))


if __name__ == "__main__":
    main()
