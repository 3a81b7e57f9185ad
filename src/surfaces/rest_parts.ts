import type { Meter } from "../accounts/meter.ts";
import type { Chain } from "../chains/chain.ts";
import type { Log } from "../lib/log.ts";
import type { ReadStatus } from "../lib/status.ts";
import type { Tracing } from "../lib/trace.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { HolderDesk } from "./account/operations.ts";
import type { ContextFor } from "./call.ts";
import type { AllowedNames } from "./mcp_guard.ts";
import type { CastRow } from "./mcp_resources.ts";
import type { MetricsParts } from "./metrics/metrics.ts";
import type { BookFigures } from "./metrics/room_metrics.ts";
import type { WatchStanding } from "./metrics/watch_metrics.ts";
import type { RestLimits } from "./rest_limits.ts";
import type { PeopleParts } from "./sign_in/desk.ts";

/** What the surfaces are made of. */
export interface RestParts {
  /** The allowlist, in the order in which it is shown. */
  readonly tools: readonly AnyTool[];
  readonly meter: Meter;
  /** What holders of keys see and change of their own account. */
  readonly store: HolderDesk["store"];
  /** People who sign in on pages; nobody can without it. */
  readonly people?: PeopleParts;
  /** What accounts may watch; nothing without it. */
  readonly watch?: HolderDesk["watch"];
  /** Of watching, for the metrics. */
  readonly watch_standing?: WatchStanding | null;
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly status: ReadStatus;
  /** Of the memory of standing facts, for the metrics. */
  readonly book?: BookFigures;
  readonly kept?: Readonly<Record<string, BookFigures>>;
  /** What else of the process the metrics show. */
  readonly metrics?: Pick<MetricsParts, "version" | "networks" | "endpoints" | "stores">;
  readonly log: Log;
  /** False: requests are not logged. */
  readonly request_log?: boolean;
  readonly limits?: Partial<RestLimits>;
  /** Unix milliseconds; the system clock by default. */
  readonly now_ms?: () => number;
  /** Real answers of the tools' examples, by tool name, for the OpenAPI document. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Folder of the documentation; none is served without it. */
  readonly docs?: string;
  /** Folder of the built page; none is served without it. */
  readonly portal?: string;
  /** Further names for `/mcp`; this machine's own always count. */
  readonly mcp?: AllowedNames;
  readonly tracing?: Tracing;
  /** Whom the demo's chains can be asked about; MCP shows it. */
  readonly cast?: readonly CastRow[];
}
