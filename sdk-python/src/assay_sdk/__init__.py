"""Client of an Assay service: one typed method per tool, each call charged at most once."""

from ._batch import BatchItem
from ._client import Assay, AsyncAssay
from ._error_codes_gen import ToolErrorCode
from ._errors import AssayError, AssayErrorCode, ShapeError
from ._listed import ListedTool, ToolList
from ._result import CallFacts, Data, Failure, NoData, Result
from ._webhook import Webhook, WebhookError, WebhookFault, verify_webhook

__all__ = [
    "Assay",
    "AssayError",
    "AssayErrorCode",
    "AsyncAssay",
    "BatchItem",
    "CallFacts",
    "Data",
    "Failure",
    "ListedTool",
    "NoData",
    "Result",
    "ShapeError",
    "ToolErrorCode",
    "ToolList",
    "Webhook",
    "WebhookError",
    "WebhookFault",
    "verify_webhook",
]
