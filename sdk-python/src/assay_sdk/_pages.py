from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from ._decode import decode
from ._errors import AssayError
from ._result import Data, Failure, NoData, Result

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Paged:
    """Description of a paged tool."""

    tool: str
    rows: str
    """The member that holds the rows of a page."""
    has_block: bool
    """Later pages use the first page's block, so that every row is on exactly one page."""
    has_dates: bool
    """Later pages use the first page's window."""


def next_of(result: Result[T], paged: Paged) -> dict[str, Any] | None:
    """Returns the arguments that change for the next page, or None on the last page."""
    if not isinstance(result, Data):
        return None
    pagination, metadata = result.raw.get("pagination"), result.raw.get("metadata")
    if not isinstance(pagination, dict) or pagination.get("has_more_data") is not True:
        return None
    after: dict[str, Any] = {"page": pagination["page"] + 1}
    told = metadata if isinstance(metadata, dict) else {}
    as_of, window = told.get("as_of"), told.get("date_range")
    if paged.has_block and isinstance(as_of, dict):
        after["as_of_block"] = as_of["block_number"]
    if paged.has_dates and isinstance(window, dict):
        after |= {"from_date": window["from"], "to_date": window["to"]}
    return after


def rows_of(result: Result[T], paged: Paged, row: type[R]) -> list[R]:
    """Raises `tool_error` if the tool cannot answer a page."""
    if isinstance(result, NoData):
        return []
    if isinstance(result, Failure):
        raise AssayError(
            result.message,
            code="tool_error",
            status=200,
            detail=result.raw,
            is_charged=False,
            idempotency_key=result.call.idempotency_key,
            request_id=result.call.request_id,
            attempts=result.call.attempts,
        )
    # An answer without a page (a note instead) has no rows.
    rows = result.raw.get(paged.rows)
    return [decode(row, one) for one in rows] if isinstance(rows, list) else []
