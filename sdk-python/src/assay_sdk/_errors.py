from __future__ import annotations

from typing import Any, Literal

AssayErrorCode = Literal[
    "unauthorized",  # 401: the key is missing, unknown, revoked, or has another scope
    "unknown_tool",  # 404: the service does not have this tool
    "invalid_request",  # 400, 413, 422: the request is invalid
    "duplicate_request",  # 409: this Idempotency-Key was used by another call
    "price_changed",  # 409: prices differ from those of `catalog_version`
    "rate_limited",  # 429: the key's calls per minute are used up, and there was no time left to wait
    "plan_limit_reached",  # 429: the plan's credits are used up
    "unavailable",  # 408 or 5xx, also after retries
    "no_answer",  # no complete answer arrived in time; whether the call is charged is unknown
    "answer_lost",  # the call is charged once, but its answer was lost: the service sends no answer twice
    "tool_error",  # a tool answered `status: "error"` in the middle of a walk over rows; refunded
    "unexpected",  # an unknown status
]


class AssayError(Exception):
    """A call without a result."""

    def __init__(
        self,
        message: str,
        *,
        code: AssayErrorCode,
        status: int | None = None,
        detail: Any = None,
        is_charged: bool | None = None,
        idempotency_key: str | None = None,
        request_id: str | None = None,
        attempts: int = 1,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        """HTTP status of the last answer; None without one."""
        self.detail = detail
        """`detail` of the last answer: a sentence, an object or a list of faults."""
        self.is_charged = is_charged
        """None if unknown: call again with the same `idempotency_key`."""
        self.idempotency_key = idempotency_key
        self.request_id = request_id
        self.attempts = attempts


class ShapeError(Exception):
    """An answer does not have the shape that this library knows. It is paid, and complete in `raw`."""
