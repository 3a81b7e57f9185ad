import type { Caller, ChargeRequest, Meter } from "../../accounts/meter.ts";
import type { Chain } from "../../chains/chain.ts";
import type { CallContext } from "../../domain/context.ts";
import { AssayError, messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { ERROR_CODES, type ErrorCode, failed, type Outcome } from "../../lib/outcome.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { requestFingerprint } from "../http/idempotency_key.ts";
import type { CallSlots } from "../limits/call_slots.ts";
import { LATE, leastTimeToBegin } from "../limits/deadline.ts";
import type { EndedCall } from "../metrics/call_metrics.ts";
import * as refusals from "../refusals.ts";
import type { RequestContext } from "../request_context.ts";
import type { AnsweredCall } from "../rest/charts/recent_answers.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import { type BoundInput, bindArguments, servedBy } from "./arguments/bind.ts";
import { runOnConsistentFacts } from "./consistent_run.ts";
import { failureMetadata } from "./failure_metadata.ts";
import { openSettlement, type SettlementResult } from "./settlement.ts";

/** The caller of a tool and the values of the call. */
export interface CallAbout {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly account_id: string;
}

/** Opens the context of a tool, once per attempt. Its facts and its reads of nodes stop with the signal. */
export type ContextFor = (tool: AnyTool, signal: AbortSignal, about?: CallAbout) => CallContext;

export interface CallParts {
  readonly meter: Meter;
  readonly slots: CallSlots;
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly now_ms: () => number;
  /** The deadline that refusals state; each call has its own. */
  readonly deadline_ms: number;
  /** Aborted when the process can wait no longer: running calls are refunded. */
  readonly closing: AbortSignal;
  readonly log: Log;
  /** Called with the end of each call. */
  readonly observe: (ended: EndedCall) => void;
  /** A call was refused because too little of its time was left. */
  readonly onLate: () => void;
  /** Remembers the answer of a call, so that a picture of it can be drawn. */
  readonly remember: (call: AnsweredCall, answer: SurfaceResponse) => SurfaceResponse;
}

export interface ToolCall {
  readonly tool: AnyTool;
  readonly caller: Caller;
  readonly args: Readonly<Record<string, unknown>>;
  readonly idempotency_key: string | null;
  readonly catalog_version: string | null;
  readonly request: Pick<RequestContext, "id" | "deadline" | "call">;
}

type ToolArguments = Readonly<Record<string, unknown>>;

/** The end of a run: the outcome of the tool, or a failure of this service (5xx). */
type RunResult =
  | { readonly kind: "outcome"; readonly outcome: Outcome<unknown> }
  | { readonly kind: "broken"; readonly answer: SurfaceResponse; readonly reason: string };

/**
 * Returns the function that calls tools for every surface: it takes a slot, binds, charges, runs, settles or refunds.
 * The function throws when the accounts do not answer before the run.
 */
export const openToolCalls =
  (parts: CallParts) =>
  (call: ToolCall): Promise<SurfaceResponse> =>
    callTool(call, parts);

const callTool = async (call: ToolCall, parts: CallParts): Promise<SurfaceResponse> => {
  const { tool, args, request, caller, idempotency_key } = call;
  const { account_id } = caller;
  request.call = { tool: tool.name, network: args.network };
  const answer = await parts.slots.run(account_id, () => chargeAndRun(call, parts));
  if (answer === "share") return refusals.shareTaken;
  if (answer === "slots") return refusals.overloaded;
  return parts.remember({ tool: tool.name, account_id, request_id: request.id, idempotency_key }, answer);
};

const chargeAndRun = async (call: ToolCall, parts: CallParts): Promise<SurfaceResponse> => {
  const { tool } = call;
  const { deadline } = call.request;
  const bound = bindArguments(tool, call.args, { chains: parts.chains, now_ms: parts.now_ms() });
  if (bound.kind === "refused") return refusals.invalidArguments(tool.name, bound.detail);
  const started_ms = parts.now_ms();
  const observe = (ending: string, { charged = 0, refunded = 0 } = {}) =>
    parts.observe({ tool: tool.name, ending, seconds: (parts.now_ms() - started_ms) / 1000, charged, refunded });
  if (deadline.left_ms() < leastTimeToBegin(parts.deadline_ms)) {
    parts.onLate();
    return refusals.tooLate;
  }
  const charging = parts.meter.charge(chargeRequest(call, bound.input));
  const charge = await deadline.wait(charging);
  if (charge === LATE) {
    parts.onLate();
    void openSettlement(call.request, parts).refundWhenCharged(charging);
    return refusals.chargedLate;
  }
  if (charge.kind !== "charged") {
    observe(charge.kind);
    return refusals.notCharged(charge, parts.now_ms());
  }
  const ended = await runUnderDeadline(call, bound, parts);
  const settlement = openSettlement(call.request, parts);
  const refund = refundReason(ended);
  const settled = await settlement.settle(charge.charge_id, refund);
  observe(endingOf(settled, refund), creditsOf(settled, { refund, credits: charge.credits }));
  if (settled.kind !== "settled") return settled.kind === "lease_lost" ? refusals.leaseLost : refusals.outcomeUnknown;
  const { credit_status } = settled;
  if (ended.kind === "broken") return { ...ended.answer, credit_status };
  const answer = { status: 200, body: bodyOf(ended.outcome), credit_status };
  if (refund !== null) return { ...answer, charged: 0 };
  const retract = async () => {
    const retraction = await settlement.retract(charge.charge_id);
    observe("retracted", { refunded: retraction.kind === "settled" ? charge.credits : 0 });
    return retracted(retraction, { call, input: bound.input, parts });
  };
  return { ...answer, charged: charge.credits, retract };
};

const endingOf = (settled: SettlementResult, refund: string | null): string => {
  if (settled.kind !== "settled") return settled.kind;
  return refund === null ? "done" : `refunded:${refund}`;
};

/** Credits of the charge, and those of them that are known to be refunded. */
const creditsOf = (
  settled: SettlementResult,
  { refund, credits }: { readonly refund: string | null; readonly credits: number },
) => {
  const is_refunded = settled.kind === "lease_lost" || (settled.kind === "settled" && refund !== null);
  return { charged: credits, refunded: is_refunded ? credits : 0 };
};

/** The answer that replaces one that came too late. */
const retracted = (settled: SettlementResult, run: ToolRun): SurfaceResponse => {
  if (settled.kind !== "settled") return refusals.outcomeUnknown;
  const outcome = withMetadata(failed("TIMEOUT", timeoutText(run.parts)), run.call, run);
  return { status: 200, body: bodyOf(outcome), charged: 0, credit_status: settled.credit_status };
};

const timeoutText = ({ deadline_ms }: CallParts): string =>
  `The answer was not ready within ${deadline_ms / 1000} seconds of the request. Nothing is charged; try again.`;

const chargeRequest = (
  { tool, caller, idempotency_key, catalog_version, request }: ToolCall,
  input: ToolArguments,
): ChargeRequest => ({
  caller,
  tool: tool.name,
  idempotency_key,
  fingerprint: requestFingerprint(tool.name, input),
  catalog_version,
  request_id: request.id,
});

const TIMED_OUT = Symbol("deadline passed");
const CLOSING = Symbol("process stops");

const runUnderDeadline = async (call: ToolCall, { input, asked }: BoundInput, parts: CallParts): Promise<RunResult> => {
  const { tool } = call;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(TIMED_OUT), Math.max(0, call.request.deadline.left_ms()));
  const onClosing = () => stop.abort(CLOSING);
  parts.closing.addEventListener("abort", onClosing, { once: true });
  if (parts.closing.aborted) onClosing();
  const stopped = new Promise<never>((_, reject) => {
    const onStop = () => reject(new Error("stopped"));
    if (stop.signal.aborted) onStop();
    else stop.signal.addEventListener("abort", onStop, { once: true });
  });
  try {
    const run = runOnConsistentFacts(tool, asked, () =>
      parts.contextFor(tool, stop.signal, { asked, account_id: call.caller.account_id }),
    );
    // A tool that ignores its signal continues alone, and no code waits for it.
    const { outcome } = await Promise.race([run, stopped]);
    return { kind: "outcome", outcome: withMetadata(outcome, call, { input, parts }) };
  } catch (error) {
    return brokenBy(error, stop.signal, { call, input, parts });
  } finally {
    clearTimeout(timer);
    parts.closing.removeEventListener("abort", onClosing);
  }
};

interface ToolRun {
  readonly call: ToolCall;
  readonly input: ToolArguments;
  readonly parts: CallParts;
}

const withMetadata = (outcome: Outcome<unknown>, call: ToolCall, run: Omit<ToolRun, "call">): Outcome<unknown> =>
  outcome.kind === "error" && outcome.metadata === null
    ? { ...outcome, metadata: failureMetadata(call.tool, run.input, servedBy(call.tool, run.parts.chains)) }
    : outcome;

const isErrorCode = (code: string): code is ErrorCode => ERROR_CODES.some((known) => known === code);

/** The end of a run that threw: an error outcome for failures outside this service, 5xx for its own. */
const brokenBy = (error: unknown, signal: AbortSignal, { call, input, parts }: ToolRun): RunResult => {
  const outcome = (code: ErrorCode, message: string): RunResult => ({
    kind: "outcome",
    outcome: withMetadata(failed(code, message), call, { input, parts }),
  });
  if (signal.reason === CLOSING) return { kind: "broken", answer: refusals.closing, reason: "closing" };
  if (signal.reason === TIMED_OUT) return outcome("TIMEOUT", timeoutText(parts));
  const facts = { request_id: call.request.id, tool: call.tool.name, error: messageOf(error) };
  if (error instanceof AssayError && isErrorCode(error.code)) {
    parts.log.warn({ ...facts, code: error.code }, "tool failed");
    return outcome(error.code, error.public);
  }
  const stack = error instanceof Error ? error.stack : undefined;
  parts.log.error(
    { ...facts, stack, cause: error instanceof Error ? messageOf(error.cause) : undefined },
    "tool broke",
  );
  return error instanceof AssayError && error.retryable
    ? { kind: "broken", answer: refusals.storeAway, reason: error.code.toLowerCase() }
    : { kind: "broken", answer: refusals.internal, reason: "internal" };
};

/** Why the call is refunded, or null when it is charged. */
const refundReason = (ended: RunResult): string | null => {
  if (ended.kind === "broken") return ended.reason;
  const { outcome } = ended;
  if (outcome.kind === "error") return outcome.code.toLowerCase();
  return outcome.kind === "data" && hasErrorField(outcome.data) ? "error_field" : null;
};

// A 200 answer with an `error` field is refunded.
const hasErrorField = (data: unknown): boolean =>
  data !== null && typeof data === "object" && Object.hasOwn(data, "error") && Reflect.get(data, "error") !== undefined;

const bodyOf = (outcome: Outcome<unknown>): unknown => {
  switch (outcome.kind) {
    case "data":
      return outcome.data;
    case "no_data": {
      const { type, message, metadata } = outcome;
      return { status: "no_data", type, message, metadata };
    }
    case "error": {
      const { code, message, metadata, partial } = outcome;
      const marker = { status: "error", code, message, metadata };
      return partial !== null && typeof partial === "object" ? { ...marker, ...partial, ...marker } : marker;
    }
  }
};
