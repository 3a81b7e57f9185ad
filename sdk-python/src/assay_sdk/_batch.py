"""Reads the answer of a batch item by item, by the rules of a single call."""

from __future__ import annotations

import time
from typing import Any, Union

from ._errors import AssayError
from ._result import Data, Result
from ._rules import Answer, Attempt, Done, judge
from ._steps import Request

BatchItem = Union[Result[Any], AssayError]
"""The outcome of one item: its result, or the error that a single call would raise."""

_HEADERS = {"request_id": "x-request-id", "credits_charged": "x-credits-charged", "retry_after": "retry-after"}


def _item(item: dict[str, Any], attempt: Attempt) -> BatchItem:
    headers = {name: str(item[member]) for member, name in _HEADERS.items() if item.get(member) is not None}
    answer = Answer(int(item["http_status"]), headers, item.get("answer"))
    verdict = judge(object, answer, attempt, time.time())
    return verdict.result if isinstance(verdict, Done) else verdict.error


def batch_of(result: Result[Any], count: int, request: Request) -> list[BatchItem]:
    """One outcome per item. Raises `AssayError` if the answer is none of a batch with so many items."""
    items = result.raw.get("items") if isinstance(result, Data) else None
    call = result.call
    if not isinstance(items, list) or len(items) != count or not all(isinstance(item, dict) for item in items):
        raise AssayError(
            "The answer of the batch could not be read.",
            code="unexpected",
            status=200,
            idempotency_key=request.idempotency_key,
            request_id=call.request_id,
            attempts=call.attempts,
        )
    return [
        _item(
            item,
            Attempt(call.attempts, f"{request.idempotency_key}.{index}", request.is_own_key, call.attempts > 1),
        )
        for index, item in enumerate(items)
    ]
