import type { Chain } from "../chains/chain.ts";
import type { Bytes, Hex } from "../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "./abi.ts";

/** What contracts that keep tokens for a time say of their terms. Live reads, all at one block. */

export interface Lock {
  /** Base units that nobody can take out before `until`. */
  readonly amount: bigint;
  /** Unix seconds at which all or the next part of it can be taken out. */
  readonly until: number;
}

export interface LockReader {
  readonly chain: Chain;
  readonly signal: AbortSignal;
  /** Block number and its time, unix seconds. */
  readonly at: number;
  readonly time: number;
}

interface Held {
  readonly token: Hex;
  readonly locker: Hex;
}

/** Locks that are read of one token at one locker; terms of more are not told. */
const LOCKS_MAX = 200;
/** 9999-12-31T23:59:59Z: a lock for ever ends there. */
const LAST_SECOND = 253_402_300_799n;
const WORD_BYTES = 32;
/** Parts of ten thousand. */
const WHOLE_BPS = 10_000n;

const untilOf = (time: bigint): number => Number(time < LAST_SECOND ? time : LAST_SECOND);

/** A member of `TokenLock[]` as uncx-network/liquidity-locker-univ2-contracts, UniswapV2Locker.sol has it. */
const uncxLock = (data: Bytes, time: number): Lock | null => {
  const [amount, until] = [integerAt(data, 1), integerAt(data, 3)];
  if (amount === null || until === null) return null;
  // `withdraw` asks for unlockDate < block.timestamp.
  return until < BigInt(time) ? { amount: 0n, until: 0 } : { amount, until: untilOf(until) };
};

/**
 * A member of the list that `getLocksForToken` of pinkmoon's PinkLock02.sol returns: id, token, owner, amount, lockDate,
 * tgeDate, tgeBps, cycle, cycleBps, unlockedAmount, description. Parts are released at tgeDate and after every cycle.
 */
const pinkLock = (data: Bytes, time: number): Lock | null => {
  const words = [3, 5, 6, 7, 8].map((word) => integerAt(data, word));
  if (words.includes(null)) return null;
  const [amount = 0n, from = 0n, first_bps = 0n, cycle = 0n, cycle_bps = 0n] = words.flatMap((word) => word ?? []);
  const now = BigInt(time);
  if (now < from) return { amount, until: untilOf(from) };
  if (cycle === 0n || cycle_bps === 0n) return { amount: 0n, until: 0 };
  const cycles = (now - from) / cycle;
  const free_bps = first_bps + cycles * cycle_bps;
  const free = (amount * (free_bps < WHOLE_BPS ? free_bps : WHOLE_BPS)) / WHOLE_BPS;
  return { amount: amount - free, until: untilOf(from + (cycles + 1n) * cycle) };
};

const live = (locks: readonly (Lock | null)[]): readonly Lock[] | null => {
  const told = locks.flatMap((lock) => lock ?? []);
  return told.length < locks.length ? null : told.filter(({ amount }) => amount > 0n);
};

const readUncx = async (
  reader: LockReader,
  { token, locker }: Held,
  count: number,
): Promise<readonly Lock[] | null> => {
  const data = (i: number): Hex => selectorOf("tokenLocks(address,uint256)") + wordOf(token) + wordOf(BigInt(i));
  const calls = Array.from({ length: count }, (_, i) => ({ to: locker, data: data(i) }));
  const results = await reader.chain.call(calls, reader.signal, reader.at);
  return live(results.map(({ ok, data }) => (ok ? uncxLock(data, reader.time) : null)));
};

/** Members of a dynamic array of dynamic tuples that is all of a return value. */
const tuplesOf = (data: Bytes): readonly Bytes[] | null => {
  const head = integerAt(data, 0);
  if (head === null || head + BigInt(WORD_BYTES) > BigInt(data.length)) return null;
  const list = data.subarray(Number(head) + WORD_BYTES);
  const count = integerAt(data.subarray(Number(head)), 0);
  if (count === null || count > BigInt(LOCKS_MAX)) return null;
  const offsets = Array.from({ length: Number(count) }, (_, i) => integerAt(list, i));
  const tuples = offsets.flatMap((offset) =>
    offset === null || offset > BigInt(list.length) ? [] : [list.subarray(Number(offset))],
  );
  return tuples.length < offsets.length ? null : tuples;
};

const readPink = async (
  reader: LockReader,
  { token, locker }: Held,
  count: number,
): Promise<readonly Lock[] | null> => {
  const data =
    selectorOf("getLocksForToken(address,uint256,uint256)") + wordOf(token) + wordOf(0n) + wordOf(BigInt(count));
  const [result] = await reader.chain.call([{ to: locker, data }], reader.signal, reader.at);
  const tuples = result?.ok === true ? tuplesOf(result.data) : null;
  return tuples === null || tuples.length < count ? null : live(tuples.map((tuple) => pinkLock(tuple, reader.time)));
};

/**
 * What a locker still keeps of a token, by lock; null when it does not tell: it speaks neither as UNCX nor as PinkLock
 * does, or of more locks than are read. Locks that have run out are left out. Throws `AssayError`
 * `UPSTREAM_UNAVAILABLE` when no node answers.
 */
export const readLocks = async (reader: LockReader, held: Held): Promise<readonly Lock[] | null> => {
  const { token, locker } = held;
  const ask = (signature: string) => ({ to: locker, data: selectorOf(signature) + wordOf(token) });
  const [uncx, pink] = await reader.chain.call(
    [ask("getNumLocksForToken(address)"), ask("totalLockCountForToken(address)")],
    reader.signal,
    reader.at,
  );
  const countOf = (result: typeof uncx): number | null => {
    const count = result?.ok === true && result.data.length === WORD_BYTES ? integerAt(result.data, 0) : null;
    return count === null || count > BigInt(LOCKS_MAX) ? null : Number(count);
  };
  const [uncx_count, pink_count] = [countOf(uncx), countOf(pink)];
  if (uncx_count !== null) return readUncx(reader, held, uncx_count);
  return pink_count === null ? null : readPink(reader, held, pink_count);
};
