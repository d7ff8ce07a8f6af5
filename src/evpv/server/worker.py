"""A worker of the service: builds the pipeline once, then answers jobs until the service is gone.

The first message in is the order (recipe, settings, folder), the first out is empty, or the reason why the pipeline cannot
be built. Then jobs come in as JSON, and two bytes of status with a body go out.
"""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import Any

from evpv.assembly import Builder
from evpv.config import load_recipe
from evpv.errors import EvpvError
from evpv.protocols import prepare_part
from evpv.server.jobs import Desk, Reply
from evpv.workers.child import Channel


def answer_requests(channel: Channel) -> None:
    """A worker process's whole life."""
    try:
        desk = _desk(json.loads(channel.receive()))
    except EvpvError as error:
        channel.send(str(error).encode())
        return
    channel.send(b"")
    for message in channel.messages():
        reply = _reply(desk, message)
        channel.send(reply.status.to_bytes(2, "big") + reply.body)
    desk.pipeline.close()


def _desk(order: dict[str, Any]) -> Desk:
    recipe = load_recipe(order["recipe"], order["changes"])
    builder = Builder(recipe)
    policy = builder.policy() if recipe.policy is not None else None
    pipeline = builder.pipeline()
    prepare_part(pipeline.extractor)
    return Desk(name=recipe.name, pipeline=pipeline, folder=Path(order["folder"]), policy=policy)


def _reply(desk: Desk, message: bytes) -> Reply:
    """The answer to one job. A bug is told to the log alone, and costs the request and not the worker."""
    job = json.loads(message)
    try:
        return desk.answer(job)
    except Exception:  # noqa: BLE001 - whatever a request brings about, the next one is answered
        print(f"request {job.get('request_id')}:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        body = {"message": "the service failed; its log says why under this request's id", "field": None}
        return Reply(status=500, body=json.dumps(body).encode())
