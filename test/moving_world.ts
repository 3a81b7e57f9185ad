import { type Hex, hex } from "../src/lib/bytes.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { blockHash, openTestFacts, type TestFacts } from "./facts_store.ts";
import { diceOf, type RandomBelow } from "./random.ts";
import { addressOf, bytesOf, priceRow, tokenRow, transfersOf } from "./value_rows.ts";

/**
 * A chain `demo` of blocks 20 minutes apart, with one busy wallet, which undergoes every change of an
 * index: blocks are added, reorganised, become final and are filled in at the old end; prices, labels and metadata arrive late.
 */

export const WALLET = addressOf(0xa11ce);
/** The first one has code. */
export const PEERS = [addressOf(0x7a), addressOf(0xf1), addressOf(0xf2)] as const;
export const DOLLAR = hex("cc".repeat(20));
export const COIN = hex("ee".repeat(20));
export const TOKEN = hex("aa".repeat(20));
/** Minted for dollars and burned for them. */
export const SHARE = hex("ab".repeat(20));
const RECEIPT = hex("ac".repeat(20));
const SPAM = hex("bb".repeat(20));
const MARKET = addressOf(0x900);
const LENDER = addressOf(0x1e4d);

const FIRST = 50;
const START = 100;
const START_TIME = Date.UTC(2026, 0, 1) / 1000;
const BLOCK_S = 1_200;
const HOUR_S = 3_600;

const timeOf = (block: number): number => START_TIME + (block - START) * BLOCK_S;

type MovedRow = Parameters<typeof transfersOf>[2][number];

const erc20 = (token: Hex, source: Hex, destination: Hex, amount: bigint): MovedRow => ({
  kind: "erc20",
  token,
  source,
  destination,
  amount,
});

/** Movements of one transaction of the wallet, or to it. */
const deedOf = (dice: RandomBelow): readonly MovedRow[] => {
  const [units, dollars] = [BigInt(1 + dice(9_999_999)), BigInt(1 + dice(9_999_999))];
  const peer = PEERS[dice(PEERS.length)] ?? PEERS[0];
  const fee: MovedRow = { kind: "fee", token: "", source: WALLET, destination: "", amount: BigInt(1 + dice(1_000)) };
  const acts: readonly (() => readonly MovedRow[])[] = [
    () => [erc20(DOLLAR, WALLET, MARKET, dollars), erc20(TOKEN, MARKET, WALLET, units), fee],
    () => [erc20(TOKEN, WALLET, MARKET, units), erc20(DOLLAR, MARKET, WALLET, dollars), fee],
    () => [erc20(TOKEN, WALLET, MARKET, units), erc20(COIN, MARKET, WALLET, dollars), fee],
    () => [erc20(TOKEN, peer, WALLET, units), erc20(DOLLAR, peer, WALLET, dollars)],
    () => [erc20(TOKEN, WALLET, peer, units), fee],
    () => [{ kind: "native", token: "", source: peer, destination: WALLET, amount: units }],
    () => [erc20(DOLLAR, WALLET, SHARE, dollars), erc20(SHARE, "", WALLET, units), fee],
    () => [erc20(SHARE, WALLET, "", units), erc20(DOLLAR, SHARE, WALLET, dollars), fee],
    () => [erc20(DOLLAR, WALLET, LENDER, dollars), erc20(RECEIPT, "", WALLET, dollars), fee],
    () => [erc20(SPAM, peer, WALLET, units)],
  ];
  return acts[dice(acts.length)]?.() ?? [];
};

interface Block {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly transfers: readonly TableRows["transfers"][];
  readonly events: readonly TableRows["position_events"][];
}

/** Events of a lending pool when the wallet lends. */
const lentIn = (transfers: readonly TableRows["transfers"][]): TableRows["position_events"][] =>
  transfers
    .filter(({ destination }) => Buffer.from(destination).toString("hex") === LENDER)
    .map(({ network, block_number, tx_index, time, amount }) => ({
      ...{ network, block_number, tx_index, time, tx_hash: blockHash(Number(block_number)), kind: "lend" as const },
      subject: bytesOf(WALLET),
      log_index: tx_index,
      contract: bytesOf(LENDER),
      pool: new Uint8Array(),
      asset: bytesOf(DOLLAR),
      amount0: amount,
      amount1: 0n,
      liquidity: 0n,
    }));

const blockOf = (number: number, seed: number): Block => {
  const dice = diceOf(seed * 1_000 + number);
  const transfers = Array.from({ length: dice(3) }, (_, tx_index) => {
    const moved = deedOf(dice);
    const sender = moved.some(({ kind }) => kind === "fee") ? WALLET : PEERS[0];
    return transfersOf({ block: number, tx_index }, sender, moved).map((row) => ({ ...row, time: timeOf(number) }));
  }).flat();
  return { number, hash: blockHash((seed % 1_000_000) * 1_000 + number), transfers, events: lentIn(transfers) };
};

const headOf = ({ number, hash }: Block): TableRows["blocks"] => ({
  network: "demo",
  block_number: number,
  hash,
  parent_hash: blockHash(number - 1),
  time: timeOf(number),
  producer: bytesOf(MARKET),
  transaction_count: 1,
  has_traces: 1,
  verified: "full" as const,
});

export interface MutableWorld {
  readonly store: TestFacts;
  /** Adds blocks on top. */
  grow(blocks: number, seed: number): Promise<void>;
  /** Makes the oldest blocks of the tail final. */
  finalize(blocks: number): Promise<void>;
  /** Replaces the newest blocks of the tail. */
  reorganise(blocks: number, seed: number): Promise<void>;
  /** Stores the prices of the whole hours that are final. */
  price(): Promise<void>;
  /** Stores other prices of all these hours. */
  priceAnew(seed: number): Promise<void>;
  label(address: Hex, category: string): Promise<void>;
  describe(token: Hex, decimals: number): Promise<void>;
  /** Adds a pool whose share the token is. */
  sharePool(token: Hex): Promise<void>;
  /** Fills in blocks before the first one. */
  backfill(blocks: number): Promise<void>;
  close(): Promise<void>;
}

class MovingWorld implements MutableWorld {
  readonly store: TestFacts;
  #first = START;
  #tail: Block[] = [];
  #final = START - 1;
  #news = 1;
  #version = 1;
  #price_seed = 1;
  #priced_to = 0;

  constructor(store: TestFacts) {
    this.store = store;
  }

  async grow(blocks: number, seed: number): Promise<void> {
    const from = (this.#tail.at(-1)?.number ?? this.#final) + 1;
    const fresh = Array.from({ length: blocks }, (_, i) => blockOf(from + i, seed));
    this.#tail.push(...fresh);
    await this.#writeTail(fresh);
  }

  async finalize(blocks: number): Promise<void> {
    const ripe = this.#tail.splice(0, blocks);
    await this.#seed(ripe);
    this.#final = ripe.at(-1)?.number ?? this.#final;
    await this.store.writer.dropPromoted("demo", this.#final);
  }

  async reorganise(blocks: number, seed: number): Promise<void> {
    const kept = this.#tail.slice(0, Math.max(0, this.#tail.length - blocks));
    const lost = this.#tail.slice(kept.length);
    const [lowest] = lost;
    if (lowest === undefined) return;
    const first = await this.store.writer.dropHead("demo", lowest.number);
    this.#tail = [...kept, ...lost.map(({ number }) => blockOf(number, seed + 1))];
    await this.#writeTail(this.#tail.filter(({ number }) => number >= first));
  }

  async price(): Promise<void> {
    const last = Math.floor(timeOf(this.#final) / HOUR_S) * HOUR_S - HOUR_S;
    const from = this.#priced_to === 0 ? timeOf(START) : this.#priced_to + HOUR_S;
    const rows: TableRows["prices"][] = [];
    for (let hour = from; hour <= last; hour += HOUR_S) {
      const dice = diceOf(this.#price_seed * 7 + hour);
      for (const [token, usd] of [
        [TOKEN, 1 + dice(100)],
        [COIN, 1_000 + dice(1_000)],
        [DOLLAR, 1],
      ] as const) {
        rows.push({ ...priceRow(token, hour, usd), version: this.#version });
      }
      this.#priced_to = hour;
    }
    await this.store.writer.insert("prices", rows);
  }

  async priceAnew(seed: number): Promise<void> {
    this.#version += 1;
    this.#price_seed = seed;
    this.#priced_to = 0;
    await this.price();
  }

  async label(address: Hex, category: string): Promise<void> {
    const written_at = 1_700_000_000 + this.#tick();
    await this.store.writer.insert("labels", [
      {
        network: "demo",
        address: bytesOf(address),
        source: "test",
        label: "Somebody",
        category,
        entity: "",
        confidence: 1,
        evidence: "",
        written_at,
        valid_from: 0,
        licence: "",
        published_on: "",
      },
    ]);
  }

  async describe(token: Hex, decimals: number): Promise<void> {
    await this.store.writer.insert("tokens", [{ ...tokenRow(token, "TOK", decimals), read_at_block: this.#tick() }]);
  }

  async sharePool(token: Hex): Promise<void> {
    const pool = { pool: bytesOf(token), token0: bytesOf(DOLLAR), token1: bytesOf(TOKEN), factory: new Uint8Array() };
    await this.store.writer.insert("pools_read", [
      { network: "demo", family: "uniswap_v2", venue: "", fee_ppm: 0, tick_spacing: 0, ...pool },
    ]);
  }

  async backfill(blocks: number): Promise<void> {
    const from = this.#first - blocks;
    await this.#seed(Array.from({ length: blocks }, (_, i) => blockOf(from + i, 77)));
    this.#first = from;
  }

  close(): Promise<void> {
    return this.store.close();
  }

  #tick(): number {
    this.#news += 1;
    return this.#news;
  }

  async #seed(blocks: readonly Block[]): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return;
    await this.store.seed(
      { network: "demo", from: first.number, to: last.number, first: FIRST },
      {
        blocks: blocks.map(headOf),
        transfers: blocks.flatMap(({ transfers }) => transfers),
        position_events: blocks.flatMap(({ events }) => events),
      },
    );
  }

  async #writeTail(blocks: readonly Block[]): Promise<void> {
    const { writer } = this.store;
    await writer.insert(
      "transfers",
      blocks.flatMap(({ transfers }) => transfers),
      { is_tail: true },
    );
    await writer.insert(
      "position_events",
      blocks.flatMap(({ events }) => events),
      { is_tail: true },
    );
    await writer.insert("blocks", blocks.map(headOf), { is_tail: true });
  }
}

/** A world of ten final blocks, their prices, and a tail of eight. */
export const openWorld = async (): Promise<MutableWorld> => {
  const world = new MovingWorld(await openTestFacts());
  for (const [token, decimals] of [
    [DOLLAR, 6],
    [TOKEN, 6],
    [SHARE, 6],
    [RECEIPT, 6],
    [COIN, 18],
  ] as const) {
    await world.describe(token, decimals);
  }
  await world.grow(18, 1);
  await world.finalize(10);
  await world.price();
  return world;
};
