import { createHash } from "node:crypto";
import type { Caller, ChargeRequest, Meter } from "../accounts/meter.ts";
import type { Chain } from "../chains/chain.ts";
import type { CallContext } from "../domain/context.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { ERROR_CODES, type ErrorCode, failed, type Outcome } from "../lib/outcome.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";
import { runOnSteadyFacts } from "./attempt.ts";
import { type BoundInput, bindArguments, servedBy } from "./bind.ts";
import { failureMetadata } from "./failure_metadata.ts";
import { toCanonicalJson } from "./json.ts";
import type { EndedCall } from "./metrics/call_metrics.ts";
import { openSettlement, type Settled } from "./settlement.ts";
import { LATE, leastOf, type TimeLeft } from "./time_left.ts";

/** Makes what a tool may touch, once per attempt. Its facts and its reads of nodes stop with the signal. */
export type ContextFor = (tool: AnyTool, signal: AbortSignal) => CallContext;

export interface CallParts {
  readonly meter: Meter;
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly now_ms: () => number;
  /** What callers are told; the time itself is the call's. */
  readonly deadline_ms: number;
  /** Aborted when the process can wait no longer: what still runs is refunded. */
  readonly closing: AbortSignal;
  readonly log: Log;
  /** How a call ended. */
  readonly observe: (ended: EndedCall) => void;
  /** A call was turned away because too little of its time was left. */
  readonly onLate: () => void;
}

export interface Call {
  readonly tool: AnyTool;
  readonly caller: Caller;
  readonly args: Readonly<Record<string, unknown>>;
  readonly idempotency_key: string | null;
  readonly catalog_version: string | null;
  readonly request_id: string;
  readonly time: TimeLeft;
}

type Input = Readonly<Record<string, unknown>>;

/** How a run ended: a tool's outcome, or a failure of ours (5xx). */
type Ended =
  | { readonly kind: "outcome"; readonly outcome: Outcome<unknown> }
  | { readonly kind: "broken"; readonly answer: Answer; readonly reason: string };

/** The one path of every surface: bind, charge, run, settle or refund, answer. Throws when the accounts do not answer before the run. */
export const callTool = async (call: Call, parts: CallParts): Promise<Answer> => {
  const { tool, time } = call;
  const chains = servedBy(tool, parts.chains);
  const bound = bindArguments(tool, call.args, { chains, now_ms: parts.now_ms() });
  if (bound.kind === "refused") return answers.invalidArguments(tool.name, bound.detail);
  const started_ms = parts.now_ms();
  const observe = (ending: string, { charged = 0, refunded = 0 } = {}) =>
    parts.observe({ tool: tool.name, ending, seconds: (parts.now_ms() - started_ms) / 1000, charged, refunded });
  const settlement = openSettlement(call, parts);
  if (time.left_ms() < leastOf(parts.deadline_ms)) {
    parts.onLate();
    return answers.tooLate;
  }
  const charging = parts.meter.charge(chargeRequest(call, bound.input));
  const charge = await time.wait(charging);
  if (charge === LATE) {
    parts.onLate();
    void settlement.refundWhenCharged(charging);
    return answers.chargedLate;
  }
  if (charge.kind !== "charged") {
    observe(charge.kind);
    return answers.notCharged(charge, parts.now_ms());
  }
  const ended = await runUnderDeadline(call, bound, parts);
  const refund = refundReason(ended);
  const settled = await settlement.settle(charge.charge_id, refund);
  observe(endingOf(settled, refund), creditsOf(settled, { refund, credits: charge.credits }));
  if (settled.kind !== "settled") return settled.kind === "lease_lost" ? answers.leaseLost : answers.outcomeUnknown;
  const { standing } = settled;
  if (ended.kind === "broken") return { ...ended.answer, standing };
  const answer = { status: 200, body: bodyOf(ended.outcome), standing };
  if (refund !== null) return { ...answer, charged: 0 };
  const retract = async () => {
    const retraction = await settlement.retract(charge.charge_id);
    observe("retracted", { refunded: retraction.kind === "settled" ? charge.credits : 0 });
    return retracted(retraction, { call, input: bound.input, parts });
  };
  return { ...answer, charged: charge.credits, retract };
};

const endingOf = (settled: Settled, refund: string | null): string => {
  if (settled.kind !== "settled") return settled.kind;
  return refund === null ? "done" : `refunded:${refund}`;
};

/** What the charge took, and what of it is known to be given back. */
const creditsOf = (
  settled: Settled,
  { refund, credits }: { readonly refund: string | null; readonly credits: number },
) => {
  const is_given_back = settled.kind === "lease_lost" || (settled.kind === "settled" && refund !== null);
  return { charged: credits, refunded: is_given_back ? credits : 0 };
};

/** What goes out in the place of an answer that came too late. */
const retracted = (settled: Settled, run: Run): Answer => {
  if (settled.kind !== "settled") return answers.outcomeUnknown;
  const outcome = withMetadata(failed("TIMEOUT", timeoutText(run.parts)), run.call, run);
  return { status: 200, body: bodyOf(outcome), charged: 0, standing: settled.standing };
};

const timeoutText = ({ deadline_ms }: CallParts): string =>
  `The answer was not ready within ${deadline_ms / 1000} seconds of the request. Nothing is charged; try again.`;

const chargeRequest = (
  { tool, caller, idempotency_key, catalog_version, request_id }: Call,
  input: Input,
): ChargeRequest => ({
  caller,
  tool: tool.name,
  idempotency_key,
  fingerprint: createHash("sha256")
    .update(toCanonicalJson([tool.name, input]))
    .digest("hex"),
  catalog_version,
  request_id,
});

const TIMED_OUT = Symbol("deadline passed");
const CLOSING = Symbol("process stops");

const runUnderDeadline = async (call: Call, { input, asked }: BoundInput, parts: CallParts): Promise<Ended> => {
  const { tool } = call;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(TIMED_OUT), Math.max(0, call.time.left_ms()));
  const onClosing = () => stop.abort(CLOSING);
  parts.closing.addEventListener("abort", onClosing, { once: true });
  if (parts.closing.aborted) onClosing();
  const stopped = new Promise<never>((_, reject) => {
    const onStop = () => reject(new Error("stopped"));
    if (stop.signal.aborted) onStop();
    else stop.signal.addEventListener("abort", onStop, { once: true });
  });
  try {
    const run = runOnSteadyFacts(tool, asked, () => parts.contextFor(tool, stop.signal));
    // A tool that ignores its signal runs on alone; nobody waits for it.
    const { outcome } = await Promise.race([run, stopped]);
    return { kind: "outcome", outcome: withMetadata(outcome, call, { input, parts }) };
  } catch (error) {
    return brokenBy(error, stop.signal, { call, input, parts });
  } finally {
    clearTimeout(timer);
    parts.closing.removeEventListener("abort", onClosing);
  }
};

interface Run {
  readonly call: Call;
  readonly input: Input;
  readonly parts: CallParts;
}

const withMetadata = (outcome: Outcome<unknown>, call: Call, run: Omit<Run, "call">): Outcome<unknown> =>
  outcome.kind === "error" && outcome.metadata === null
    ? { ...outcome, metadata: failureMetadata(call.tool, run.input, servedBy(call.tool, run.parts.chains)) }
    : outcome;

const isErrorCode = (code: string): code is ErrorCode => ERROR_CODES.some((known) => known === code);

/** What a throw means to the caller: a marker for the outside world's failures, 5xx for ours. */
const brokenBy = (error: unknown, signal: AbortSignal, { call, input, parts }: Run): Ended => {
  const outcome = (code: ErrorCode, message: string): Ended => ({
    kind: "outcome",
    outcome: withMetadata(failed(code, message), call, { input, parts }),
  });
  if (signal.reason === CLOSING) return { kind: "broken", answer: answers.closing, reason: "closing" };
  if (signal.reason === TIMED_OUT) return outcome("TIMEOUT", timeoutText(parts));
  const facts = { request_id: call.request_id, tool: call.tool.name, error: messageOf(error) };
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
    ? { kind: "broken", answer: answers.storeAway, reason: error.code.toLowerCase() }
    : { kind: "broken", answer: answers.internal, reason: "internal" };
};

/** Why the call is refunded, or null when it is charged. */
const refundReason = (ended: Ended): string | null => {
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
