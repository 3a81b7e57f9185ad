"""
What test/sdk/python.test.ts and test/e2e/answers/sdk_python.test.ts ask of this library: reads one JSON object from standard input, and
writes how each case ended, one JSON object a line.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from assay_sdk import Assay, AssayError, AsyncAssay, Data, verify_webhook, WebhookError


def ended(result: Any) -> dict[str, Any]:
    return {"ends": result.kind, "attempts": result.call.attempts, "cost": result.call.credits_charged}


def told(error: AssayError) -> dict[str, Any]:
    return {"ends": error.code, "is_charged": error.is_charged, "attempts": error.attempts, "status": error.status}


def show(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def faults(asked: dict[str, Any]) -> None:
    """One case, with both clients as it is asked."""
    options = {"timeout_s": asked["timeout_s"]}

    def one() -> dict[str, Any]:
        with Assay(asked["url"], asked["key"], **options) as assay:
            try:
                return ended(assay.call(asked["tool"], asked["args"], idempotency_key=asked.get("own_key")))
            except AssayError as error:
                return told(error)

    async def awaited() -> dict[str, Any]:
        async with AsyncAssay(asked["url"], asked["key"], **options) as assay:
            try:
                return ended(await assay.call(asked["tool"], asked["args"], idempotency_key=asked.get("own_key")))
            except AssayError as error:
                return told(error)

    show(asyncio.run(awaited()) if asked["flavour"] == "async" else one())


def examples(asked: dict[str, Any]) -> None:
    """Every tool's example, read as its dataclass to the last member."""
    with Assay(asked["url"], asked["key"]) as assay:
        for tool, args in asked["examples"].items():
            result = getattr(assay, tool)(**args)
            show({"tool": tool, "ends": result.kind, "of": type(result.data).__name__ if isinstance(result, Data) else None})


def batch(asked: dict[str, Any]) -> None:
    """One batch with both clients, each under a key of its own."""

    def outcome(item: Any) -> dict[str, Any]:
        return told(item) if isinstance(item, AssayError) else ended(item)

    async def awaited() -> list[dict[str, Any]]:
        async with AsyncAssay(asked["url"], asked["key"]) as assay:
            return [outcome(item) for item in await assay.batch(asked["tool"], asked["items"])]

    with Assay(asked["url"], asked["key"]) as assay:
        items = [outcome(item) for item in assay.batch(asked["tool"], asked["items"])]
    show({"items": items, "awaited": asyncio.run(awaited())})


async def walk(asked: dict[str, Any]) -> None:
    args = asked["args"]
    with Assay(asked["url"], asked["key"]) as assay:
        rows = [[row.tx_hash, row.direction, row.amount] for row in assay.get_wallet_transactions_rows(**args)]
    async with AsyncAssay(asked["url"], asked["key"]) as same:
        again = [[row.tx_hash, row.direction, row.amount] async for row in same.get_wallet_transactions_rows(**args)]
        pages = [result.kind async for result in same.get_wallet_transactions_pages(**args)]
        listed = await same.list_tools()
    show({"rows": rows, "is_same": rows == again, "pages": pages, "tools": [tool.name for tool in listed.tools]})


def webhooks(asked: dict[str, Any]) -> None:
    for case in asked["cases"]:
        try:
            read = verify_webhook(case["body"], case["headers"], secret=case["secret"], now_s=case["now_s"])
            show({"id": read.id, "sent_at": read.sent_at.isoformat(), "event": read.event})
        except WebhookError as error:
            show({"fault": error.fault})


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "faults":
            faults(asked)
        elif asked["do"] == "examples":
            examples(asked)
        elif asked["do"] == "batch":
            batch(asked)
        elif asked["do"] == "walk":
            asyncio.run(walk(asked))
        else:
            webhooks(asked)


main()
