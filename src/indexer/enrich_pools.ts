import type { CallResult, ContractCall } from "../chains/chain.ts";
import { POOL_FAMILIES, type PoolFamily } from "../knowledge/pool_families.gen.ts";
import type { PoolReads } from "../knowledge/pool_family_row.ts";
import { allEnded } from "../lib/all_ended.ts";
import { type Bytes, concatHex, EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { intAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { plainFamily } from "../protocols/pool_families.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import { venueFee } from "./decode_pools.ts";
import type { EnrichOptions } from "./enrich.ts";
import { isPairPool, readPairs } from "./enrich_pairs.ts";
import { inParts, KnownKeys } from "./known_keys.ts";
import { addressOf, callAll, findCall, foundPool, selectorOf, wordOf } from "./pool_calls.ts";
import type { BlockRows } from "./rows.ts";

const POOLS_REMEMBERED_MAX = 1_000_000;
const POOLS_PER_READ = 200;

/** Of exchanges of one token against the native coin (protocols/uniswap_v1.ts). */
const FACTORY_ADDRESS = "factoryAddress()";
const TOKEN_ADDRESS = "tokenAddress()";
const GET_EXCHANGE = selectorOf("getExchange(address)");
const ADDRESS_DIGITS = 40;

/** How the events of a contract state what it holds. */
type PoolShape = "product" | "square_root" | "none";

interface ReadFamily {
  readonly family: PoolFamily;
  readonly shape: PoolShape;
  readonly reads: PoolReads;
}

/** Families of contracts that answer for themselves. */
const READ_FAMILIES: readonly ReadFamily[] = POOL_FAMILIES.flatMap(({ family, price, reads }) => {
  if (reads === null || price === "hooks") return [];
  return [{ family, shape: price === "stable" ? ("product" as const) : price, reads }];
});

const callsOf = ({ factory, tokens, fee_ppm, tick_spacing, variant }: PoolReads): readonly string[] =>
  [factory, ...tokens, fee_ppm, tick_spacing, variant?.call ?? null].filter((call) => call !== null);

/** Calls to a contract of each shape. */
const CALLS: Readonly<Record<PoolShape, readonly string[]>> = {
  product: [...new Set([...callsOfShape("product"), FACTORY_ADDRESS, TOKEN_ADDRESS])],
  square_root: callsOfShape("square_root"),
  none: [...new Set([...callsOfShape("none"), FACTORY_ADDRESS, TOKEN_ADDRESS])],
};

function callsOfShape(shape: PoolShape): readonly string[] {
  return [...new Set(READ_FAMILIES.filter((one) => one.shape === shape).flatMap(({ reads }) => callsOf(reads)))];
}

/** Unconfirmed statements about itself by a contract that emits pool events. */
interface PoolClaim {
  readonly pool: Hex;
  readonly family: PoolFamily;
  readonly factory: Bytes;
  readonly token0: Bytes;
  readonly token1: Bytes;
  /** 0: unknown. */
  readonly fee_ppm: number;
  readonly tick_spacing: number;
  readonly confirmation: ContractCall;
  readonly confirmed: (answer: CallResult | undefined) => Bytes | null;
}

/**
 * Pools whose creation is not in the indexed blocks. Any contract can emit their events, so the factory that a contract
 * names must confirm the pool; the venue shows whether that factory is known ('' = not in the list).
 */
export class PoolReader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store" | "venues">;
  /** Pools with a row, and contracts that are no pools. */
  readonly #seen = new KnownKeys(POOLS_REMEMBERED_MAX);

  constructor(parts: Pick<EnrichOptions, "chain" | "store" | "venues">) {
    this.#parts = parts;
  }

  /** @returns the rows that were added */
  async read(rows: BlockRows, signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    for (const { pool } of rows.pools) this.#seen.add(toHex(pool));
    const shapes = new Map<Hex, PoolShape>();
    for (const { pool, sqrt_price_x96 } of rows.pool_states) {
      shapes.set(toHex(pool), sqrt_price_x96 > 0n ? "square_root" : "product");
    }
    // A concentrated pool reports no state when liquidity comes or goes; pools of reserves do.
    for (const { pool } of rows.liquidity_events) {
      const id = toHex(pool);
      if (!shapes.has(id)) shapes.set(id, "square_root");
    }
    for (const { pool } of rows.swaps) {
      const id = toHex(pool);
      if (!shapes.has(id)) shapes.set(id, "none");
    }
    // A pool inside another contract cannot be queried: it is known from its beginning, or not at all.
    const unseen = [...shapes].filter(([pool]) => pool.length === ADDRESS_DIGITS && !this.#seen.has(pool));
    const pairs = rows.swaps.flatMap(({ pool }) => (isPairPool(pool) ? toHex(pool) : []));
    const unseen_pairs = [...new Set(pairs)].filter((pool) => !this.#seen.has(pool));
    const added: PoolsReadRow[] = [];
    const keep = async (read: Promise<readonly PoolsReadRow[]>): Promise<void> => void added.push(...(await read));
    await allEnded([
      inParts(unseen, POOLS_PER_READ, (part) => keep(this.#readPart(part, signal))),
      inParts(unseen_pairs, POOLS_PER_READ, (part) => keep(this.#readPairs(part, signal))),
    ]);
    await keep(this.#keepTold(rows.pools_told, signal));
    return added;
  }

  /** Pools that the chain itself states need no confirmation. */
  async #keepTold(told: BlockRows["pools_told"], signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    const unseen = told.filter(({ pool }) => !this.#seen.has(toHex(pool)));
    const fresh = new Set<Hex>();
    const pools = unseen.map(({ pool }) => toHex(pool));
    await inParts(pools, POOLS_PER_READ, async (part) => {
      for (const pool of await this.#without(part, signal)) fresh.add(pool);
    });
    const added = unseen.filter(({ pool }) => fresh.has(toHex(pool)));
    await this.#parts.store.writer.insert("pools_read", added, { signal });
    for (const pool of pools) this.#seen.add(pool);
    return added;
  }

  /** Those of `pools` that have no row yet. */
  async #without(pools: readonly Hex[], signal: AbortSignal): Promise<ReadonlySet<Hex>> {
    const { chain, store } = this.#parts;
    const known = await queryRows(endingWith(store.engine, signal), "indexer/pools_known", {
      network: chain.network.id,
      pools,
    });
    const fresh = new Set(pools);
    for (const { pool } of known) fresh.delete(pool);
    return fresh;
  }

  async #readPairs(pools: readonly Hex[], signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    const { chain, store, venues } = this.#parts;
    const { id, wrapped_native } = chain.network;
    const fresh = [...(await this.#without(pools, signal))];
    const rows = await readPairs({ network: id, wrapped_native, venues, call: chain.call }, fresh, signal);
    await store.writer.insert("pools_read", rows, { signal });
    for (const pool of pools) this.#seen.add(pool);
    return rows;
  }

  async #readPart(
    pools: readonly (readonly [Hex, PoolShape])[],
    signal: AbortSignal,
  ): Promise<readonly PoolsReadRow[]> {
    const { chain, store } = this.#parts;
    const fresh = await this.#without(
      pools.map(([pool]) => pool),
      signal,
    );
    const claims = await this.#claims(
      pools.filter(([pool]) => fresh.has(pool)),
      signal,
    );
    const answers = await callAll(
      chain.call,
      claims.map(({ confirmation }) => confirmation),
      signal,
    );
    const real = new Map<Hex, PoolClaim>();
    for (const [at, claim] of claims.entries()) {
      const address = claim.confirmed(answers[at]);
      if (address !== null && toHex(address) === claim.pool && !real.has(claim.pool)) real.set(claim.pool, claim);
    }
    const rows = [...real.values()].map((claim) => this.#rowOf(claim));
    await store.writer.insert("pools_read", rows, { signal });
    for (const [pool] of pools) this.#seen.add(pool);
    return rows;
  }

  async #claims(pools: readonly (readonly [Hex, PoolShape])[], signal: AbortSignal): Promise<readonly PoolClaim[]> {
    const calls = pools.flatMap(([to, shape]) => CALLS[shape].map((call) => ({ to, data: selectorOf(call) })));
    const answers = await callAll(this.#parts.chain.call, calls, signal);
    let next = 0;
    return pools.flatMap(([pool, shape]) => {
      const said = new Map(CALLS[shape].map((call) => [call, answers[next++]]));
      const single = this.#singleClaim(pool, said);
      if (single !== null) return [single];
      return READ_FAMILIES.filter((one) => one.shape === shape).flatMap((one) => this.#claim(pool, one, said));
    });
  }

  /** The statements of a contract, read as those of a pool of a family. A listed factory makes pools of its own family only. */
  #claim(pool: Hex, { family, reads }: ReadFamily, said: Answers): readonly PoolClaim[] {
    const [factory, token0, token1] = [reads.factory, ...reads.tokens].map((call) => addressOf(said.get(call)));
    const terms = termsOf(reads, said);
    if (factory == null || token0 == null || token1 == null || terms === null) return [];
    const listed = this.#parts.venues.get(toHex(factory));
    if (listed !== undefined && listed.family !== plainFamily(family)) return [];
    const { find } = reads;
    const third = find.third === "fee_ppm" ? terms.fee_ppm : terms.tick_spacing;
    const confirmation = findCall(toHex(factory), find, { tokens: [toHex(token0), toHex(token1)], third });
    const confirmed = (answer: CallResult | undefined) => foundPool(find, answer);
    return [{ pool, family, factory, token0, token1, ...terms, confirmation, confirmed }];
  }

  /** Its factory knows it by its one token: the other is the native coin. */
  #singleClaim(pool: Hex, said: Answers): PoolClaim | null {
    const coin = this.#parts.chain.network.wrapped_native;
    const token0 = coin === null ? null : fromHex(coin);
    const [factory, token1] = [FACTORY_ADDRESS, TOKEN_ADDRESS].map((call) => addressOf(said.get(call)));
    if (factory == null || token0 === null || token1 == null) return null;
    const confirmation = { to: toHex(factory), data: concatHex(GET_EXCHANGE, wordOf(token1)) };
    const terms = { fee_ppm: 0, tick_spacing: 0 };
    return { pool, family: "uniswap_v2", factory, token0, token1, ...terms, confirmation, confirmed: addressOf };
  }

  #rowOf({ pool, family, factory, token0, token1, fee_ppm: own, tick_spacing }: PoolClaim): PoolsReadRow {
    const listed = this.#parts.venues.get(toHex(factory));
    const venue = listed?.family === plainFamily(family) ? listed : null;
    const fee_ppm = own > 0 ? own : venueFee(family, venue);
    const network = this.#parts.chain.network.id;
    const known = { family, venue: venue?.venue ?? "", factory, token0, token1 };
    return { network, pool: fromHex(pool) ?? EMPTY, ...known, fee_ppm, tick_spacing };
  }
}

type Answers = ReadonlyMap<string, CallResult | undefined>;

const wordIn = (said: Answers, call: string): Bytes | null => {
  const answer = said.get(call);
  return answer?.ok === true && answer.data.length === WORD_BYTES ? answer.data : null;
};

/** Fee (uint24) and tick spacing (int24) where the family states them, else 0; null for a contract of another family. */
const termsOf = ({ fee_ppm: fee_call, tick_spacing: spacing_call, variant }: PoolReads, said: Answers) => {
  const flag = variant === null ? null : wordIn(said, variant.call);
  if (variant !== null && (flag === null || uintAt(flag, 0) !== BigInt(variant.is))) return null;
  const [fee, spacing] = [fee_call, spacing_call].map((call) => (call === null ? undefined : wordIn(said, call)));
  if (fee === null || spacing === null) return null;
  const fee_ppm = fee === undefined ? 0n : uintAt(fee, 0);
  const tick_spacing = spacing === undefined ? 1n : intAt(spacing, 0);
  if (fee_ppm >= 1n << 24n || tick_spacing <= 0n || tick_spacing >= 1n << 23n) return null;
  return { fee_ppm: Number(fee_ppm), tick_spacing: spacing === undefined ? 0 : Number(tick_spacing) };
};
