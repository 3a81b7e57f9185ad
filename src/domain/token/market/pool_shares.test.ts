import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, transfersOf } from "../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { selectorOf, wordOf } from "../../abi.ts";
import type { SnapshotContext } from "../../context.ts";
import { readPoolShares } from "./pool_shares.ts";

const [SPREAD, AERODROME, SOLIDLY, EMPTY] = [0x901, 0x902, 0x903, 0x904].map(addressOf) as [Hex, Hex, Hex, Hex];
const [ALICE, LOCKER, FURNACE] = [0xa1, 0x10c, 0xf1].map(addressOf) as [Hex, Hex, Hex];
const ADDRESS_ONE = addressOf(1);
const HEAD = 102;
const UNTIL = dayOf(HEAD) + 1_000_000;

const minted = (token: Hex, holder: Hex, amount: bigint) => ({
  kind: "erc20" as const,
  token,
  source: "" as const,
  destination: holder,
  amount,
});
const labelled = (address: Hex, category: string) => ({
  network: "demo",
  address: bytesOf(address),
  source: "tests",
  label: category,
  category,
  entity: "",
  confidence: 1,
  evidence: "",
  written_at: 1,
  valid_from: 0,
  licence: "",
  published_on: "",
});

/** UNCX: LOCKER has one lock of 40 shares of SPREAD. */
const chain = fixedChain({
  can: { archive: true },
  answer: ({ to, data }) => {
    if (to !== LOCKER) return { ok: false, data: "" };
    if (data === selectorOf("getNumLocksForToken(address)") + wordOf(SPREAD)) return { ok: true, data: wordOf(1n) };
    if (!data.startsWith(selectorOf("tokenLocks(address,uint256)"))) return { ok: false, data: "" };
    return { ok: true, data: hex([0n, 40n, 40n, BigInt(UNTIL), 0n, 0n].map(wordOf).join("")) };
  },
});

let store: TestFacts;
let scope: SnapshotContext;
beforeAll(async () => {
  store = await openTestFacts();
  const crowd = Array.from({ length: 150 }, (_, i) => minted(SPREAD, addressOf(0x5000 + i), 100n));
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: transfersOf({ block: 101 }, ALICE, [
        ...crowd,
        minted(SPREAD, LOCKER, 50n),
        minted(SPREAD, FURNACE, 30n),
        minted(AERODROME, ADDRESS_ONE, 1_000n),
        minted(AERODROME, ALICE, 9_000n),
        minted(SOLIDLY, ALICE, 9_000n),
      ]),
      labels: [labelled(LOCKER, "locker"), labelled(FURNACE, "burn")],
    },
  );
  const snapshot = await store.facts.snapshot("demo", null);
  scope = { facts: store.facts, chain, snapshot, signal: AbortSignal.timeout(30_000) };
});
afterAll(() => store.close());

test("lockers and burn addresses count even beside much larger holders", async () => {
  const shares = (await readPoolShares(scope, [SPREAD])).get(SPREAD);
  // 150 · 100 + 50 + 30 in movements, and 1,000 of the first mint that no movement shows: 16,080.
  expect(shares?.burned_percent).toBeCloseTo((100 * (1_000 + 30)) / 16_080, 12);
  // The locker holds 50 and reports 40.
  expect(shares?.locked_percent).toBeCloseTo((100 * 40) / 16_080, 12);
  expect(shares?.lock_until).toBe(UNTIL);
  expect(shares?.holders).toHaveLength(5);
  expect(shares?.holders.every(({ share_percent }) => Math.abs(share_percent - 10_000 / 16_080) < 1e-9)).toBe(true);
});

test("a minimum held at the address one is not added again", async () => {
  const shares = await readPoolShares(scope, [AERODROME, SOLIDLY]);
  // 1,000 of 10,000 in both: a holding of the address one, or a mint from the zero address to itself.
  for (const pool of [AERODROME, SOLIDLY]) expect(shares.get(pool)?.burned_percent).toBeCloseTo(10, 12);
  expect(shares.get(AERODROME)?.shareOf(ALICE)).toBeCloseTo(90, 12);
});

test("pools in one query get the same answer as each alone, and a pool without shares is absent", async () => {
  const pools = [SOLIDLY, EMPTY, SPREAD, AERODROME];
  const together = await readPoolShares(scope, pools);
  expect([...together.keys()]).toEqual([SOLIDLY, SPREAD, AERODROME]);
  for (const pool of [SOLIDLY, SPREAD, AERODROME]) {
    const { shareOf: _, ...alone } = (await readPoolShares(scope, [pool])).get(pool) ?? { shareOf: null };
    expect(together.get(pool)).toMatchObject(alone);
  }
  expect(await readPoolShares(scope, [])).toEqual(new Map());
});
