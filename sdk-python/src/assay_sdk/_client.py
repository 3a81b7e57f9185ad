from __future__ import annotations

import httpx

from ._async_tools_gen import AsyncTools
from ._steps import Options
from ._sync_tools_gen import SyncTools


class Assay(SyncTools):
    """A service and a key. Thread-safe; `with Assay(...) as assay` closes its connections."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_s: float = 40.0,
        total_s: float = 120.0,
        attempts: int = 4,
        concurrency: int = 4,
        calls_per_minute: int | None = None,
        catalog_version: str | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """
        :param url: where the service listens, such as ``http://127.0.0.1:8787``
        :param key: a key with scope ``api:call``
        :param timeout_s: for one attempt, its whole body included; the service gives up after 30 seconds
        :param total_s: for a call with all its attempts and pauses; waiting for a turn does not count
        :param attempts: of a call; refusals for going too fast do not count
        :param concurrency: calls at one time
        :param calls_per_minute: the key's rate limit; left out, it is learned from the first refusal
        :param catalog_version: refuse calls when prices are no longer those of this version
        :param http: another client, such as one that goes through a proxy
        """
        options = Options(url, key, timeout_s, total_s, attempts, concurrency, calls_per_minute, catalog_version)
        super().__init__(options, http)

    def __enter__(self) -> Assay:
        return self


class AsyncAssay(AsyncTools):
    """The same for one event loop; ``async with AsyncAssay(...) as assay`` closes its connections."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_s: float = 40.0,
        total_s: float = 120.0,
        attempts: int = 4,
        concurrency: int = 4,
        calls_per_minute: int | None = None,
        catalog_version: str | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """Parameters are those of :class:`Assay`."""
        options = Options(url, key, timeout_s, total_s, attempts, concurrency, calls_per_minute, catalog_version)
        super().__init__(options, http)

    async def __aenter__(self) -> AsyncAssay:
        return self
