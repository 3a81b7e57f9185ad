import type { Chain } from "../chains/chain.ts";
import { messageOf } from "../lib/errors.ts";
import { failed, type Outcome } from "../lib/outcome.ts";
import { bindArguments } from "../surfaces/call/arguments/bind.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";
import { runOnConsistentFacts } from "../surfaces/call/consistent_run.ts";
import type { AnyTool } from "../tools/tool.ts";

export interface OwnCalls {
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly call_timeout_ms: number;
  readonly now_ms: () => number;
  readonly stop: AbortSignal;
}

/**
 * A call that the process makes itself, without a charge. An unexpected error becomes an error outcome with its
 * internal text, for operators.
 */
export const ownCall = async (
  { chains, contextFor, call_timeout_ms, now_ms, stop }: OwnCalls,
  tool: AnyTool,
  args: Readonly<Record<string, unknown>>,
): Promise<Outcome<unknown>> => {
  const bound = bindArguments(tool, args, { chains, now_ms: now_ms() });
  if (bound.kind === "refused") return failed("UPSTREAM_UNAVAILABLE", bound.detail);
  try {
    const fresh = () => contextFor(tool, AbortSignal.any([stop, AbortSignal.timeout(call_timeout_ms)]));
    return (await runOnConsistentFacts(tool, bound.asked, fresh)).outcome;
  } catch (error) {
    return failed("UPSTREAM_UNAVAILABLE", messageOf(error));
  }
};
