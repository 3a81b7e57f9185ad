"""A call as a sequence of steps (send, sleep) without I/O, which both clients share."""

from __future__ import annotations

import json
import random
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar, Union

from ._paths_gen import PATHS
from ._result import Result
from ._rules import Attempt, Done, Refused, Reply, judge, limit_in, pause_s

T = TypeVar("T")

_WINDOW_S = 60.5
"""A minute, plus a margin: requests may arrive closer together than they left."""


@dataclass(frozen=True)
class Options:
    url: str
    key: str
    timeout_s: float
    total_s: float
    attempts: int
    concurrency: int
    calls_per_minute: int | None
    catalog_version: str | None

    def __post_init__(self) -> None:
        if not re.match(r"https?://", self.url):
            raise ValueError(f"'{self.url}' is not a URL of a service")
        if not re.fullmatch(r"[\x21-\x7e]+", self.key):
            raise ValueError("The key is empty or contains characters that no key has")


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    idempotency_key: str | None
    is_own_key: bool


@dataclass(frozen=True)
class Send:
    request: Request
    timeout_s: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


Steps = Generator[Union[Send, Sleep], Union[Reply, None], Result[T]]


class Pace:
    """Limits how many requests start in any minute."""

    def __init__(self, calls_per_minute: int | None) -> None:
        self._calls_per_minute = calls_per_minute
        self._started: deque[float] = deque()
        self._lock = threading.Lock()

    def learn(self, calls_per_minute: int | None) -> None:
        """Adopts the key's limit from a refusal, unless the caller set one."""
        if self._calls_per_minute is None and calls_per_minute:
            self._calls_per_minute = calls_per_minute

    def start(self) -> float:
        """Seconds until one more request may start; 0 = now, and it counts as started."""
        now = time.monotonic()
        with self._lock:
            while self._started and self._started[0] <= now - _WINDOW_S:
                self._started.popleft()
            most = self._calls_per_minute
            if most is not None and len(self._started) >= most:
                return self._started[-most] + _WINDOW_S - now
            self._started.append(now)
            return 0.0


def request_of(options: Options, tool: str | None, asked: dict[str, Any], idempotency_key: str | None) -> Request:
    """Request for a call of a tool, or without one for the list of tools. Omits arguments that are None."""
    headers = {"authorization": f"Bearer {options.key}"}
    if options.catalog_version is not None:
        headers["x-credit-catalog-version"] = options.catalog_version
    url = f"{options.url.rstrip('/')}/api"
    if tool is None:
        return Request("GET", f"{url}/tools", headers, None, None, False)
    key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
    given = {name: value for name, value in asked.items() if value is not None}
    headers |= {"content-type": "application/json", "idempotency-key": key}
    content = json.dumps(given).encode()
    return Request("POST", f"{url}/{PATHS.get(tool, f'tools/{tool}')}", headers, content, key, idempotency_key is not None)


def steps_of(of: type[T], request: Request, options: Options, pace: Pace) -> Steps[T]:
    until = float("inf")
    may_have_run = False
    number = failed = 0
    while True:
        number += 1
        while (wait := pace.start()) > 0:
            yield Sleep(wait)
        if number == 1:
            until = time.monotonic() + options.total_s
        attempt = Attempt(number, request.idempotency_key, request.is_own_key, may_have_run)
        left = max(0.001, until - time.monotonic())
        reply = yield Send(request, min(options.timeout_s, left))
        assert reply is not None, "a sending is followed by what came of it"
        pace.learn(limit_in(reply))
        verdict = judge(of, reply, attempt, time.time())
        if isinstance(verdict, Done):
            return verdict.result
        if isinstance(verdict, Refused):
            raise verdict.error
        may_have_run = verdict.may_have_run
        # Waiting for a running call or for a turn is not a failure.
        if verdict.error.code != "rate_limited" and verdict.error.status != 409:
            failed += 1
        pause = pause_s(number, random.random()) if verdict.after_s is None else verdict.after_s
        if failed >= options.attempts or time.monotonic() + pause >= until:
            raise verdict.error
        yield Sleep(pause)
