import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, seedUpTo, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import { type MovementSpan, readMovementSpans, within } from "./movement_spans.ts";

// Numbers of movements from stored sums and later rows, on generated movements, compared with plain loops.

const network = "demo";
const [FINAL, HEAD] = [300, 380];
const VOID = new Uint8Array();
const PEOPLE = Array.from({ length: 8 }, (_, number) => testAddress(0xb00 + number));
const STRANGER = toHex(testAddress(0x5742));
const dice = diceOf(3);
const party = () => [VOID, ...PEOPLE][dice(PEOPLE.length + 1)] ?? VOID;
const transfers = Array.from({ length: 1_500 }, (_, position) => {
  const block_number = dice(HEAD + 1);
  return {
    ...{ network, block_number, tx_index: 0, position, time: 1_700_000_000 + block_number * 12, token_id: 0n },
    kind: (["erc20", "native", "fee", "wrap"] as const)[dice(4)] ?? "erc20",
    token: dice(3) === 0 ? VOID : testAddress(0x70 + dice(4)),
    ...{ source: party(), destination: party(), amount: BigInt(dice(5)), sender: testAddress(1) },
  };
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedUpTo(store, { network, from: 0, final: FINAL, head: HEAD }, { transfers });
});
afterAll(() => store.close());

const countedTo = (head: number): readonly MovementSpan[] =>
  PEOPLE.map(toHex).flatMap((address) => {
    const own = transfers.filter(
      ({ block_number, source, destination }) =>
        block_number <= head && [toHex(source), toHex(destination)].includes(address),
    );
    const blocks = own.map(({ block_number }) => block_number);
    if (own.length === 0) return [];
    return [{ address, movements: own.length, first_block: Math.min(...blocks), last_block: Math.max(...blocks) }];
  });

test.each([null, FINAL + 40, FINAL, FINAL - 1, 120, 2])("as of block %s", async (as_of) => {
  const snapshot = await store.facts.snapshot(network, as_of);
  const found = await readMovementSpans({ facts: store.facts, snapshot }, [...PEOPLE.map(toHex), STRANGER]);
  expect(found).toEqual(countedTo(as_of ?? HEAD));
});

test("in the order of the addresses, and as many as fit", async () => {
  const snapshot = await store.facts.snapshot(network, null);
  const asked = PEOPLE.map(toHex).toReversed();
  const found = await readMovementSpans({ facts: store.facts, snapshot }, asked);
  expect(found.map(({ address }) => address)).toEqual(asked);
  expect(await readMovementSpans({ facts: store.facts, snapshot }, [])).toEqual([]);
  const spans = [5, 9, 3, 2].map((movements) => ({ address: STRANGER, movements, first_block: 0, last_block: 0 }));
  expect(within(spans, 10).map(({ movements }) => movements)).toEqual([5, 3, 2]);
  expect(within(spans, 4).map(({ movements }) => movements)).toEqual([3]);
});
