import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";

// Movements of wallets in the transactions of a token, on generated movements, compared with the same selection in
// plain loops.

const network = "demo";
const BLOCKS = 60;
const [TOKEN, WRAPPED, ZERO, NATIVE] = [testAddress(0x70), testAddress(0x71), testAddress(0), new Uint8Array()];
const PEOPLE = [1, 2, 3, 4, 5].map((number) => testAddress(0xb00 + number));
const WALLETS = PEOPLE.slice(0, 2).map(toHex);
const KINDS = ["erc20", "erc20", "native", "wrap", "fee", "erc721"] as const;

const drawnTransfer = (dice: (below: number) => number, position: number) => {
  const block_number = dice(BLOCKS);
  const kind = KINDS[dice(KINDS.length)] ?? "erc20";
  const party = () => [...PEOPLE, ZERO, NATIVE][dice(PEOPLE.length + 2)] ?? NATIVE;
  const token = kind === "wrap" ? WRAPPED : ([TOKEN, WRAPPED, testAddress(0x72)][dice(3)] ?? TOKEN);
  return {
    ...{ network, block_number, tx_index: dice(4), position, kind, token_id: 0n, sender: testAddress(1) },
    ...{ time: 1_700_000_000 + block_number * 12, token: kind === "native" || kind === "fee" ? NATIVE : token },
    ...{ source: party(), destination: party(), amount: BigInt(dice(4)) },
  };
};

let store: TestFacts;
let transfers: readonly ReturnType<typeof drawnTransfer>[] = [];
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(3);
  transfers = Array.from({ length: 900 }, (_, position) => drawnTransfer(dice, position));
  await store.seed({ network, from: 0, to: BLOCKS - 1 }, { transfers });
});
afterAll(() => store.close());

const sidesOf = (wallet: string) =>
  transfers
    .flatMap((row) => [
      { ...row, address: toHex(row.source), peer: toHex(row.destination), sign: "-" },
      { ...row, address: toHex(row.destination), peer: toHex(row.source), sign: "" },
    ])
    .filter(({ address, amount }) => address === wallet && amount > 0n);

const expectedOf = (wallet: string, wrapped: string) => {
  const sides = sidesOf(wallet);
  const spotOf = ({ block_number, tx_index }: (typeof sides)[number]): number => block_number * 100 + tx_index;
  const meant = new Set(sides.filter(({ token }) => token === TOKEN).map(spotOf));
  const spots = [...meant].sort((a, b) => a - b);
  return spots.flatMap((spot) => {
    const own = sides.filter((row) => spotOf(row) === spot && !["erc721", "fee"].includes(row.kind));
    if (own.length === 0) return [];
    const moves = own.map(({ token, peer, sign, amount }) => {
      const is_wrapped = wrapped !== "" && toHex(token) === wrapped;
      const is_void = peer === "" || peer === toHex(ZERO);
      return [is_wrapped ? "" : toHex(token), is_void ? (is_wrapped ? wrapped : "") : peer, `${sign}${amount}`].join(
        ":",
      );
    });
    return [
      { wallet, block_number: Math.floor(spot / 100), tx_index: spot % 100, time: own[0]?.time, moves: moves.sort() },
    ];
  });
};

test.each([
  ["a wrapped coin", toHex(WRAPPED)],
  ["none", ""],
] as const)("returns the movements in the transactions of a token on a network with %s", async (_, wrapped) => {
  const snapshot = await store.facts.snapshot(network, null);
  const ask = async (limit: number) => {
    const question = { wallets: WALLETS, token: toHex(TOKEN), wrapped, limit };
    const rows = await store.facts.ask(snapshot, "pnl/token_moves", question);
    return rows.map(({ buckets, peers, amounts, ...row }) => ({
      ...row,
      moves: buckets.map((bucket, i) => [bucket, peers[i], amounts[i]].join(":")).sort(),
    }));
  };
  const expected = WALLETS.map((wallet) => expectedOf(wallet, wrapped));
  expect(expected.flat().length).toBeGreaterThan(40);
  expect(await ask(1_000)).toEqual(expected.flat());
  expect(await ask(7)).toEqual(expected.flatMap((rows) => rows.slice(0, 7)));
});
