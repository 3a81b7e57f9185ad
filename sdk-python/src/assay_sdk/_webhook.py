"""
Events as the service sends them, signed by Standard Webhooks 1.0: ``webhook-signature: v1,<base64 of HMAC-SHA256>`` over
``webhook-id.webhook-timestamp.body`` (https://github.com/standard-webhooks/standard-webhooks).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal

WebhookFault = Literal[
    "headers",  # a header is missing or cannot be read
    "secret",  # the secret is not of the form `whsec_<base64>`
    "time",  # signed too long ago, or in the future
    "signature",  # no signature matches this secret and this body
    "body",  # signed, but not a JSON object with a type
]


class WebhookError(Exception):
    def __init__(self, fault: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(frozen=True)
class Webhook:
    id: str
    """The same for every attempt to deliver an event: remember it, and handle an event once."""
    sent_at: datetime
    """When this attempt was signed."""
    event: dict[str, Any]
    """`type`, and the members of that type."""


def _bytes(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _key(secret: str) -> bytes:
    key = _bytes(secret[len("whsec_") :]) if secret.startswith("whsec_") else None
    if not key:
        raise WebhookError("secret", "The secret is not of the form whsec_<base64>.")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = next((value for known, value in headers.items() if known.lower() == name), "")
    if not value:
        raise WebhookError("headers", f"The header {name} is missing.")
    return value


def _event(body: bytes) -> dict[str, Any]:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookError("body", "The body is signed, but it is not an event.")
    return event


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    *,
    secret: str | Sequence[str],
    tolerance_s: float = 300.0,
    now_s: float | None = None,
) -> Webhook:
    """
    Returns the event of a request that the service signed recently and that is unchanged. Raises :class:`WebhookError`
    otherwise. ``body`` must equal the received bytes. Signatures are compared in constant time.
    """
    whole = body.encode() if isinstance(body, str) else body
    number, timestamp = _header(headers, "webhook-id"), _header(headers, "webhook-timestamp")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("headers", "The header webhook-timestamp is not a time.")
    if abs((time.time() if now_s is None else now_s) - int(timestamp)) > tolerance_s:
        raise WebhookError("time", f"The signature's time differs from now by more than {tolerance_s:g} seconds.")
    signed = f"{number}.{timestamp}.".encode() + whole
    given = [one[3:] for one in _header(headers, "webhook-signature").split(" ") if one.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else secret:
        right = hmac.new(_key(one), signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(right, _bytes(signature) or b"") for signature in given):
            return Webhook(number, datetime.fromtimestamp(int(timestamp), timezone.utc), _event(whole))
    raise WebhookError("signature", "No signature of this request matches the secret.")
