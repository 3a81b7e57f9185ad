import type { Meter } from "../accounts/meter.ts";
import type { Chain } from "../chains/chain.ts";
import type { Log } from "../lib/log.ts";
import type { ReadStatus } from "../lib/status.ts";
import type { RequestTracer } from "../lib/trace.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { ContextFor } from "./call/call_tool.ts";
import type { RequestLimits } from "./limits/request_limits.ts";
import type { AllowedHosts } from "./mcp/host_guard.ts";
import type { CastRow } from "./mcp/resources.ts";
import type { CacheFigures } from "./metrics/capacity_metrics.ts";
import type { MetricsOptions } from "./metrics/metrics.ts";
import type { WatchGauges } from "./metrics/watch_metrics.ts";
import type { AccountContext } from "./rest/account/operations.ts";
import type { SignInParts } from "./rest/sign_in/routes.ts";

/** The parts that the public server is made of. */
export interface ServerParts {
  /** The public tools, in the order of their lists. */
  readonly tools: readonly AnyTool[];
  /** Calls over time: like tools, at paths of their own, in no list of tools. */
  readonly beside?: readonly AnyTool[];
  readonly meter: Meter;
  /** The accounts store, for the operations on the own account. */
  readonly store: AccountContext["store"];
  /** Sign-in on pages; without it, users cannot sign in. */
  readonly sign_in?: SignInParts;
  /** Watch rules of accounts; without it, nothing is watched. */
  readonly watch?: AccountContext["watch"];
  /** Addresses of accounts on networks on demand; without it, there are none. */
  readonly followed?: AccountContext["followed"];
  /** Searches the index; without it, nothing is found. */
  readonly search?: AccountContext["search"];
  /** Prices, candles and trades of the index. */
  readonly market?: AccountContext["market"];
  /** Figures of watching, for the metrics. */
  readonly watch_standing?: WatchGauges | null;
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly status: ReadStatus;
  /** Figures of the cache of rarely changing facts, for the metrics. */
  readonly book?: CacheFigures;
  readonly kept?: Readonly<Record<string, CacheFigures>>;
  /** Further figures of the process, for the metrics. */
  readonly metrics?: Pick<MetricsOptions, "version" | "networks" | "endpoints" | "stores">;
  readonly log: Log;
  /** False = requests are not logged. */
  readonly request_log?: boolean;
  readonly limits?: Partial<RequestLimits>;
  /** Unix milliseconds; the system clock by default. */
  readonly now_ms?: () => number;
  /** Recorded answers of the tools' examples, by tool name, for the OpenAPI document. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Folder of the documentation; without it, none is served. */
  readonly docs?: string;
  /** Folder of the built portal; without it, none is served. */
  readonly portal?: string;
  /** Further host names for `/mcp`; those of this machine are always allowed. */
  readonly mcp?: AllowedHosts;
  readonly tracing?: RequestTracer;
  /** Subjects of the demo's chains, as an MCP resource. */
  readonly cast?: readonly CastRow[];
}
