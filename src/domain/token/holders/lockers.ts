import type { CallResult, Chain, ContractCall } from "../../../chains/chain.ts";
import { type Bytes, concatHex, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";

/** Terms of contracts that lock tokens for a time. Live reads, all at one block. */

export interface TokenLock {
  /** Base units that cannot be withdrawn before `until`. */
  readonly amount: bigint;
  /** Unix seconds at which all or the next part of it can be withdrawn. */
  readonly until: number;
}

export interface LockReader {
  readonly chain: Chain;
  readonly signal: AbortSignal;
  /** Block number and its time, unix seconds. */
  readonly at: number;
  readonly time: number;
}

interface LockedToken {
  readonly token: Hex;
  readonly locker: Hex;
}

/** Maximum number of locks to read of one token at one locker; the terms of more are unknown. */
const LOCKS_MAX = 200;
/** 9999-12-31T23:59:59Z: a lock forever ends there. */
const LAST_SECOND = 253_402_300_799n;
const WORD_BYTES = 32;
/** Parts of ten thousand. */
const WHOLE_BPS = 10_000n;

const untilOf = (time: bigint): number => Number(time < LAST_SECOND ? time : LAST_SECOND);

/** A member of `TokenLock[]` as in uncx-network/liquidity-locker-univ2-contracts, UniswapV2Locker.sol. */
const uncxLock = (data: Bytes, time: number): TokenLock | null => {
  const [amount, until] = [integerAt(data, 1), integerAt(data, 3)];
  if (amount === null || until === null) return null;
  // `withdraw` requires unlockDate < block.timestamp.
  return until < BigInt(time) ? { amount: 0n, until: 0 } : { amount, until: untilOf(until) };
};

/**
 * A member of the list that `getLocksForToken` of pinkmoon's PinkLock02.sol returns: id, token, owner, amount, lockDate,
 * tgeDate, tgeBps, cycle, cycleBps, unlockedAmount, description. Parts are released at tgeDate and after every cycle.
 */
const pinkLock = (data: Bytes, time: number): TokenLock | null => {
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

const live = (locks: readonly (TokenLock | null)[]): readonly TokenLock[] | null => {
  const told = locks.flatMap((lock) => lock ?? []);
  return told.length < locks.length ? null : told.filter(({ amount }) => amount > 0n);
};

/** The calls that read a locker's locks, and the decoder of its answers. */
interface LockTerms {
  readonly calls: readonly ContractCall[];
  readonly read: (results: readonly CallResult[]) => readonly TokenLock[] | null;
}

const uncxTerms = ({ token, locker }: LockedToken, count: number, time: number): LockTerms => {
  const data = (i: number): Hex =>
    concatHex(selectorOf("tokenLocks(address,uint256)"), wordOf(token), wordOf(BigInt(i)));
  return {
    calls: Array.from({ length: count }, (_, i) => ({ to: locker, data: data(i) })),
    read: (results) => live(results.map(({ ok, data }) => (ok ? uncxLock(data, time) : null))),
  };
};

/** Members of a dynamic array of dynamic tuples that makes up the whole return value. */
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

const pinkTerms = ({ token, locker }: LockedToken, count: number, time: number): LockTerms => {
  const asked = [token, 0n, BigInt(count)].map(wordOf);
  const data = concatHex(selectorOf("getLocksForToken(address,uint256,uint256)"), ...asked);
  return {
    calls: [{ to: locker, data }],
    read: ([result]) => {
      const tuples = result?.ok === true ? tuplesOf(result.data) : null;
      return tuples === null || tuples.length < count ? null : live(tuples.map((tuple) => pinkLock(tuple, time)));
    },
  };
};

/** Null when the data is not a count, or the count exceeds the limit. */
const countOf = (result: CallResult | undefined): number | null => {
  const count = result?.ok === true && result.data.length === WORD_BYTES ? integerAt(result.data, 0) : null;
  return count === null || count > BigInt(LOCKS_MAX) ? null : Number(count);
};

const lockerCall = ({ token, locker }: LockedToken, signature: string): ContractCall => ({
  to: locker,
  data: concatHex(selectorOf(signature), wordOf(token)),
});

/**
 * Amounts that lockers still lock, by lock, in the order of `held`; null for a locker with unknown terms: it answers
 * neither like UNCX nor like PinkLock, or has too many locks. Expired locks are left out. Two reads of the node,
 * regardless of the number of lockers.
 * @throws `AssayError` `UPSTREAM_UNAVAILABLE` when no node answers.
 */
export const readLocks = async (
  { chain, signal, at, time }: LockReader,
  held: readonly LockedToken[],
): Promise<readonly (readonly TokenLock[] | null)[]> => {
  if (held.length === 0) return [];
  if (!chain.can.contract_calls) return held.map(() => null);
  const counts = await chain.call(
    held.flatMap((one) => [
      lockerCall(one, "getNumLocksForToken(address)"),
      lockerCall(one, "totalLockCountForToken(address)"),
    ]),
    signal,
    at,
  );
  const terms = held.map((one, i): LockTerms | null => {
    const [uncx, pink] = [countOf(counts[2 * i]), countOf(counts[2 * i + 1])];
    if (uncx !== null) return uncxTerms(one, uncx, time);
    return pink === null ? null : pinkTerms(one, pink, time);
  });
  const calls = terms.flatMap((one) => one?.calls ?? []);
  const results = calls.length === 0 ? [] : await chain.call(calls, signal, at);
  let from = 0;
  return terms.map((one) => {
    if (one === null) return null;
    from += one.calls.length;
    return one.read(results.slice(from - one.calls.length, from));
  });
};
