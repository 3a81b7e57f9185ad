import type { ProxyFault } from "./faulty.ts";

/** One call of a tool of test/contract/bench_tools.ts through faults. */
export interface FaultCase {
  readonly name: string;
  readonly faults: readonly ProxyFault[];
  readonly tool: string;
  /** Outcome: a kind of result, or the code of an error. */
  readonly ends: string;
  /** Requests that the caller sends, all under one key. */
  readonly sent: number;
  /** Credits that the account pays. */
  readonly paid: number;
  /** The caller's own key; the same word is the same key. */
  readonly own_key?: string;
  /** Details of the error. */
  readonly is_charged?: boolean | null;
}

/** `show` costs 3 credits, `wait` 25, `find_nothing` 5, the failing ones nothing (they are refunded). */
export const FAULT_CASES: readonly FaultCase[] = [
  { name: "a good call", faults: [], tool: "show", ends: "data", sent: 1, paid: 3 },
  { name: "a call that finds nothing", faults: [], tool: "find_nothing", ends: "no_data", sent: 1, paid: 5 },
  { name: "a tool that fails", faults: [], tool: "fail_softly", ends: "error", sent: 1, paid: 0 },
  { name: "an answer with an error field", faults: [], tool: "answer_with_error", ends: "error", sent: 1, paid: 0 },
  {
    name: "a connection cut before the service",
    faults: ["cut_before", "cut_before"],
    tool: "show",
    ends: "data",
    sent: 3,
    paid: 3,
  },
  {
    name: "a connection cut after charging",
    faults: ["cut_after"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    is_charged: true,
  },
  {
    name: "a body cut in the middle",
    faults: ["cut_inside"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    is_charged: true,
  },
  {
    name: "half of the JSON",
    faults: ["half_json"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    is_charged: true,
  },
  {
    name: "a page instead of JSON",
    faults: ["html"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    is_charged: true,
  },
  {
    name: "a body that never ends",
    faults: ["drip"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    is_charged: true,
  },
  {
    name: "a gateway that gave up too early",
    faults: ["504_after"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    is_charged: true,
  },
  {
    name: "a refunded call whose answer was cut runs again",
    faults: ["cut_after"],
    tool: "fail_softly",
    ends: "error",
    sent: 2,
    paid: 0,
  },
  { name: "503 twice", faults: ["503", "503"], tool: "show", ends: "data", sent: 3, paid: 3 },
  { name: "503 with Retry-After", faults: ["503_later"], tool: "show", ends: "data", sent: 2, paid: 3 },
  {
    name: "503 for ever",
    faults: ["503", "503", "503", "503"],
    tool: "show",
    ends: "unavailable",
    sent: 4,
    paid: 0,
    is_charged: null,
  },
  {
    name: "a tool that breaks, each time",
    faults: [],
    tool: "break_loudly",
    ends: "unavailable",
    sent: 4,
    paid: 0,
    is_charged: false,
  },
  { name: "429 with Retry-After", faults: ["429_later"], tool: "show", ends: "data", sent: 2, paid: 3 },
  {
    name: "429 until tomorrow",
    faults: ["429_tomorrow"],
    tool: "show",
    ends: "plan_limit_reached",
    sent: 1,
    paid: 0,
    is_charged: false,
  },
  {
    name: "an unknown tool",
    faults: [],
    tool: "show_all",
    ends: "unknown_tool",
    sent: 1,
    paid: 0,
    is_charged: false,
  },
  { name: "a key of the caller's, first", faults: [], tool: "show", ends: "data", sent: 1, paid: 3, own_key: "mine" },
  {
    name: "a repeated key",
    faults: [],
    tool: "show",
    ends: "duplicate_request",
    sent: 1,
    paid: 0,
    own_key: "mine",
    is_charged: false,
  },
  {
    name: "a key of the caller's whose answer was cut",
    faults: ["cut_after"],
    tool: "show",
    ends: "answer_lost",
    sent: 2,
    paid: 3,
    own_key: "other",
    is_charged: true,
  },
  {
    name: "a call that is cut while it runs, and waited for",
    faults: ["cut_after", "cut_before"],
    tool: "wait",
    ends: "answer_lost",
    sent: 3,
    paid: 25,
    is_charged: true,
  },
];

/** Milliseconds of one attempt, so that the endless body ends soon. */
export const TIMEOUT_MS = 1_500;
