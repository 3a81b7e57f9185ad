import type { EventLog } from "../chains/chain.ts";
import { POOL_EVENTS, type PoolFamily } from "../knowledge/pool_families.gen.ts";
import type { PoolEvent } from "../knowledge/pool_family_row.ts";
import { type Bytes, EMPTY } from "../lib/bytes.ts";
import { WORD_BYTES } from "../lib/words.ts";
import { bytesReader, numberReader, wordReader } from "./log_fields.ts";
import { isManaged } from "./pool_families.ts";
import { type Fact, NOTHING, type Protocol } from "./protocol.ts";
import { orVoid } from "./topics.ts";

/** Events of pools, as `knowledge/pool_families.yaml` describes them. */

type PoolEventFields = PoolEvent["fields"];
type Role = keyof PoolEventFields;
type ReadNumber = (log: EventLog) => bigint | null;
type ReadBytes = (log: EventLog) => Bytes;
type Reader = (log: EventLog) => readonly Fact[];

const ADDRESS_BYTES = 20;
const INT256_LIMIT = 1n << 255n;
/** More than any token's supply; a larger value is not a reserve, nor a pool's liquidity. */
const AMOUNT_LIMIT = 1n << 128n;
const LIQUIDITY_LIMIT = 1n << 127n;

/** The number of a role; 0 where the event does not have it. */
const numberOf = (fields: PoolEventFields, role: Role): ReadNumber => {
  const field = fields[role];
  return field === undefined ? () => 0n : numberReader(field);
};

/** No bytes where the event does not have the role. */
const bytesOf = (fields: PoolEventFields, role: Role): ReadBytes => {
  const field = fields[role];
  return field === undefined ? () => EMPTY : bytesReader(field);
};

/** Hostile words can differ by more than a signed column holds. */
const fits = (amount: bigint): boolean => amount >= -INT256_LIMIT && amount < INT256_LIMIT;

type ReadPool = (log: EventLog) => { readonly pool?: Bytes } | null;

/** The pool that an event names, if it names one. */
const poolReader = (fields: PoolEventFields): ReadPool => {
  const field = fields.pool;
  if (field === undefined) return () => ({});
  const read = bytesReader(field);
  const length = field.endsWith(" address") ? ADDRESS_BYTES : WORD_BYTES;
  return (log) => {
    const pool = read(log);
    return pool.length === length ? { pool } : null;
  };
};

const stateReader = (
  fields: PoolEventFields,
): ((log: EventLog) => Omit<Fact & { fact: "pool_state" }, "pool"> | null) => {
  const [read0, read1] = [numberOf(fields, "reserve0"), numberOf(fields, "reserve1")];
  const [readRoot, readLiquidity] = [numberOf(fields, "sqrt_price_x96"), numberOf(fields, "liquidity")];
  const readTick = numberOf(fields, "tick");
  return (log) => {
    const [reserve0, reserve1, sqrt_price_x96] = [read0(log), read1(log), readRoot(log)];
    const [liquidity, tick] = [readLiquidity(log), readTick(log)];
    if (reserve0 === null || reserve1 === null || sqrt_price_x96 === null || liquidity === null || tick === null)
      return null;
    if (reserve0 >= AMOUNT_LIMIT || reserve1 >= AMOUNT_LIMIT) return null;
    return { fact: "pool_state", reserve0, reserve1, sqrt_price_x96, liquidity, tick: Number(tick) };
  };
};

/** A state beside another fact; `null` where the log only resembles the event. */
const stateBeside = (
  fields: PoolEventFields,
): ((log: EventLog, named: { readonly pool?: Bytes }) => readonly Fact[] | null) => {
  if (fields.sqrt_price_x96 === undefined) return () => NOTHING;
  const read = stateReader(fields);
  return (log, named) => {
    const state = read(log);
    return state === null ? null : [{ ...state, ...named }];
  };
};

const stateFacts = ({ fields }: PoolEvent): Reader => {
  const read = stateReader(fields);
  return (log) => {
    const state = read(log);
    return state === null ? NOTHING : [state];
  };
};

/** The family of an announced pool: its variant, if the field has one of the bits. */
const familyReader = ({ family, variant }: PoolEvent): ((log: EventLog) => PoolFamily | null) => {
  if (variant === undefined) return () => family;
  const mask = BigInt(variant.mask);
  const read = wordReader(variant.field);
  const check = variant.field.endsWith(" bool") ? numberReader(variant.field) : read;
  return (log) => (check(log) === null ? null : (read(log) & mask) === 0n ? family : variant.family);
};

const poolFacts = (row: PoolEvent): Reader => {
  const { fields, family } = row;
  const readPool = poolReader(fields);
  const [read0, read1] = [bytesOf(fields, "token0"), bytesOf(fields, "token1")];
  const [readFee, readSpacing] = [numberOf(fields, "fee_ppm"), numberOf(fields, "tick_spacing")];
  const [readHooks, readFamily, beside] = [bytesOf(fields, "hooks"), familyReader(row), stateBeside(fields)];
  const is_managed = isManaged(family);
  return (log) => {
    const named = readPool(log);
    const [fee, spacing, family_of_pool] = [readFee(log), readSpacing(log), readFamily(log)];
    if (named?.pool === undefined || fee === null || spacing === null || family_of_pool === null) return NOTHING;
    // Managers write the zero address for the native coin.
    const token0 = is_managed ? orVoid(read0(log)) : read0(log);
    const terms = { fee_ppm: fields.fee_ppm === undefined ? null : Number(fee), tick_spacing: Number(spacing) };
    const states = beside(log, named);
    if (states === null) return NOTHING;
    const tokens = { token0, token1: read1(log) };
    const hooks = orVoid(readHooks(log));
    return [{ fact: "pool", family: family_of_pool, pool: named.pool, ...tokens, ...terms, hooks }, ...states];
  };
};

interface TradedAmounts {
  readonly amount0: bigint;
  readonly amount1: bigint;
}
type ReadAmounts = (log: EventLog) => TradedAmounts | null;

/** Changes of the pool's reserves. */
const amountsReader = ({ fields, of_trader }: PoolEvent): ReadAmounts => {
  if (fields.in0 !== undefined) {
    const reads = [
      numberOf(fields, "in0"),
      numberOf(fields, "in1"),
      numberOf(fields, "out0"),
      numberOf(fields, "out1"),
    ];
    return (log) => {
      const [in0 = null, in1 = null, out0 = null, out1 = null] = reads.map((read) => read(log));
      if (in0 === null || in1 === null || out0 === null || out1 === null) return null;
      return { amount0: in0 - out0, amount1: in1 - out1 };
    };
  }
  if (fields.is_first_paid !== undefined) {
    const readFirst = numberOf(fields, "is_first_paid");
    const [readIn, readOut] = [numberOf(fields, "amount_in"), numberOf(fields, "amount_out")];
    return (log) => {
      const [is_first, paid, given] = [readFirst(log), readIn(log), readOut(log)];
      if (is_first === null || paid === null || given === null) return null;
      return is_first === 1n ? { amount0: paid, amount1: -given } : { amount0: -given, amount1: paid };
    };
  }
  const [read0, read1] = [numberOf(fields, "amount0"), numberOf(fields, "amount1")];
  return (log) => {
    const [amount0, amount1] = [read0(log), read1(log)];
    if (amount0 === null || amount1 === null) return null;
    return of_trader === true ? { amount0: -amount0, amount1: -amount1 } : { amount0, amount1 };
  };
};

const swapFacts = (row: PoolEvent): Reader => {
  const { fields } = row;
  const [readPool, readAmounts, beside] = [poolReader(fields), amountsReader(row), stateBeside(fields)];
  const [readCaller, readRecipient] = [bytesOf(fields, "caller"), bytesOf(fields, "recipient")];
  return (log) => {
    const [named, amounts] = [readPool(log), readAmounts(log)];
    if (named === null || amounts === null || !fits(amounts.amount0) || !fits(amounts.amount1)) return NOTHING;
    const states = beside(log, named);
    if (states === null) return NOTHING;
    return [{ fact: "swap", ...named, caller: readCaller(log), recipient: readRecipient(log), ...amounts }, ...states];
  };
};

/** Of a pool of several tokens: each pair is a pool of its own, identified by the pool's id and both tokens. */
const pairSwapFacts = ({ fields }: PoolEvent): Reader => {
  const readPool = poolReader(fields);
  const [readPaid, readGiven] = [bytesOf(fields, "token_in"), bytesOf(fields, "token_out")];
  const [readIn, readOut] = [numberOf(fields, "amount_in"), numberOf(fields, "amount_out")];
  return (log) => {
    const [named, paid, given] = [readPool(log), readPaid(log), readGiven(log)];
    const [amount_in, amount_out] = [readIn(log), readOut(log)];
    if (named?.pool === undefined || amount_in === null || amount_out === null) return NOTHING;
    if (!fits(amount_in) || !fits(amount_out)) return NOTHING;
    const order = Buffer.compare(paid, given);
    if (paid.length !== ADDRESS_BYTES || given.length !== ADDRESS_BYTES || order === 0) return NOTHING;
    const [token0, token1] = order < 0 ? [paid, given] : [given, paid];
    const [amount0, amount1] = order < 0 ? [amount_in, -amount_out] : [-amount_out, amount_in];
    const pool = Uint8Array.from([...named.pool, ...token0, ...token1]);
    return [{ fact: "swap", pool, caller: EMPTY, recipient: EMPTY, amount0, amount1 }];
  };
};

const liquidityFacts = ({ fields, fact }: PoolEvent): Reader => {
  const readPool = poolReader(fields);
  const [readOwner, readActor] = [bytesOf(fields, "owner"), bytesOf(fields, "actor")];
  const [read0, read1] = [numberOf(fields, "amount0"), numberOf(fields, "amount1")];
  const [readLower, readUpper] = [numberOf(fields, "tick_lower"), numberOf(fields, "tick_upper")];
  const [readAdded, readDelta] = [numberOf(fields, "liquidity"), numberOf(fields, "liquidity_delta")];
  const [is_ranged, has_delta] = [fields.tick_lower !== undefined, fields.liquidity_delta !== undefined];
  // The caller passes rows of these three facts only.
  const own = fact as "mint" | "burn" | "collect";
  return (log) => {
    const named = readPool(log);
    const [amount0, amount1, lower, upper] = [read0(log), read1(log), readLower(log), readUpper(log)];
    const [added, delta] = [readAdded(log), readDelta(log)];
    if (named === null || amount0 === null || amount1 === null || lower === null || upper === null) return NOTHING;
    if (added === null || delta === null || delta <= -LIQUIDITY_LIMIT || delta >= LIQUIDITY_LIMIT) return NOTHING;
    const kind = has_delta ? (delta < 0n ? "burn" : "mint") : own;
    // A constant-product pool's own token states the shares.
    const liquidity = has_delta ? (delta < 0n ? -delta : delta) : is_ranged ? added : null;
    const position = { liquidity, tick_lower: Number(lower), tick_upper: Number(upper) };
    const who = { owner: readOwner(log), actor: readActor(log) };
    return [{ fact: "liquidity", ...named, kind, ...who, amount0, amount1, ...position }];
  };
};

const readerOf = (row: PoolEvent): Reader => {
  if (row.fact === "pool") return poolFacts(row);
  if (row.fact === "state") return stateFacts(row);
  if (row.fact !== "swap") return liquidityFacts(row);
  return row.fields.token_in === undefined ? swapFacts(row) : pairSwapFacts(row);
};

const protocolOf = (row: PoolEvent): Protocol => {
  const read = readerOf(row);
  const length = row.words * WORD_BYTES;
  return {
    ...{ name: row.id, source: row.source, event: row.event },
    decode: (log) => (log.topics.length === row.topics && log.data.length === length ? read(log) : NOTHING),
  };
};

export const poolEvents: readonly Protocol[] = POOL_EVENTS.map(protocolOf);
