"""Decides what a reply means for the call: done, refused, or retried under the same key. The TypeScript library has the same rules."""

from __future__ import annotations

import email.utils
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union

from ._errors import AssayError, AssayErrorCode
from ._result import CallFacts, Result, result_of

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Lost:
    """No complete, readable answer: whether the call ran is unknown."""

    cause: BaseException | None


Reply = Union[Answer, Lost]


@dataclass(frozen=True)
class Attempt:
    number: int
    """From 1."""
    idempotency_key: str | None
    is_own_key: bool
    """The caller chose the key, so another call may have used it."""
    may_have_run: bool
    """An earlier attempt of this call may have run."""


@dataclass(frozen=True)
class Done(Generic[T]):
    result: Result[T]


@dataclass(frozen=True)
class Refused:
    error: AssayError


@dataclass(frozen=True)
class Again:
    after_s: float | None
    """The answer's Retry-After, or None for the default pause."""
    may_have_run: bool
    error: AssayError
    """Raised if no time is left."""


Verdict = Union[Done[T], Refused, Again]


def pause_s(attempt: int, chance: float) -> float:
    """Pause between attempts: doubles each time, half of it random, so that many callers do not retry at once."""
    whole = min(8.0, 0.25 * float(2 ** min(attempt - 1, 16)))
    return whole / 2 + whole / 2 * chance


def retry_after_s(value: str | None, now: float) -> float | None:
    """Seconds of `Retry-After` (RFC 9110, 10.2.3: seconds or a date); None without one."""
    if value is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", value):
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return None


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and re.fullmatch(r"-?\d+", value) else None


def _facts(headers: Mapping[str, str], attempt: Attempt) -> CallFacts:
    return CallFacts(
        request_id=headers.get("x-request-id"),
        credits_charged=_number(headers.get("x-credits-charged")),
        credits_remaining=_number(headers.get("x-credits-remaining")),
        catalog_version=headers.get("x-credit-catalog-version"),
        idempotency_key=attempt.idempotency_key,
        attempts=attempt.number,
    )


_BY_STATUS: dict[int, AssayErrorCode] = {
    400: "invalid_request",
    401: "unauthorized",
    404: "unknown_tool",
    413: "invalid_request",
    422: "invalid_request",
}

_AGAIN = (408, 500, 502, 503, 504)
"""Statuses after which the same call is retried: it is not charged, or refunded."""


def _sentence(detail: Any, status: int) -> str:
    if isinstance(detail, str) and detail:
        return detail
    if isinstance(detail, dict) and isinstance(detail.get("message"), str):
        return str(detail["message"])
    if isinstance(detail, list):
        items = [item for item in detail if isinstance(item, dict)]
        return "; ".join(f"{'.'.join(map(str, item.get('loc', [])))}: {item.get('msg')}" for item in items)
    return f"The service answered {status}."


def _error(code: AssayErrorCode, answer: Answer, attempt: Attempt, is_charged: bool | None) -> AssayError:
    detail = answer.body.get("detail") if isinstance(answer.body, dict) else None
    return AssayError(
        _sentence(detail, answer.status),
        code=code,
        status=answer.status,
        detail=detail,
        is_charged=is_charged,
        idempotency_key=attempt.idempotency_key,
        request_id=answer.headers.get("x-request-id"),
        attempts=attempt.number,
    )


def _detail(answer: Answer) -> dict[str, Any]:
    detail = answer.body.get("detail") if isinstance(answer.body, dict) else None
    return detail if isinstance(detail, dict) else {}


def _lost(lost: Lost, attempt: Attempt) -> Again:
    error = AssayError(
        "No complete answer arrived. The call may have run, and is charged at most once: "
        "call again with the same idempotency_key to find out.",
        code="no_answer",
        idempotency_key=attempt.idempotency_key,
        attempts=attempt.number,
    )
    error.__cause__ = lost.cause
    return Again(None, True, error)


def _conflict(answer: Answer, attempt: Attempt) -> Refused | Again:
    detail = _detail(answer)
    code = detail.get("code")
    if code != "DUPLICATE_REQUEST":
        known: AssayErrorCode = "price_changed" if code == "PRICE_CHANGED" else "unexpected"
        return Refused(_error(known, answer, attempt, False))
    # The key was already used: by this call, if an attempt may have run or the client generated the key.
    is_ours = detail.get("same_request") is not False and (attempt.may_have_run or not attempt.is_own_key)
    if not is_ours:
        return Refused(_error("duplicate_request", answer, attempt, False))
    if detail.get("state") == "running":
        return Again(None, True, _error("no_answer", answer, attempt, None))
    return Refused(_error("answer_lost", answer, attempt, True))


def _too_many(answer: Answer, attempt: Attempt, now: float) -> Refused | Again:
    after = retry_after_s(answer.headers.get("retry-after"), now)
    is_plan = _detail(answer).get("error_code") == "PLAN_LIMIT_REACHED"
    error = _error("plan_limit_reached" if is_plan else "rate_limited", answer, attempt, False)
    return Refused(error) if is_plan and after is None else Again(after, attempt.may_have_run, error)


def limit_in(reply: Reply) -> int | None:
    """Calls per minute as stated in the service's refusal; None if it states none."""
    if isinstance(reply, Lost) or reply.status != 429 or not isinstance(reply.body, dict):
        return None
    told = re.search(r"(\d+) requests per minute", str(reply.body.get("detail")))
    return int(told[1]) if told else None


def judge(of: type[T], reply: Reply, attempt: Attempt, now: float) -> Verdict[T]:
    if isinstance(reply, Lost):
        return _lost(reply, attempt)
    status, headers = reply.status, reply.headers
    if status == 200:
        if isinstance(reply.body, dict):
            return Done(result_of(of, reply.body, _facts(headers, attempt)))
        return _lost(Lost(ValueError("The body is not a JSON object.")), attempt)
    if status == 409:
        return _conflict(reply, attempt)
    if status == 429:
        return _too_many(reply, attempt, now)
    if status in _AGAIN:
        # A proxy may answer so after the call has run; then only the next attempt shows whether it ran.
        charged = _number(headers.get("x-credits-charged"))
        error = _error("unavailable", reply, attempt, None if charged is None else charged > 0)
        return Again(retry_after_s(headers.get("retry-after"), now), True, error)
    code = _BY_STATUS.get(status, "unexpected")
    return Refused(_error(code, reply, attempt, None if status >= 500 else False))


