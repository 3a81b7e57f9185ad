from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class ListedTool:
    """A tool in the service's list (`GET /api/tools`)."""

    name: str
    title: str
    description: str
    credits: int | None
    """None while the price is not available."""
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    networks: list[str]
    example: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ToolList:
    catalog_version: str
    tools: list[ListedTool]
