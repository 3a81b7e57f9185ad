import { type Hex, hex } from "../src/lib/bytes.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { blockRows, openTestFacts, type TestFacts } from "./facts_store.ts";
import { addressOf, bytesOf, tokenRow, transactionsOf, transfersOf } from "./value_rows.ts";

/** A chain `demo` of a final segment and a tail, in which one wallet is paid a token in every block. */

export const WATCHED = addressOf(0xa11ce);
export const PAYER = addressOf(0xb0b);
const STRANGER = addressOf(0xc0de);
const COIN = hex("cc".repeat(20));
export const OTHER_COIN = hex("dd".repeat(20));

export const FIRST_TAIL = 128;
const FIRST = 96;
const TIME = Date.UTC(2026, 0, 1) / 1000;

/** A block's hash on a branch. */
export const hashOn = (number: number, branch: number): Hex =>
  hex(`${branch.toString(16).padStart(2, "0")}${number.toString(16).padStart(62, "0")}`);

type TransferRows = readonly TableRows["transfers"][];

/** In each block: a payment to the watched wallet, one from it, and one between unwatched wallets. */
const transfersIn = (block: number, branch: number): TransferRows => [
  ...transfersOf({ block, tx_index: 0 }, PAYER, [
    { kind: "erc20", token: COIN, source: PAYER, destination: WATCHED, amount: BigInt(block * 1_000_000 + branch) },
  ]),
  ...transfersOf({ block, tx_index: 1 }, WATCHED, [
    { kind: "erc20", token: OTHER_COIN, source: WATCHED, destination: STRANGER, amount: 5n },
    { kind: "fee", token: "", source: WATCHED, destination: "", amount: 1n },
  ]),
  ...transfersOf({ block, tx_index: 2 }, PAYER, [
    { kind: "native", token: "", source: PAYER, destination: STRANGER, amount: 7n },
  ]),
];

export class WatchWorld {
  readonly store: TestFacts;
  #tail: { number: number; branch: number }[] = [];
  #first = FIRST_TAIL;

  constructor(store: TestFacts) {
    this.store = store;
  }

  get tip(): number {
    return this.#tail.at(-1)?.number ?? this.#first - 1;
  }

  async grow(blocks: number, branch = 1): Promise<void> {
    const from = this.tip + 1;
    const fresh = Array.from({ length: blocks }, (_, i) => ({ number: from + i, branch }));
    this.#tail.push(...fresh);
    await this.#write(fresh);
  }

  /** Replaces the newest blocks with those of another branch. */
  async reorganise(blocks: number, branch: number): Promise<void> {
    const from = this.tip - blocks + 1;
    await this.store.writer.dropHead("demo", from);
    this.#tail = this.#tail.map((one) => (one.number >= from ? { ...one, branch } : one));
    await this.#write(this.#tail.filter(({ number }) => number >= Math.floor(from / 32) * 32));
  }

  /** Removes the whole tail, like a start of the indexer. */
  async forget(): Promise<void> {
    await this.store.writer.dropHead("demo", this.#first);
    this.#tail = [];
  }

  /** Makes the oldest 32 blocks of the tail final. */
  async finalize(): Promise<void> {
    const ripe = this.#tail.splice(0, 32);
    await this.#seed(ripe);
    this.#first += 32;
    await this.store.writer.dropPromoted("demo", this.#first - 1);
  }

  /** Blocks that are not connected with any below. */
  jump(to_block: number): void {
    this.#first = to_block;
    this.#tail = [];
  }

  async fill(from: number, to: number, branch = 1): Promise<void> {
    await this.#seed(Array.from({ length: to - from + 1 }, (_, i) => ({ number: from + i, branch })));
  }

  async #seed(blocks: readonly { number: number; branch: number }[]): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return;
    const transfers = blocks.flatMap(({ number, branch }) => transfersIn(number, branch));
    const rows = { blocks: blocks.map(headOf), transfers, transactions: transactionsOf(transfers) };
    await this.store.seed({ network: "demo", from: first.number, to: last.number, first: FIRST }, rows);
  }

  async #write(blocks: readonly { number: number; branch: number }[]): Promise<void> {
    const { writer } = this.store;
    const transfers = blocks.flatMap(({ number, branch }) => transfersIn(number, branch));
    await writer.insert("transfers", transfers, { is_tail: true });
    await writer.insert("transactions", transactionsOf(transfers), { is_tail: true });
    await writer.insert("blocks", blocks.map(headOf), { is_tail: true });
  }
}

const headOf = ({ number, branch }: { number: number; branch: number }): TableRows["blocks"] => {
  const [row] = blockRows({ network: "demo", from: number, to: number, time: TIME + (number - FIRST) * 12 });
  if (row === undefined) throw new Error("a block has a row");
  return { ...row, hash: bytesOf(hashOn(number, branch)), parent_hash: bytesOf(hashOn(number - 1, branch)) };
};

/** A world of one final segment, and a label of the payer. */
export const openWatchWorld = async (): Promise<WatchWorld> => {
  const store = await openTestFacts();
  const world = new WatchWorld(store);
  await store.writer.insert("tokens", [
    { ...tokenRow(COIN, "CC", 6), read_at_block: 1 },
    { ...tokenRow(OTHER_COIN, "<b>DD\u202e</b>", 6), read_at_block: 1 },
  ]);
  await store.writer.insert("labels", [
    {
      ...{ network: "demo", address: bytesOf(PAYER), source: "test", label: "Big Exchange 1", category: "exchange" },
      ...{ entity: "Big Exchange", confidence: 1, evidence: "", licence: "", published_on: "", valid_from: 0 },
      written_at: 1_700_000_000,
    },
  ]);
  await world.fill(FIRST, FIRST_TAIL - 1);
  return world;
};
