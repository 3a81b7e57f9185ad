export type { Assay, AssayOptions, CallOptions, ListedTool, ToolList } from "./assay.ts";
export { openAssay } from "./assay.ts";
export type { BatchItem } from "./batch.ts";
export type { ToolErrorCode } from "./error_codes.gen.ts";
export { AssayError, type AssayErrorCode, type AssayErrorFacts } from "./errors.ts";
export type { WalkOptions } from "./pages.ts";
export type { CallFacts, DataResult, ErrorResult, NoDataResult, Result } from "./result.ts";
export * from "./tools.gen.ts";
export {
  verifyWebhook,
  type Webhook,
  WebhookError,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookFault,
  type WebhookOptions,
  type WebhookRequest,
} from "./webhook.ts";
