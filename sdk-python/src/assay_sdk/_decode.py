"""JSON as the generated dataclasses say. Fields that they do not know are left out; values are never changed."""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ._errors import ShapeError

T = TypeVar("T")


@functools.cache
def _members(of: type) -> tuple[tuple[str, str, Any, bool], ...]:
    """Name here, name on the wire, type, and whether it is always there."""
    hints = get_type_hints(of)
    return tuple(
        (
            member.name,
            str(member.metadata.get("json", member.name)),
            hints[member.name],
            member.default is dataclasses.MISSING,
        )
        for member in dataclasses.fields(cast(Any, of))
    )


def _object(of: type, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise ShapeError(f"{path}: an object was expected")
    given: dict[str, Any] = {}
    for name, wire, hint, is_required in _members(of):
        if wire in value:
            given[name] = _value(hint, value[wire], f"{path}.{wire}")
        elif is_required:
            raise ShapeError(f"{path}.{wire} is missing")
    return of(**given)


def _union(hints: tuple[Any, ...], value: Any, path: str) -> Any:
    if value is None and type(None) in hints:
        return None
    faults = []
    for hint in hints:
        if hint is type(None):
            continue
        try:
            return _value(hint, value, path)
        except ShapeError as fault:
            faults.append(str(fault))
    raise ShapeError("; ".join(faults) or f"{path}: null was expected")


def _value(hint: Any, value: Any, path: str) -> Any:
    origin = get_origin(hint)
    if hint is Any:
        return value
    if origin is Union or origin is types.UnionType:
        return _union(get_args(hint), value, path)
    if origin is Literal:
        # Words may be added: an unknown one is shown, not refused.
        if type(value) not in {type(word) for word in get_args(hint)}:
            raise ShapeError(f"{path}: one of {get_args(hint)} was expected")
        return value
    if origin is list:
        if not isinstance(value, list):
            raise ShapeError(f"{path}: a list was expected")
        (item,) = get_args(hint)
        return [_value(item, one, f"{path}[{at}]") for at, one in enumerate(value)]
    if origin is dict:
        if not isinstance(value, dict):
            raise ShapeError(f"{path}: an object was expected")
        item = get_args(hint)[1]
        return {name: _value(item, one, f"{path}.{name}") for name, one in value.items()}
    if dataclasses.is_dataclass(hint):
        return _object(cast(type, hint), value, path)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise ShapeError(f"{path}: {getattr(hint, '__name__', hint)} was expected")
    return value


def decode(of: type[T], value: Any) -> T:
    return cast(T, _object(of, value, "answer"))
