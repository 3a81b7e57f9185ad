import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { diceOf } from "../../../../test/random.ts";
import { addressOf, bytesOf, dailyBlocks, tokenRow, transfersOf } from "../../../../test/value_rows.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { SILENT_OPERATOR } from "../../operator.ts";
import { readHistory } from "../../wallet/history/history.ts";
import { type TraceResult, trace } from "./trace.ts";
import type { AssetMovement } from "./value_events.ts";
import { traceWallet } from "./wallet_trace.ts";

// The walk over a random ledger, compared with a trace over the whole ledger.

const HEAD = 130;
const USDC = addressOf(0x50);
const people = Array.from({ length: 60 }, (_, i) => addressOf(0x1000 + i));
const thieves = Array.from({ length: 3 }, (_, i) => addressOf(0x2000 + i));
const exchanges = Array.from({ length: 2 }, (_, i) => addressOf(0x3000 + i));

const dice = diceOf(11);
const one = (list: readonly Hex[]): Hex => list[dice(list.length)] ?? USDC;
/** Payments in the order of the chain: mostly to an address with a near number, so that ways are long. */
const payments = Array.from({ length: 700 }, (_, i) => {
  const at = dice(people.length);
  const near = people[(at + 1 + dice(4)) % people.length] ?? USDC;
  const drawn = dice(20);
  const [source, destination] =
    drawn === 0
      ? [one(thieves), people[at] ?? USDC]
      : drawn === 1
        ? [one(exchanges), people[at] ?? USDC]
        : drawn === 2
          ? [people[at] ?? USDC, one(exchanges)]
          : drawn === 3
            ? [people[at] ?? USDC, one(thieves)]
            : [people[at] ?? USDC, near];
  return { source, destination, usd: 50 + dice(5_000), block: 101 + Math.floor(i / 25), tx_index: i % 25 };
});

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
      transfers: payments.flatMap(({ source, destination, usd, block, tx_index }) =>
        transfersOf({ block, tx_index }, source, [
          { kind: "erc20", token: USDC, source, destination, amount: BigInt(usd) * 10n ** 6n },
        ]),
      ),
      tokens: [tokenRow(USDC, "USDC", 6)],
      labels: [...thieves.map((who) => label(who, "theft")), ...exchanges.map((who) => label(who, "exchange"))],
    },
  );
});
afterAll(() => store.close());

const movements: readonly AssetMovement[] = payments.map(({ source, destination, usd, block, tx_index }) => ({
  ...{ source, destination, asset: USDC, amount: usd * 1e6, usd, is_limited: false, time: block },
  tx: { block_number: block, tx_index },
}));

const sumsOf = ({ trails }: Pick<TraceResult, "trails">): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { direction, source, hops, usd } of trails) {
    const key = `${direction} ${hops === 1} ${source}`;
    sums.set(key, (sums.get(key) ?? 0) + usd);
  }
  return sums;
};

test("the walk finds what a trace over the whole ledger finds, within 1 %", async () => {
  const chain = fixedChain({ network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] } });
  const snapshot = await store.facts.snapshot("demo", null);
  const scope = { facts: store.facts, chain, snapshot, signal: new AbortController().signal };
  let far = 0;
  for (const wallet of people.filter((_, i) => i % 8 === 0)) {
    const life = await readHistory(scope, wallet, { from: 0, until: snapshot.block.time + 1 });
    const { traced, coverage } = await traceWallet({ scope, operator: SILENT_OPERATOR }, life);
    const through = new Set(people.filter((address) => address !== wallet));
    const whole = trace(movements, { wallet, flagged: new Set(thieves), through, method: "haircut" });
    const [found, expected] = [sumsOf(traced), sumsOf(whole)];
    for (const [key, usd] of expected) {
      // A way of less than a dollar may end early.
      expect([wallet, key, Math.abs((found.get(key) ?? 0) - usd) <= 0.01 * usd + 1]).toEqual([wallet, key, true]);
    }
    expect([...found.keys()].filter((key) => !expected.has(key))).toEqual([]);
    expect(traced.totals.in).toBeCloseTo(whole.totals.in, 6);
    expect(coverage.left_out).toBe(0);
    far = Math.max(far, ...whole.trails.map(({ hops }) => hops));
  }
  expect(far).toBeGreaterThan(4);
});
