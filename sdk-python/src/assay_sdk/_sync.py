from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, TypeVar

import httpx

from ._batch import BatchItem, batch_of
from ._errors import AssayError
from ._listed import ToolList
from ._pages import Paged, next_of, rows_of
from ._result import Data, Result
from ._rules import Answer, Lost, Reply
from ._steps import Options, Pace, Request, Send, Sleep, request_of, steps_of

T = TypeVar("T")
R = TypeVar("R")


def read_body(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


class SyncCaller:
    """Sends calls from any number of threads, at most `concurrency` at a time."""

    def __init__(self, options: Options, http: httpx.Client | None) -> None:
        self._options = options
        self._http = http if http is not None else httpx.Client()
        self._is_own_http = http is None
        self._pace = Pace(options.calls_per_minute)
        self._places = threading.Semaphore(options.concurrency)

    def close(self) -> None:
        """Closes its connections, except those of an `http` that the caller passed."""
        if self._is_own_http:
            self._http.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def list_tools(self) -> ToolList:
        """Lists the public tools with their current prices. Free of charge."""
        result = self._ask(ToolList, request_of(self._options, None, {}, None))
        if isinstance(result, Data):
            return result.data
        raise AssayError("The list of tools could not be read.", code="unexpected", status=200, is_charged=False)

    def call(self, tool: str, asked: dict[str, Any], *, idempotency_key: str | None = None) -> Result[Any]:
        """Calls any tool by its name; only `raw` holds the answer."""
        return self._call(tool, object, asked, idempotency_key)

    def batch(
        self, tool: str, inputs: list[dict[str, Any]], *, idempotency_key: str | None = None
    ) -> list[BatchItem]:
        """Calls one tool for 1 to 100 inputs, as of one block per network, each charged by itself.

        One outcome per input, in their order: a result, of which only `raw` holds the answer, or the `AssayError` that a
        single call would raise. Raises `AssayError` if the whole batch has no answer.
        """
        request = request_of(self._options, f"{tool}/batch", {"items": inputs}, idempotency_key)
        return batch_of(self._ask(object, request), len(inputs), request)

    def _call(self, tool: str, of: type[T], asked: dict[str, Any], idempotency_key: str | None) -> Result[T]:
        return self._ask(of, request_of(self._options, tool, asked, idempotency_key))

    def _pages(self, paged: Paged, of: type[T], asked: dict[str, Any]) -> Iterator[Result[T]]:
        while True:
            result = self._call(paged.tool, of, asked, None)
            yield result
            after = next_of(result, paged)
            if after is None:
                return
            asked = asked | after

    def _rows(self, paged: Paged, of: type[T], row: type[R], asked: dict[str, Any]) -> Iterator[R]:
        for result in self._pages(paged, of, asked):
            yield from rows_of(result, paged, row)

    def _ask(self, of: type[T], request: Request) -> Result[T]:
        with self._places:
            steps = steps_of(of, request, self._options, self._pace)
            reply: Reply | None = None
            while True:
                try:
                    step = steps.send(reply)
                except StopIteration as ended:
                    result: Result[T] = ended.value
                    return result
                reply = None
                if isinstance(step, Sleep):
                    time.sleep(step.seconds)
                else:
                    reply = self._send(step)

    def _send(self, step: Send) -> Reply:
        """Sends one attempt. The time limits the whole answer; httpx itself only limits the pauses in it."""
        request = step.request
        until = time.monotonic() + step.timeout_s
        try:
            with self._http.stream(
                request.method,
                request.url,
                headers=request.headers,
                content=request.content,
                timeout=step.timeout_s,
                follow_redirects=False,
            ) as response:
                parts = []
                for part in response.iter_bytes():
                    parts.append(part)
                    if time.monotonic() > until:
                        return Lost(TimeoutError("timed out"))
                return Answer(response.status_code, response.headers, read_body(b"".join(parts)))
        except httpx.HTTPError as error:
            return Lost(error)
