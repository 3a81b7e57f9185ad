from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
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
from ._sync import read_body

T = TypeVar("T")
R = TypeVar("R")


class AsyncCaller:
    """Sends calls of one event loop, at most `concurrency` at a time."""

    def __init__(self, options: Options, http: httpx.AsyncClient | None) -> None:
        self._options = options
        self._http = http if http is not None else httpx.AsyncClient()
        self._is_own_http = http is None
        self._pace = Pace(options.calls_per_minute)
        self._places = asyncio.Semaphore(options.concurrency)

    async def close(self) -> None:
        """Closes its connections, except those of an `http` that the caller passed."""
        if self._is_own_http:
            await self._http.aclose()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def list_tools(self) -> ToolList:
        """Lists the public tools with their current prices. Free of charge."""
        result = await self._ask(ToolList, request_of(self._options, None, {}, None))
        if isinstance(result, Data):
            return result.data
        raise AssayError("The list of tools could not be read.", code="unexpected", status=200, is_charged=False)

    async def call(self, tool: str, asked: dict[str, Any], *, idempotency_key: str | None = None) -> Result[Any]:
        """Calls any tool by its name; only `raw` holds the answer."""
        return await self._call(tool, object, asked, idempotency_key)

    async def batch(
        self, tool: str, inputs: list[dict[str, Any]], *, idempotency_key: str | None = None
    ) -> list[BatchItem]:
        """Calls one tool for 1 to 100 inputs, as of one block per network, each charged by itself.

        One outcome per input, in their order: a result, of which only `raw` holds the answer, or the `AssayError` that a
        single call would raise. Raises `AssayError` if the whole batch has no answer.
        """
        request = request_of(self._options, f"{tool}/batch", {"items": inputs}, idempotency_key)
        return batch_of(await self._ask(object, request), len(inputs), request)

    async def _call(self, tool: str, of: type[T], asked: dict[str, Any], idempotency_key: str | None) -> Result[T]:
        return await self._ask(of, request_of(self._options, tool, asked, idempotency_key))

    async def _pages(self, paged: Paged, of: type[T], asked: dict[str, Any]) -> AsyncIterator[Result[T]]:
        while True:
            result = await self._call(paged.tool, of, asked, None)
            yield result
            after = next_of(result, paged)
            if after is None:
                return
            asked = asked | after

    async def _rows(self, paged: Paged, of: type[T], row: type[R], asked: dict[str, Any]) -> AsyncIterator[R]:
        async for result in self._pages(paged, of, asked):
            for one in rows_of(result, paged, row):
                yield one

    async def _ask(self, of: type[T], request: Request) -> Result[T]:
        async with self._places:
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
                    await asyncio.sleep(step.seconds)
                else:
                    reply = await self._send(step)

    async def _send(self, step: Send) -> Reply:
        """Sends one attempt. The time limits the whole answer."""
        request = step.request
        try:
            response = await asyncio.wait_for(
                self._http.request(
                    request.method,
                    request.url,
                    headers=request.headers,
                    content=request.content,
                    timeout=step.timeout_s,
                    follow_redirects=False,
                ),
                step.timeout_s,
            )
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            return Lost(error)
        return Answer(response.status_code, response.headers, read_body(response.content))
