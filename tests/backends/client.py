"""A client process that can be killed: asks numbered questions with a store between, and prints how many came back.

usage: client.py BASE_URL STORE COUNT
"""

from __future__ import annotations

import sys

from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.store import AnswerStore, RecordedBackend
from evpv.protocols import ChatRequest


def main(base_url: str, store: str, count: int) -> None:
    """Ask all questions in one batch."""
    backend = RecordedBackend(OpenAIChat("tiny", base_url=base_url, concurrency=8), store=AnswerStore(store))
    replies = backend.ask([ChatRequest(prompt=f"question {number}") for number in range(count)])
    right = sum(reply.text == f"echo: question {number}" for number, reply in enumerate(replies))
    print(right, sum(reply.usage.hits for reply in replies), sum(reply.usage.calls for reply in replies), flush=True)
    backend.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
