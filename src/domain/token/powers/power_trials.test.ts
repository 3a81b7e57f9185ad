import { encode, from } from "ox/AbiParameters";
import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import type { CallResult, Chain, OverriddenCalls } from "../../../chains/chain.ts";
import { EMPTY, type Hex, hex } from "../../../lib/bytes.ts";
import { PowerTrials } from "./power_trials.ts";
import { keyOf } from "./run_trials.ts";
import type { PreparedStage } from "./stage.ts";
import { readTrials, type TrialState, trialCodes } from "./trials.ts";

const account = (byte: string): Hex => hex(byte.repeat(20));
const [TOKEN, OWNER, STRANGER, ZERO] = ["aa", "0e", "57", "00"].map(account) as [Hex, Hex, Hex, Hex];
const WORDS = 15;
/** More results than any request has trials: in each, nothing changed. */
const RESULTS = 60;
const ANSWER = Buffer.from(
  encode(from(["bytes[]"]), [Array.from({ length: RESULTS }, () => `0x${"00".repeat(32 * WORDS)}` as const)]).slice(2),
  "hex",
);

/** A node that runs no call of `silent`. */
const chainWithout = (silent: Hex | null): Chain => ({
  ...fixedChain({ can: { overrides: true } }),
  callOverridden: async ({ calls }: OverriddenCalls): Promise<readonly CallResult[]> =>
    calls.map((call) => (call.from === silent ? { ok: false, data: EMPTY } : { ok: true, data: ANSWER })),
});

const BEFORE: TrialState = {
  ...{ supply: 1n, caller: 0n, victim: 1n, other: 1n, friend: 0n, payee: 0n, token: 0n, owner: null, allowance: 0n },
  ...{ native: 0n, is_replaced: false, victim_transfer: 0, other_transfer: 0, sale: 0, purchase: 0 },
};
const FOUND = {
  ...{ at: TOKEN, selector: hex("12345678"), types: "uint256", is_view: false, is_payable: false },
  ...{ writes: new Set<string>(), reads: new Set<string>(), values: [] },
};

const reachedWithout = async (silent: Hex | null): Promise<ReadonlySet<Hex>> => {
  const state = {
    chain: chainWithout(silent),
    block: { number: 1, time: 1_800_000_000 },
    signal: new AbortController().signal,
  };
  const stage = {
    ...{ token: TOKEN, victim: account("11"), other: account("22"), friend: account("33"), receiver: account("44") },
    ...{ marker: account("55"), payee: account("66"), simulator: account("77"), buyer: account("88"), quote: ZERO },
    ...{ sale: "" as const, purchase: "" as const },
  };
  const prepared: PreparedStage = { ground: { state, probe: account("99"), extra: [] }, stage, before: BEFORE };
  const query = {
    functions: [FOUND],
    callers: [OWNER],
    roles: [],
    supply_slots: new Set<string>(),
    keys: { words: [], texts: [], numbers: [] },
    stranger: STRANGER,
    zero: ZERO,
  };
  return (await new PowerTrials(prepared, query).run()).reached;
};

test("a function counts as reached only if the node ran the trials of every caller", async () => {
  expect(await reachedWithout(null)).toEqual(new Set([keyOf(FOUND)]));
  // A stranger reached it, and the owner, who may do more, was never tried.
  expect(await reachedWithout(OWNER)).toEqual(new Set());
});

test("a trial that used up its gas is rejected, and known from others that were rejected", () => {
  const data = Buffer.from(encode(from(["bytes[]"]), [["0x", "0x01", "0x"]]).slice(2), "hex");
  const used_up: number[] = [];
  expect(readTrials(data, (at) => used_up.push(at))).toEqual([null, null, null]);
  expect(used_up).toEqual([1]);
});

test("the marker's code names its own address wherever it needs it", () => {
  const marker = account("5a");
  const stage = {
    ...{ token: TOKEN, caller: OWNER, victim: ZERO, other: ZERO, friend: ZERO, receiver: ZERO, marker, payee: ZERO },
    ...{ simulator: ZERO, buyer: ZERO, quote: ZERO, sale: "" as const, purchase: "" as const },
  };
  const code = trialCodes(stage, { probe: ZERO }).find(({ address }) => address === marker)?.code ?? "";
  // One comparison and one call. A compiler that computes with the placeholder leaves another constant.
  expect(code.split(marker).length - 1).toBe(2);
  expect(code).not.toMatch(/4{36}/);
});
