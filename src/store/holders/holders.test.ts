import { afterAll, beforeAll, expect, test } from "vitest";
import { blockRows, openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { sized } from "../../../test/long.ts";
import { diceOf, type RandomBelow } from "../../../test/random.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Snapshot } from "../facts.ts";
import type { TransfersRow } from "../tables.gen.ts";
import { HolderCache } from "./holder_cache.ts";
import { countOf, largestOf } from "./holders.ts";
import { openStates } from "./read_states.ts";

const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);
const STEPS = sized({ slice: 40, long: 400 });
/** The native coin among them. */
const TOKENS = [Buffer.alloc(0), testAddress(0x70), testAddress(0x71)];
const PEOPLE = 14;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const person = (n: number): Uint8Array => (n === 0 ? Buffer.alloc(0) : testAddress(0xa00 + n));

const transfer = (network: string, block_number: number, position: number) => ({
  ...{ network, block_number, tx_index: 0, position, time: 1_700_000_000 + 12 * block_number },
  ...{ kind: "erc20" as const, token_id: 0n, sender: testAddress(1) },
});

/** Holders summed by the engine over all movements, beside those from the cached counts. */
const compare = async (snapshot: Snapshot, tokens: readonly Hex[]): Promise<void> => {
  const [rows, counts, largest] = await Promise.all([
    store.facts.ask(snapshot, "token_holders", { tokens: [...tokens], shards: 1, shard: 0 }),
    store.facts.holderCounts(snapshot, tokens),
    store.facts.tokenHolders(snapshot, tokens, 1_024),
  ]);
  for (const [i, token] of tokens.entries()) {
    const row = rows.find((one) => one.token === token);
    const { holders = 0, supply = 0n, below_zero = 0, beyond = 0, doubtful = [] } = row ?? {};
    expect(counts[i]).toEqual({ holders, supply, below_zero, beyond, doubtful: doubtful.slice(0, 100) });
    const first = (row?.largest ?? []).map((holder, n) => ({ holder, amount: row?.amounts[n] }));
    expect(largest[i]).toEqual(first.slice(0, 1_024));
  }
};

class HolderHistory {
  readonly network: string;
  readonly #dice: RandomBelow;
  readonly #blocks = new Map<number, readonly TransfersRow[]>();
  #final = 9;
  #head = 9;

  constructor(network: string, dice: RandomBelow) {
    this.network = network;
    this.#dice = dice;
  }

  #draw(block: number): void {
    const moves = Array.from({ length: this.#dice(5) }, (_, position) => {
      const amount = this.#dice(9) === 0 ? 2n ** 256n - 1n - BigInt(this.#dice(2)) : BigInt(this.#dice(4));
      const [source, destination] = [person(this.#dice(PEOPLE)), person(this.#dice(PEOPLE))];
      const token = TOKENS[this.#dice(TOKENS.length)] ?? Buffer.alloc(0);
      return { ...transfer(this.network, block, position), token, source, destination, amount };
    });
    this.#blocks.set(block, moves);
  }

  #rows(from: number, to: number): TransfersRow[] {
    return Array.from({ length: to - from + 1 }, (_, n) => this.#blocks.get(from + n) ?? []).flat();
  }

  async begin(): Promise<void> {
    for (let block = 1; block <= this.#final; block += 1) this.#draw(block);
    await store.seed({ network: this.network, from: 1, to: this.#final }, { transfers: this.#rows(1, this.#final) });
  }

  async #write(from: number, to: number): Promise<void> {
    const { network } = this;
    await store.writer.insert("transfers", this.#rows(from, to), { is_tail: true });
    await store.writer.insert("blocks", blockRows({ network, from, to }), { is_tail: true });
  }

  async #grow(): Promise<void> {
    const [from, to] = [this.#head + 1, this.#head + 1 + this.#dice(3)];
    for (let block = from; block <= to; block += 1) this.#draw(block);
    await this.#write(from, to);
    this.#head = to;
  }

  async #reorganise(): Promise<void> {
    if (this.#head === this.#final) return;
    const from = this.#final + 1 + this.#dice(this.#head - this.#final);
    const gone = Math.max(await store.writer.dropHead(this.network, from), this.#final + 1);
    const to = from - 1 + this.#dice(3);
    for (let block = from; block <= to; block += 1) this.#draw(block);
    if (to >= gone) await this.#write(gone, to);
    this.#head = Math.max(to, gone - 1);
  }

  async #finalise(): Promise<void> {
    if (this.#head === this.#final) return;
    const [from, to] = [this.#final + 1, this.#final + 1 + this.#dice(this.#head - this.#final)];
    await store.seed({ network: this.network, from, to, first: 1 }, { transfers: this.#rows(from, to) });
    this.#final = to;
    if (this.#dice(2) === 0) await store.writer.dropPromoted(this.network, to);
  }

  async step(): Promise<void> {
    const steps = [this.#grow, this.#grow, this.#reorganise, this.#finalise];
    await steps[this.#dice(steps.length)]?.call(this);
  }

  /** Mostly the newest block. */
  as_of(): number | null {
    return this.#dice(4) === 0 ? 1 + this.#dice(this.#head) : null;
  }
}

test("holders equal those of the whole ledger after any movements, reorgs and finalization", async () => {
  const dice = diceOf(SEED);
  const story = new HolderHistory("moving", dice);
  await story.begin();
  for (let n = 0; n < STEPS; n += 1) {
    await story.step();
    const tokens = TOKENS.filter(() => dice(3) > 0).map(toHex);
    await compare(await store.facts.snapshot(story.network, story.as_of()), tokens);
  }
  const { hits, bytes } = store.facts.own(HolderCache);
  expect(hits).toBeGreaterThan(STEPS / 4);
  expect(bytes).toBeGreaterThan(0);
});

test("rereads lists that became too short, and finds no holders of a token that never moved", async () => {
  const network = "crowded";
  const token = testAddress(0x77);
  const crowd = Array.from({ length: 2_500 }, (_, n) => ({
    ...transfer(network, 1, n),
    ...{ token, source: Buffer.alloc(0), destination: testAddress(0x1000 + n), amount: BigInt(10_000 - n) },
  }));
  await store.seed({ network, from: 1, to: 1 }, { transfers: crowd });
  const ask = async () => compare(await store.facts.snapshot(network, null), [toHex(token), toHex(testAddress(0x78))]);
  await ask();
  const { hits } = store.facts.own(HolderCache);
  // The largest 1,025 holders send all they have, so one of the 2,048 listed holders is missing. A holder below the list gains, but
  // too little to enter it.
  const given = crowd.slice(0, 1_025).map((one, n) => ({
    ...one,
    ...{ block_number: 2, position: n, source: one.destination, destination: Buffer.alloc(0) },
  }));
  const more = { token, source: Buffer.alloc(0), destination: testAddress(0x1000 + 2_400), amount: 1n };
  const gone = [...given, { ...transfer(network, 2, given.length), ...more }];
  await store.writer.insert("transfers", gone, { is_tail: true });
  await store.writer.insert("blocks", blockRows({ network, from: 2, to: 2 }), { is_tail: true });
  await ask();
  expect(store.facts.own(HolderCache).hits).toBeGreaterThan(hits);
  await store.seed({ network, from: 2, to: 2, first: 1 }, { transfers: gone });
  await ask();
  await ask();
});

test("a snapshot that is older than what was counted is answered of its own block", async () => {
  const network = "behind";
  const token = testAddress(0x7a);
  const rows = (block: number) => [
    { ...transfer(network, block, 0), token, source: Buffer.alloc(0), destination: testAddress(block), amount: 1n },
  ];
  await store.seed({ network, from: 1, to: 1 }, { transfers: rows(1) });
  for (const block of [2, 3]) {
    await store.writer.insert("transfers", rows(block), { is_tail: true });
    await store.writer.insert("blocks", blockRows({ network, from: block, to: block }), { is_tail: true });
  }
  const older = await store.facts.snapshot(network, 2);
  for (const block of [2, 3])
    await store.seed({ network, from: block, to: block, first: 1 }, { transfers: rows(block) });
  const newest = await store.facts.snapshot(network, null);
  expect((await store.facts.holderCounts(newest, [toHex(token)]))[0]?.holders).toBe(3);
  await compare(older, [toHex(token)]);
  expect((await store.facts.holderCounts(older, [toHex(token)]))[0]?.holders).toBe(2);
});

test("what was read of blocks that were replaced meanwhile is not gone on from", async () => {
  const network = "replaced";
  const token = testAddress(0x7b);
  const [ann, bob] = [testAddress(0xa1), testAddress(0xb2)];
  const pay = (block: number, source: Uint8Array, destination: Uint8Array) => ({
    ...{ ...transfer(network, block, 0), token, source, destination, amount: 5n },
  });
  const write = async (block: number, row: TransfersRow): Promise<void> => {
    await store.writer.insert("transfers", [row], { is_tail: true });
    await store.writer.insert("blocks", blockRows({ network, from: block, to: block }), { is_tail: true });
  };
  await store.seed({ network, from: 1, to: 1 }, { transfers: [pay(1, Buffer.alloc(0), ann)] });
  await write(2, pay(2, ann, bob));
  const snapshot = await store.facts.snapshot(network, null);
  const { facts } = store;
  const between: typeof facts = {
    ...facts,
    async balanceOf(...asked) {
      await store.writer.dropHead(network, 2);
      return facts.balanceOf(...asked);
    },
  };
  await openStates()(between, snapshot, [toHex(token)]);
  await write(2, pay(2, ann, testAddress(0xc3)));
  await compare(await facts.snapshot(network, null), [toHex(token)]);
  await write(3, pay(3, testAddress(0xc3), bob));
  await compare(await facts.snapshot(network, null), [toHex(token)]);
});

test("what was held before the first block counts from the first movement on", async () => {
  const network = "opened";
  const token = testAddress(0x79);
  const [ann, bob] = [testAddress(0xa1), testAddress(0xb2)];
  const move = { token, source: ann, destination: bob, amount: 4n };
  const opening = (holder: Uint8Array) => ({ network, holder, token, amount: 10n, block_number: 0 });
  await store.writer.insert("openings", [opening(ann), opening(bob)]);
  await store.seed({ network, from: 1, to: 2 }, { transfers: [{ ...transfer(network, 1, 0), ...move }] });
  const ask = async () => {
    const snapshot = await store.facts.snapshot(network, null);
    await compare(snapshot, [toHex(token)]);
    return (await store.facts.holderCounts(snapshot, [toHex(token)]))[0]?.holders;
  };
  expect(await ask()).toBe(2);
  await store.writer.insert("openings", [opening(testAddress(0xc3))]);
  const next = { ...transfer(network, 3, 0), ...move, source: testAddress(0xc3) };
  await store.writer.insert("transfers", [next], { is_tail: true });
  await store.writer.insert("blocks", blockRows({ network, from: 3, to: 3 }), { is_tail: true });
  expect(await ask()).toBe(3);
});

test("what is too much for one question is counted in shards of the addresses", async () => {
  const network = "sharded";
  const token = testAddress(0x75);
  const dice = diceOf(SEED + 3);
  const wrong = { source: testAddress(0x9999), destination: testAddress(0x9998), amount: 2n ** 255n };
  const rows = Array.from({ length: 3_000 }, (_, n) => ({
    ...{
      ...transfer(network, 1 + (n % 3), n),
      token,
      source: Buffer.alloc(0),
      destination: testAddress(0x20_000 + dice(2_400)),
    },
    amount: BigInt(dice(1_000)),
    ...(n % 500 === 0 ? wrong : {}),
  }));
  const first = rows.filter(({ block_number }) => block_number < 3);
  await store.seed({ network, from: 1, to: 2 }, { transfers: first });
  await store.seed({ network, from: 3, to: 3, first: 1 }, { transfers: rows.filter((row) => !first.includes(row)) });
  const asked: number[] = [];
  const { facts } = store;
  const small: typeof facts = {
    ...facts,
    ask: (snapshot, query, params) => {
      const { shards } = params as { readonly shards?: number };
      if (query === "token_holders") asked.push(shards ?? 0);
      if (query === "token_holders" && shards === 1)
        throw new AssayError({ code: "TOO_LARGE", message: "too much at once" });
      return facts.ask(snapshot, query, params);
    },
  };
  // Of the past, so that nothing is kept.
  const snapshot = await facts.snapshot(network, 2);
  const tokens = [toHex(token)];
  const [found] = await openStates()(small, snapshot, tokens);
  expect(asked).toEqual([1, 4, 4, 4, 4]);
  expect(found?.largest.items.length).toBeGreaterThan(1_024);
  const [counts, largest] = await Promise.all([
    facts.holderCounts(snapshot, tokens),
    facts.tokenHolders(snapshot, tokens, 1_024),
  ]);
  expect(found && countOf(found)).toEqual(counts[0]);
  expect(found && largestOf(found, 1_024)).toEqual(largest[0]);
  expect(found?.below_zero).toBe(1);
});
