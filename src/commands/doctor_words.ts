/** Output of `doctor`: facts of each node, its faults in one sentence each, tools by name, and the estimate. */

import type { Family } from "../chains/chain.ts";
import { FAMILY_TRAITS } from "../chains/family_traits.ts";
import type { EndpointReport, EndpointTraits } from "../chains/open_chain.ts";
import type { EstimateRange, IndexEstimate } from "./doctor_estimate.ts";
import type { SustainedRate } from "./doctor_measure.ts";
import type { ServedTool } from "./doctor_tools.ts";

export interface NodeFinding extends EndpointReport {
  readonly family: Family;
  /** Null where it was not measured: `--quick`, or the node did not answer. */
  readonly sustained: SustainedRate | null;
  /** Oldest block whose state the node was seen to have, when that is not the oldest block; null when not measured, or none. */
  readonly oldest_state: number | null;
}

/** A slower answer is worth a sentence. */
const SLOW_SECONDS = 1;

const rounded = (value: number): string => (value >= 10 ? String(Math.round(value)) : value.toFixed(1));

const unitOf = (value: number, units: readonly (readonly [number, string])[]): string => {
  const [size, name] = units.find(([least]) => value >= least) ?? units.at(-1) ?? [1, ""];
  return `${rounded(value / size)} ${name}`;
};

const TIMES = [
  [31_557_600, "years"],
  [86_400, "days"],
  [3_600, "hours"],
  [60, "minutes"],
  [1, "seconds"],
] as const;
const SIZES = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "KB"],
] as const;

const rangeOf = ({ from, to }: EstimateRange, units: typeof TIMES | typeof SIZES): string =>
  `${unitOf(from, units)} to ${unitOf(to, units)}`;

const count = (value: number): string => Math.round(value).toLocaleString("en-US");

const latency = (seconds: number | null): string => (seconds === null ? "not known" : `at most ${seconds * 1000} ms`);

/** How the blocks that were read came with their internal calls; null where none had transactions. */
const tracedText = ({ traced }: SustainedRate): string | null => {
  if (traced.blocks === 0) return null;
  if (traced.with_traces === traced.blocks) return `traces in all ${traced.blocks} blocks with transactions`;
  return `traces in ${traced.with_traces} of ${traced.blocks} blocks with transactions`;
};

const failed = ({ errors }: SustainedRate): string => {
  const some = Object.entries(errors).filter(([, times]) => times > 0);
  return some.length === 0 ? "no failures" : `failures: ${some.map(([kind, times]) => `${kind} ${times}`).join(", ")}`;
};

const sustainedLines = (sustained: SustainedRate): string[] => {
  const { seconds, blocks, batch, limit_per_second: limit, limit_counts, waited_seconds } = sustained;
  const traced = tracedText(sustained);
  return [
    `    measured for ${rounded(seconds)} s: ${rounded(sustained.blocks_per_second)} blocks/s (${blocks} blocks with all that is indexed of them)`,
    `    ${rounded(sustained.requests_per_second)} requests/s with ${rounded(sustained.calls_per_second)} calls/s, ${rounded(sustained.requests_per_block)} requests a block, up to ${batch} calls a request; ${failed(sustained)}`,
    `    an answer takes ${latency(sustained.p50_seconds)} (median), ${latency(sustained.p95_seconds)} (95 %); ${
      limit === null
        ? "no rate limit seen"
        : `limit ${rounded(limit)} ${limit_counts}/s, ${rounded(waited_seconds)} s of waiting for it`
    }`,
    ...(traced === null ? [] : [`    ${traced}`]),
    ...sustained.failures.map((failure) => `    ! ${failure}`),
  ];
};

const archiveText = (traits: EndpointTraits, oldest_state: number | null): string => {
  if (isUnknown(traits, "archive")) return "archive not known";
  if (traits.archive) return "archive yes";
  return oldest_state === null ? "archive no" : `archive no (states from block ${oldest_state} on)`;
};

/** Facts of one node, and what is wrong with it. */
export const nodeLines = ({ endpoint, problem, traits, sustained, oldest_state }: NodeFinding): string[] => {
  if (traits === null) return [`  ${endpoint}`, `    ! ${problem ?? "no answer"}`];
  return [
    `  ${endpoint}  ${traits.client ?? "unknown client"}`,
    `    chain id ${traits.chain_id}, head ${traits.head}, final ${traits.finalized ?? "by depth"}, ${traits.ms_per_call.toFixed(1)} ms per call, batches of ${traits.batch}`,
    `    receipts by ${traits.receipts}, traces ${tracesText(traits)}, ${archiveText(traits, oldest_state)}`,
    ...(traits.verifies === undefined || traits.verifies === null
      ? []
      : [`    the newest block, recomputed from its hash: ${traits.verifies}`]),
    ...(sustained === null ? [] : sustainedLines(sustained)),
    ...(problem === null ? [] : [`    ! ${problem}`]),
  ];
};

const isUnknown = ({ unknown = [] }: EndpointTraits, trait: string): boolean => unknown.includes(trait);

const tracesText = (traits: EndpointTraits): string => {
  if (isUnknown(traits, "traces")) return `${traits.traces ?? "none"} (not known for certain)`;
  return traits.traces ?? "none: inner transfers stay unknown";
};

const lacksOf = (traits: EndpointTraits, family: Family): string[] => [
  ...(traits.traces === null ? ["traces (coins that contracts send each other stay unknown)"] : []),
  ...(traits.archive || !FAMILY_TRAITS[family].has_old_states
    ? []
    : ["old states (balances of before from_block and answers at old blocks stay unknown)"]),
];

const describeSingles = ({ batch, receipts }: EndpointTraits): string[] => {
  if (batch === 1 && receipts === "transaction")
    return ["takes one call a request, and receipts one by one: a block costs as many requests as it has transactions"];
  if (batch === 1) return ["takes one call a request"];
  return receipts === "transaction"
    ? ["has no receipts of whole blocks (eth_getBlockReceipts): each transaction is a call of its own"]
    : [];
};

/** Limitations of a node that answers, one sentence each. */
const brakesOf = ({ traits, sustained, family }: NodeFinding): string[] => {
  if (traits === null || sustained === null) return [];
  const { limit_per_second: limit, limit_counts, errors, p50_seconds: p50, traced } = sustained;
  return [
    ...(sustained.blocks === 0
      ? [
          `gave no whole block in ${rounded(sustained.seconds)} s: ${sustained.failures[0] ?? "its answers came too late"}`,
        ]
      : []),
    ...(limit !== null || errors.rate > 0
      ? [
          `takes ${limit === null ? "fewer requests than it was sent" : `about ${rounded(limit)} ${limit_counts} a second`}: set requests_per_second${limit_counts === "calls" ? " (counts: calls)" : ""} of the endpoint, or use a larger plan`,
        ]
      : []),
    ...(p50 === null || p50 >= SLOW_SECONDS
      ? sustained.blocks > 0
        ? [`is slow: an answer takes ${latency(p50)}`]
        : []
      : []),
    ...(FAMILY_TRAITS[family].has_batches ? describeSingles(traits) : []),
    ...(traced.with_traces > 0 && traced.with_traces < traced.blocks
      ? [`gave traces of ${traced.with_traces} of ${traced.blocks} blocks: those of old blocks may be gone`]
      : []),
  ];
};

/** Advice for one node; empty when it serves all required methods. */
export const adviceFor = (network: string, found: NodeFinding): string[] => {
  const { endpoint, problem, traits } = found;
  if (traits === null)
    return [
      `${network}: ${endpoint}: ${problem ?? "no answer"}. Start the node, or correct networks.${network}.rpc in the configuration`,
    ];
  const lacks = lacksOf(traits, found.family);
  return [
    ...(problem === null ? [] : [`${network}: ${endpoint}: ${problem}`]),
    ...brakesOf(found).map((brake) => `${network}: ${endpoint} ${brake}`),
    ...(lacks.length === 0
      ? []
      : [`${network}: ${endpoint} does not have ${lacks.join(" and ")}. Add a node that has them to rpc`]),
  ];
};

/** Tools of one network: the whole ones counted, the others by name and reason. */
export const toolLines = (served: readonly ServedTool[]): string[] => {
  const of = (level: ServedTool["level"]): readonly ServedTool[] => served.filter((one) => one.level === level);
  const reasons = [...new Set(served.flatMap(({ level, reason }) => (level === "full" ? [] : [reason])))];
  return [
    `  tools: ${of("full").length} full, ${of("partial").length} partial, ${of("off").length} off`,
    ...reasons.map((reason) => {
      const same = served.filter((one) => one.reason === reason);
      return `    ${same[0]?.level} (${reason}): ${same.map(({ tool }) => tool).join(", ")}`;
    }),
  ];
};

/** Cost of a full index and its inputs. */
export const estimateLines = ({ blocks, seconds, bytes, ...estimate }: IndexEstimate): string[] => [
  `  a full index of ${count(blocks)} blocks: ${rangeOf(seconds, TIMES)}, ${rangeOf(bytes, SIZES)} of disk, about ${count(estimate.requests)} requests`,
  `    at ${rounded(estimate.units_per_block)} ${estimate.unit === "transfers" ? "rows of transfers" : "transactions"} a block, as in the blocks read here from all parts of the range; ${estimate.limited_by} sets the pace; writing as measured on two cores`,
];
