import { afterAll, beforeAll, expect, test } from "vitest";
import { factsHash } from "../../test/facts_hash.ts";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { is_long } from "../../test/long.ts";
import type { Block } from "../chains/chain.ts";
import { type Hex, hex, intToHex, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import type { Engine } from "../store/engine.ts";
import { openWriter } from "../store/writer.ts";
import { decodeBlock } from "./decode.ts";
import { dropNetwork } from "./drop_network.ts";
import type { IndexEnding } from "./ending.ts";
import { openEnricher } from "./enrich.ts";
import { openIndexStore } from "./index_store.ts";
import { OpeningPass } from "./opening_pass.ts";
import type { SegmentOptions } from "./options.ts";
import { NetworkIndexer } from "./run.ts";
import { ownRanges } from "./shared_ranges.ts";

const HEAD = 200;
const FINAL = 160;
/** Block n pays n units to one of these: address 1 + n % HOLDERS. */
const HOLDERS = 40;
const signal = new AbortController().signal;
const bytes = (text: Hex) => Buffer.from(text, "hex");

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const hashOf = (number: number, salt = 0): Hex => intToHex(BigInt(number + 1 + salt), 32);
const holderOf = (number: number) => testAddress(1 + (number % HOLDERS));

const blockOf = (number: number, salt: number): Block => ({
  number,
  hash: bytes(hashOf(number, salt)),
  parent_hash: bytes(hashOf(number - 1, salt)),
  time: 1_700_000_000 + 12 * number,
  producer: testAddress(0xbeef),
  base_fee: null,
  transactions: [],
  issuance: [{ kind: "reward", address: holderOf(number), amount: BigInt(number) }],
  has_traces: true,
  verified: "full",
});

/** A holder's balance after block `at`: the sum of all n up to it that are paid to it. */
const heldAt = (holder: Hex, at: number): bigint => {
  let sum = 0n;
  for (let n = 0; n <= at; n += 1) if (toHex(holderOf(n)) === holder) sum += BigInt(n);
  return sum;
};

interface OriginCase {
  readonly network: string;
  readonly from_block: number;
  readonly openings?: "read" | "skip";
  readonly archive?: boolean;
  readonly engine?: Engine;
  /** Another chain of the same id if it is not 0. */
  readonly salt?: number;
  readonly onTurn?: () => Promise<void>;
}

const indexerOf = (asked: OriginCase): NetworkIndexer => {
  const { network: id, from_block, openings = "read", archive = true, salt = 0, onTurn } = asked;
  const refOf = (number: number) => {
    const { hash, parent_hash, time } = blockOf(number, salt);
    return { number, hash: toHex(hash), parent_hash: toHex(parent_hash), time };
  };
  const chain = {
    ...fixedChain({ network: { id }, can: { archive } }),
    head: async () => refOf(HEAD),
    finalized: async () => {
      await onTurn?.();
      return FINAL;
    },
    ref: async (number: number) => refOf(number),
    blocks: async (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => blockOf(from + i, salt)),
    nativeBalances: async (holders: readonly Hex[], _: AbortSignal, at = HEAD) =>
      holders.map((holder) => heldAt(holder, at)),
  };
  const engine = asked.engine ?? store.engine;
  const own_store = { ...store, engine, writer: openWriter(engine) };
  const enriched = { chain, store: own_store, from_block, log: silentLog };
  const own: SegmentOptions = {
    chain,
    store: openIndexStore(own_store, chain.network, Date.now),
    decode: (block) => decodeBlock(block, chain.network, new Map()),
    complete: async () => undefined,
    enrich: openEnricher({ ...enriched, venues: new Map(), openings }),
    openings,
    segment_rows: 75_000,
    log: silentLog,
  };
  const pass = new OpeningPass(enriched);
  return new NetworkIndexer({
    ...own,
    ranges: ownRanges(engine, own),
    openMoved: async (stop) => {
      await onTurn?.();
      return pass.step(stop);
    },
    pricedShare: () => null,
    updatePrices: async () => undefined,
    deriveAgain: () => undefined,
    updateCohorts: async () => false,
    writeListedLabels: async () => undefined,
    updateLabels: async () => undefined,
    ...{ from_block, oldest_block: null, to_block: null, poll_ms: 1, now: () => 0, now_ms: Date.now },
  });
};

const index = (asked: OriginCase): Promise<IndexEnding> => indexerOf(asked).run({ once: true, signal });

const contentOf = (network: string) => factsHash(store.engine, network, FINAL - 1);
const originOf = async (network: string) =>
  (await openIndexStore(store, fixedChain({ network: { id: network } }).network, Date.now).origin()) ?? null;
const coverageOf = async (network: string) => (await store.facts.snapshot(network, null)).coverage;

/** Compares every holder's balance with the chain, with coverage of the same snapshot. */
const balancesOf = async (network: string) => {
  const snapshot = await store.facts.snapshot(network, null);
  const holders = Array.from({ length: HOLDERS }, (_, i) => toHex(testAddress(1 + i)));
  const amounts = await store.facts.balanceOf(
    snapshot,
    holders.map((holder) => ({ holder, token: hex("") })),
  );
  const is_exact = holders.every((holder, i) => amounts[i] === heldAt(holder, HEAD));
  return { is_exact, is_current: await store.facts.isCurrent(snapshot), complete: snapshot.coverage.complete };
};

let clean: Record<string, string>;
beforeAll(async () => {
  expect(await index({ network: "clean", from_block: 32 })).toBe("done");
  clean = await contentOf("clean");
});

test("a lowered first block makes history grow backwards, with other openings, to the rows of a clean run", async () => {
  const network = "lowered";
  expect(await index({ network, from_block: 96 })).toBe("done");
  expect(await balancesOf(network)).toEqual({ is_exact: true, is_current: true, complete: true });
  const seen: unknown[] = [];
  const onTurn = async () => {
    const { is_exact, is_current, complete } = await balancesOf(network);
    // At every instant: exact, or marked incomplete, or to be read again.
    expect(is_exact || !complete || !is_current).toBe(true);
    seen.push(complete);
  };
  expect(await index({ network, from_block: 32, onTurn })).toBe("done");
  expect(seen).toContain(false);
  expect(await contentOf(network)).toEqual(clean);
  expect(await balancesOf(network)).toEqual({ is_exact: true, is_current: true, complete: true });
  expect(await coverageOf(network)).toMatchObject({ from_block: 32, complete: true, gaps: [] });
  expect(await originOf(network)).toMatchObject({ from_block: 32, from_hash: hashOf(32), is_opened: 1 });
});

test("a call that began before the first block was lowered is repeated", async () => {
  const network = "under_way";
  await index({ network, from_block: 96 });
  const snapshot = await store.facts.snapshot(network, FINAL - 10);
  expect(snapshot.coverage.complete).toBe(true);
  const stop = new AbortController();
  const onTurn = async () => stop.abort();
  await indexerOf({ network, from_block: 32, onTurn }).run({ once: true, signal: stop.signal });
  expect(await store.facts.isCurrent(snapshot)).toBe(false);
});

test.skipIf(!is_long)("lowered to the chain's first block, there is nothing before it", async () => {
  const network = "to_genesis";
  await index({ network, from_block: 64 });
  expect(await index({ network, from_block: 0 })).toBe("done");
  await index({ network: "from_genesis", from_block: 0 });
  expect(await contentOf(network)).toEqual(await contentOf("from_genesis"));
  expect(await balancesOf(network)).toMatchObject({ is_exact: true, complete: true });
});

/** The engine fails at one of the statements that move an origin, before or after it runs: like a kill there. */
const cutAt = (at: number, is_after: boolean): { readonly engine: Engine; readonly wasCut: () => boolean } => {
  let [count, is_cut] = [0, false];
  const around = async <T>(table: string, work: () => Promise<T>): Promise<T> => {
    if (is_cut) throw new Error("killed");
    if (!["networks", "openings", "openings_by_token"].includes(table)) return work();
    count += 1;
    if (count !== at) return work();
    is_cut = true;
    if (is_after) await work();
    throw new Error("killed");
  };
  const engine: Engine = {
    ...store.engine,
    command: (sql, options) =>
      around(/^DELETE FROM (\w+)/.exec(sql)?.[1] ?? "", () => store.engine.command(sql, options)),
    insert: (into, rows, options) => around(into.table, () => store.engine.insert(into, rows, options)),
  };
  return { engine, wasCut: () => is_cut };
};

/** In the slice: killed before the second statement, and after the third one. */
const SLICE: readonly [number, number] = [2, 3];

test("after a kill at each step of lowering the next run completes it", async () => {
  let cuts = 0;
  for (const is_after of [false, true])
    for (let at = 1; is_long || at <= SLICE[is_after ? 1 : 0]; at += 1) {
      if (!is_long && at < SLICE[is_after ? 1 : 0]) continue;
      const network = `cut_${at}_${is_after}`;
      await index({ network, from_block: 96 });
      const { engine, wasCut } = cutAt(at, is_after);
      const stop = new AbortController();
      const running = indexerOf({ network, from_block: 32, engine }).run({ once: true, signal: stop.signal });
      const watched = setInterval(() => wasCut() && stop.abort(), 1);
      await running;
      clearInterval(watched);
      if (!wasCut()) break;
      cuts += 1;
      const { is_exact, complete } = await balancesOf(network);
      expect(is_exact || !complete).toBe(true);
      expect(await index({ network, from_block: 32 })).toBe("done");
      expect(await contentOf(network)).toEqual(clean);
      expect(await coverageOf(network)).toMatchObject({ complete: true });
    }
  // At least two deletions, two origins and one insertion of openings, before and after each.
  expect(cuts).toBeGreaterThanOrEqual(is_long ? 10 : 2);
}, 600_000);

test("without openings a lowered first block is filled up to, and counts from the chain's first block on", async () => {
  const network = "skipped";
  await index({ network, from_block: 64, openings: "skip" });
  expect(await coverageOf(network)).toMatchObject({ from_block: 64, complete: false });
  expect(await index({ network, from_block: 0, openings: "skip" })).toBe("done");
  expect(await coverageOf(network)).toMatchObject({ from_block: 0, complete: true });
});

test("openings that no node had at first are read as soon as one has them", async () => {
  const network = "archived_later";
  await index({ network, from_block: 32, archive: false });
  expect(await coverageOf(network)).toMatchObject({ complete: false });
  expect(await index({ network, from_block: 32 })).toBe("done");
  expect(await contentOf(network)).toEqual(clean);
  expect(await balancesOf(network)).toMatchObject({ is_exact: true, complete: true });
});

test("a first block that is raised drops nothing: older blocks stay and count", async () => {
  const network = "raised";
  await index({ network, from_block: 32 });
  expect(await index({ network, from_block: 96 })).toBe("done");
  expect(await originOf(network)).toMatchObject({ from_block: 32, is_opened: 1 });
  expect(await contentOf(network)).toEqual(clean);
  expect(await balancesOf(network)).toMatchObject({ is_exact: true, complete: true });
});

test("the store still belongs to one chain", async () => {
  const network = "other_chain";
  await index({ network, from_block: 96 });
  const indexer = indexerOf({ network, from_block: 32, salt: 7 });
  expect(await indexer.run({ once: true, signal })).toBe("failed");
  expect(indexer.status()).toMatchObject({ state: "failed", trouble: "WRONG_CHAIN" });
  expect(indexer.status().problem).toMatch(/block 96 of the node is not the one that was indexed/);
  expect(await originOf(network)).toMatchObject({ from_block: 96 });
});

test("dropped facts leave nothing behind, and another chain can then be indexed", async () => {
  const network = "dropped";
  await index({ network, from_block: 32 });
  const snapshot = await store.facts.snapshot(network, FINAL - 10);
  await dropNetwork(store.engine, network, signal);
  await expect(store.facts.snapshot(network, null)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  expect(await store.facts.isCurrent(snapshot)).toBe(false);
  // Labels that ship with the project hold on every network.
  const left = Object.entries(await contentOf(network)).filter(
    ([of, said]) => of !== "labels" && !said.startsWith("0 "),
  );
  expect(left).toEqual([]);
  expect(await index({ network, from_block: 32, salt: 7 })).toBe("done");
  expect((await store.facts.snapshot(network, FINAL - 10)).block.hash).toBe(hashOf(FINAL - 10, 7));
  expect(await balancesOf(network)).toMatchObject({ is_exact: true, complete: true });
});

test("an interrupted drop is finished by the next indexer", async () => {
  const network = "half_dropped";
  await index({ network, from_block: 32 });
  let statements = 0;
  const command: Engine["command"] = async (sql, options) => {
    statements += 1;
    if (statements > 5) throw new AssayError({ code: "FACTS_UNAVAILABLE", message: "killed", retryable: true });
    await store.engine.command(sql, options);
  };
  await expect(dropNetwork({ ...store.engine, command }, network, signal)).rejects.toThrow("killed");
  await expect(store.facts.snapshot(network, null)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  expect(await index({ network, from_block: 32 })).toBe("done");
  expect(await contentOf(network)).toEqual(clean);
});
