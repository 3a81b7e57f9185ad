import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import "../../test/draw.ts";
import { blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { sized } from "../../test/long.ts";
import { toHex } from "../lib/bytes.ts";
import { layoutSelect, rangeParams } from "./sums.ts";
import type { TransfersRow } from "./tables.gen.ts";

// first_funding against the transfers it comes from, read by a plain program: any segments, any block asked.

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const NONE = Buffer.alloc(0);
const [WRAPPER, TOKEN] = [testAddress(0xee), testAddress(0x70)];
/** The void, four wallets and the wrapped coin. */
const PARTIES = [NONE, ...[1, 2, 3, 4].map(testAddress), WRAPPER];
const WALLETS = PARTIES.slice(1, 5);
/** Indexes into `PARTIES`, the wrapped coin most often: its first payments show whether another funder is known. */
const PAYERS = [0, 1, 2, 3, 4, 5, 5, 5];
const [FIRST, LAST_FINAL, LAST] = [8, 47, 55];
const BLOCK_S = 12;
const T0 = 1_700_000_000;

interface DrawnTransfer {
  readonly block: number;
  readonly source: number;
  readonly destination: number;
  readonly kind: "native" | "internal" | "erc20" | "fee" | "wrap" | "reward";
  readonly amount: number;
}

const drawnTransfer: fc.Arbitrary<DrawnTransfer> = fc.record({
  block: fc.integer({ min: FIRST, max: LAST }),
  source: fc.constantFrom(...PAYERS),
  destination: fc.nat(PARTIES.length - 1),
  kind: fc.constantFrom("native", "native", "native", "native", "internal", "erc20", "fee", "wrap", "reward"),
  amount: fc.nat(2),
});

const drawnCase = fc.record({
  transfers: fc.array(drawnTransfer, { minLength: 30, maxLength: 60 }),
  /** Where segments end, besides the last final block. */
  cuts: fc.uniqueArray(fc.integer({ min: FIRST, max: LAST_FINAL - 1 }), { minLength: 1, maxLength: 4 }),
  repeated: fc.nat(4),
  asked: fc.array(fc.integer({ min: FIRST, max: LAST }), { minLength: 3, maxLength: 3 }),
});

const timeOf = (block: number): number => T0 + (block - FIRST) * BLOCK_S;

const rowOf = (
  network: string,
  { block, source, destination, kind, amount }: DrawnTransfer,
  at: number,
): TransfersRow => ({
  network,
  block_number: block,
  // Two to a transaction, so that only the position tells some of them apart.
  tx_index: at >> 1,
  position: at,
  time: timeOf(block),
  kind,
  token: kind === "erc20" || kind === "wrap" ? TOKEN : NONE,
  token_id: 0n,
  source: PARTIES[source] ?? NONE,
  destination: PARTIES[destination] ?? NONE,
  amount: BigInt(amount),
  sender: PARTIES[source] ?? NONE,
});

/** Segments that end at the cuts. */
const rangesOf = (network: string, cuts: readonly number[]) => {
  const ends = [...cuts, LAST_FINAL].sort((a, b) => a - b);
  return ends.map((to, at) => ({ network, from: at === 0 ? FIRST : (ends[at - 1] ?? 0) + 1, to, first: FIRST }));
};

const write = async (rows: readonly TransfersRow[], ranges: ReturnType<typeof rangesOf>): Promise<void> => {
  const within = (from: number, to: number) => rows.filter(({ block_number: at }) => at >= from && at <= to);
  for (const range of ranges) {
    const time = timeOf(range.from);
    await store.seed({ ...range, time }, { transfers: within(range.from, range.to) });
  }
  const network = ranges[0]?.network ?? "";
  const tail = { network, from: LAST_FINAL + 1, to: LAST, time: timeOf(LAST_FINAL + 1) };
  await store.writer.insert("transfers", within(tail.from, LAST), { is_tail: true });
  await store.writer.insert("blocks", blockRows(tail), { is_tail: true });
};

/** `moved` in the order of the chain. */
const wantedFunders = (moved: readonly (DrawnTransfer & { readonly at: number })[], without: number) =>
  WALLETS.flatMap((wallet, index) => {
    const first = moved.find(
      ({ kind, source, destination, amount }) =>
        (kind === "native" || kind === "internal") &&
        destination === index + 1 &&
        amount > 0 &&
        ![0, index + 1, without].includes(source),
    );
    if (first === undefined) return [];
    const { block, source, at, amount } = first;
    const funder = toHex(PARTIES[source] ?? NONE);
    return [
      {
        address: toHex(wallet),
        funder,
        block_number: block,
        tx_index: at >> 1,
        amount: BigInt(amount),
        time: timeOf(block),
      },
    ];
  });

const ask = async (network: string, block: number) => {
  const { facts } = store;
  const snapshot = await facts.snapshot(network, block);
  const addresses = WALLETS.map((wallet) => toHex(wallet));
  return {
    funders: await facts.ask(snapshot, "first_funders", { addresses, wrapped: toHex(WRAPPER) }),
    all_funders: await facts.ask(snapshot, "first_funders", { addresses, wrapped: "" }),
  };
};

const wanted = (transfers: readonly DrawnTransfer[], block: number) => {
  const moved = transfers
    .map((one, at) => ({ ...one, at }))
    .filter((one) => one.block <= block)
    .sort((a, b) => a.block - b.block || a.at - b.at);
  return {
    funders: wantedFunders(moved, PARTIES.length - 1),
    all_funders: wantedFunders(moved, -1),
  };
};

let networks = 0;

test("finds the first funders of the transfers for any segments and any block", async () => {
  await fc.assert(
    fc.asyncProperty(drawnCase, async ({ transfers, cuts, repeated, asked }) => {
      networks += 1;
      const network = `drawn ${networks}`;
      const ranges = rangesOf(network, cuts);
      await write(
        transfers.map((one, at) => rowOf(network, one, at)),
        ranges,
      );
      const again = ranges[repeated % ranges.length];
      if (again !== undefined) await store.writer.finals.writeLayouts(again);
      for (const block of [...asked, LAST_FINAL, LAST])
        expect(await ask(network, block), `block ${block}`).toEqual(wanted(transfers, block));
    }),
    { numRuns: sized({ slice: 6, long: 60 }) },
  );
});

test("several segments that are read at once give the rows that each gives by itself", async () => {
  const network = "window";
  const transfers = Array.from({ length: 40 }, (_, at): DrawnTransfer => {
    return { block: FIRST + at, source: 1 + (at % 3), destination: 4, kind: "native", amount: 1 };
  });
  const ranges = rangesOf(network, [15, 20, 40]);
  await write(
    transfers.map((one, at) => rowOf(network, one, at)),
    ranges,
  );
  const froms = `[${ranges.map(({ from }) => from).join(",")}]`;
  const params = { ...rangeParams({ network, from: FIRST, to: LAST_FINAL }), froms };
  const held = await store.query(
    "SELECT * EXCEPT (tail) FROM first_funding WHERE network = 'window' ORDER BY block_number",
  );
  const all = await store.engine.query(`SELECT * FROM (${layoutSelect("first_funding")}) ORDER BY block_number`, {
    params,
  });
  expect(all).toEqual(held);
  // Three wallets pay wallet 4 in turn. The table keeps the first two of each segment; segments end at 15, 20, 40 and 47.
  expect(held.map((row) => Number(row[2]))).toEqual([8, 9, 16, 17, 21, 22, 41, 42]);
});
