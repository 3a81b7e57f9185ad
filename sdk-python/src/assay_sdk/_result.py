from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, Union

from ._decode import decode

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CallFacts:
    """Metadata of a call."""

    request_id: str | None
    credits_charged: int | None
    """Credits that the call cost; 0 if it was refunded; None if the answer does not state it."""
    credits_remaining: int | None
    catalog_version: str | None
    idempotency_key: str | None
    attempts: int
    """Number of attempts."""


class Data(Generic[T]):
    """The answer of a tool."""

    kind: Literal["data"] = "data"

    def __init__(self, of: type[T], raw: dict[str, Any], call: CallFacts) -> None:
        self._of = of
        self.raw = raw
        """The JSON object as received."""
        self.call = call

    @functools.cached_property
    def data(self) -> T:
        """The answer as a dataclass. Raises `ShapeError` if the answer does not match the tool's card."""
        return decode(self._of, self.raw)

    def __repr__(self) -> str:
        return f"Data({self.raw!r})"


@dataclass(frozen=True)
class NoData:
    """The lookup ran on complete coverage and found nothing. Charged."""

    type: str | None
    metadata: Mapping[str, Any] | None
    call: CallFacts
    message: str | None = None
    """States what was searched and how; None from an older service."""
    kind: Literal["no_data"] = "no_data"


@dataclass(frozen=True)
class Failure:
    """The tool could not answer. Refunded in full."""

    code: str
    """One of `ToolErrorCode`; later versions of the service may add codes."""
    message: str
    metadata: Mapping[str, Any] | None
    raw: dict[str, Any]
    """The whole body: an incomplete check still contains its partial findings."""
    call: CallFacts
    kind: Literal["error"] = "error"


Result = Union[Data[T], NoData, Failure]


def _object_or_none(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def result_of(of: type[T], body: dict[str, Any], call: CallFacts) -> Result[T]:
    """A 200 answer, by `status` or a top-level `error`, which is a failure too."""
    metadata = _object_or_none(body.get("metadata"))
    if body.get("status") == "no_data":
        kind, searched = body.get("type"), body.get("message")
        return NoData(
            kind if isinstance(kind, str) else None,
            metadata,
            call,
            searched if isinstance(searched, str) else None,
        )
    if body.get("status") == "error" or "error" in body:
        code, message, error = body.get("code"), body.get("message"), body.get("error")
        sentence = message if isinstance(message, str) else error if isinstance(error, str) else "The tool failed."
        return Failure(code if isinstance(code, str) else "UNKNOWN", sentence, metadata, body, call)
    return Data(of, body, call)
