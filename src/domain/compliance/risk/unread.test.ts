import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "../../../../test/value_rows.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { Counterparty } from "../../../store/subjects/admitted.ts";
import type { SubjectRecord } from "../../../store/subjects/records.ts";
import type { SubjectCall } from "../../../store/subjects/subject_call.ts";
import { openSubjectFacts } from "../../../store/subjects/subject_facts.ts";
import { SILENT_OPERATOR } from "../../operator.ts";
import { readHistory } from "../../wallet/history/history.ts";
import { traceWallet } from "./wallet_trace.ts";

/**
 * On demand, Uma's money is followed through Ted only if Ted is read, although rows of his are stored. The mixer paid Ted 1,000 and an
 * exchange paid him 3,000; he paid Uma 2,000, so that 500 of these are the mixer's. The mixer paid Uma 100 too.
 */

const HEAD = 130;
const [USDC, MIXER, EXCHANGE, TED, UMA] = [0x50, 0x51, 0x52, 0x53, 0x54].map(addressOf) as [Hex, Hex, Hex, Hex, Hex];
const PAID = [
  { block: 101, source: MIXER, destination: TED, usd: 1_000 },
  { block: 102, source: EXCHANGE, destination: TED, usd: 3_000 },
  { block: 103, source: TED, destination: UMA, usd: 2_000 },
  { block: 104, source: MIXER, destination: UMA, usd: 100 },
];

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const label = (address: Hex, category: string) => ({
    ...{ network: "demo", address: bytesOf(address), source: "operator", label: `A ${category}`, category, entity: "" },
    ...{ confidence: 0.95, evidence: "", written_at: 1, valid_from: 0, licence: "", published_on: "" },
  });
  await store.seed(
    { network: "demo", from: 0, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: PAID.flatMap(({ block, source, destination, usd }) =>
        transfersOf({ block, tx_index: 0 }, source, [
          { kind: "erc20", token: USDC, source, destination, amount: BigInt(usd) * 10n ** 6n },
        ]),
      ),
      tokens: [tokenRow(USDC, "USDC", 6)],
      labels: [label(MIXER, "mixer"), label(EXCHANGE, "exchange")],
    },
  );
});
afterAll(() => store.close());

const record = (subject: Hex, more: Partial<SubjectRecord> = {}): SubjectRecord => ({
  ...{ subject, state: "read", from_block: 0, to_block: HEAD, to_hash: "", to_time: dayOf(HEAD), wished_ms: 1 },
  ...{ is_plain: true, is_balanced: true, verified: "full", untraced: [], found: 1, fetched: 1, requests: 1 },
  ...{ problem: "", rewrites: 0, is_rewriting: false, head: null, ...more },
});

interface TedState {
  readonly ted: Counterparty;
  /** Days whose prices are not read yet. */
  readonly unpriced?: readonly number[];
}

const traced = async ({ ted, unpriced = [] }: TedState) => {
  const wished: Hex[] = [];
  const missing = new Set(unpriced.map((day) => hourOf(dayOf(day))));
  const call: SubjectCall = {
    ...{
      tool: "get_wallet_risk_score",
      isOnDemand: () => true,
      subjectsOn: () => [UMA],
      has_counterparties: true,
      are_tokens: false,
    },
    whenRead: async () => [record(UMA)],
    recordsOf: async () => [record(UMA)],
    whenHeld: async () => 1,
    heldSince: async () => 1,
    ends: () => Promise.reject(new Error("Uma is read")),
    tailOf: async () => [],
    poolsOf: async () => [],
    ref: async (_, number) => ({ number, hash: "", time: dayOf(number) }),
    whenPriced: async (_, { asked, now }) => {
      const read = asked.filter(({ hour }) => !missing.has(hour));
      expect(now || read.length === asked.length).toBe(true);
      return read.map((one) => ({
        ...{ ...one, state: "priced", price_usd: 1, depth_usd: 1e9, cost_to_move_usd: -1, sell_reserve: -1 },
        ...{ sell_payout_usd: -1, method: "anchor", confidence: "high", since: 0, written_ms: 1 },
      }));
    },
    counterparties: async (_, addresses, is_wished) => {
      if (is_wished) wished.push(...addresses);
      return new Map(addresses.map((one) => [one, one === TED ? ted : { state: "unread", record: null }]));
    },
  };
  const { signal } = new AbortController();
  const facts = openSubjectFacts(store.facts, call, signal);
  const chain = fixedChain({ network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] } });
  const scope = { facts, chain, snapshot: await facts.snapshot("demo", null), signal };
  const life = await readHistory(scope, UMA, { from: 0, until: scope.snapshot.block.time + 1 });
  const walk = await traceWallet({ scope, operator: SILENT_OPERATOR }, life);
  return {
    wished,
    from: walk.traced.trails.map(({ source, hops, usd }) => [source, hops, Math.round(usd)]),
    unread: walk.coverage.unread,
    is_complete: walk.coverage.is_complete,
    not_followed: Math.round(walk.coverage.not_followed_usd),
    warnings: walk.warnings.map(({ code }) => code),
  };
};

const DIRECT = [MIXER, 1, 100];

test("of a counterparty that is read, its payments are followed", async () => {
  const { from, ...found } = await traced({ ted: { state: "read", record: record(TED) } });
  expect(from).toContainEqual(DIRECT);
  expect(from).toContainEqual([MIXER, 2, 500]);
  expect(found).toEqual({
    wished: [TED],
    unread: { reading: 0, unread: 0, partial: 0, usd: 0 },
    ...{ is_complete: true, not_followed: 0, warnings: [] },
  });
});

test.each([
  ["no account follows", { state: "unread", record: null }, "COUNTERPARTIES_NOT_READ"],
  ["is too large", { state: "too_large", record: record(TED, { state: "too_large" }) }, "COUNTERPARTIES_NOT_READ"],
  ["is beyond a limit", { state: "refused", record: null }, "COUNTERPARTIES_NOT_READ"],
  ["is being read", { state: "reading", record: record(TED, { state: "reading" }) }, "COUNTERPARTIES_READING"],
  [
    "ends at an earlier block",
    { state: "read", record: record(TED, { to_block: HEAD - 1 }) },
    "COUNTERPARTIES_READING",
  ],
] as const)("rows of a counterparty that %s are not used", async (_, ted, code) => {
  const found = await traced({ ted });
  const reading = code === "COUNTERPARTIES_READING" ? 1 : 0;
  expect(found).toEqual({
    wished: [TED],
    from: [DIRECT],
    unread: { reading, unread: 1 - reading, partial: 0, usd: 2_000 },
    ...{ is_complete: false, not_followed: 2_000, warnings: [code] },
  });
});

test("a counterparty with a price that is not read yet counts as being read, and no call waits for it", async () => {
  const found = await traced({ ted: { state: "read", record: record(TED) }, unpriced: [102] });
  expect(found).toMatchObject({ from: [DIRECT], unread: { reading: 1, usd: 2_000 }, is_complete: false });
});

test("a history of which blocks may be missing is followed, and the answer says so", async () => {
  const found = await traced({ ted: { state: "partial", record: record(TED, { is_plain: false }) } });
  expect(found.from).toContainEqual([MIXER, 2, 500]);
  expect(found).toMatchObject({ is_complete: false, warnings: ["COUNTERPARTIES_PARTIAL"], unread: { usd: 0 } });
});
