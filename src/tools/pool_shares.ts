import * as z from "zod";
import { type Lock, readLocks } from "../analysis/lockers.ts";
import type { Hex } from "../lib/bytes.ts";
import { percentOf } from "../lib/money.ts";
import { iso } from "../lib/time.ts";
import { BURN_ADDRESSES } from "./burns.ts";
import { labelsOf } from "./parties.ts";
import type { Place } from "./token_faces.ts";
import { stateBlock } from "./wallet_balances.ts";

/** Who holds the shares of a pool that is a token of its own, and how much of them nobody can take out. */

const HOLDERS_READ = 100;
const HOLDERS_SHOWN = 5;
/** v2-core UniswapV2Pair.sol: these shares lie at the zero address from the first mint on, and no log counts them. */
const MINIMUM_LIQUIDITY = 1_000n;
/** aerodrome-finance/contracts Pool.sol sends its minimum liquidity there. */
const ADDRESS_ONE: Hex = "1".padStart(40, "0");
/** A lock of less than this part of all that is locked says nothing about the rest. */
const SMALL_LOCK_INVERSE = 100n;

export interface PoolShares {
  /** Percent of all shares. */
  readonly burned_percent: number;
  /** Percent of all shares at labelled lockers, without locks that have run out. */
  readonly locked_percent: number;
  /** Unix seconds of the earliest end of a lock of at least 1 % of what is locked; null when no end is known. */
  readonly lock_until: number | null;
  /** A labelled locker that holds shares does not tell its terms: what it holds counts as locked. */
  readonly has_untold_locks: boolean;
  /** The five largest. */
  readonly holders: readonly { readonly address: Hex; readonly label: string | null; readonly share_percent: number }[];
  readonly shareOf: (address: Hex) => number;
}

/** `lock_until` of an answer. */
export const lockUntil = () =>
  z
    .string()
    .nullable()
    .meta({ description: "Earliest end of a lock of at least 1 % of the locked shares; null when none is told." });

export const lockUntilOf = (shares: PoolShares | null): string | null =>
  shares === null || shares.lock_until === null ? null : iso(shares.lock_until);

/** Why there is no `lock_until`. */
export const lockGapOf = (shares: readonly (PoolShares | null)[]): string =>
  shares.some((one) => one?.has_untold_locks === true)
    ? "a locker does not tell its terms"
    : "nothing that could be locked is locked";

interface Locked {
  readonly amount: bigint;
  /** Null when the locker does not tell its terms. */
  readonly locks: readonly Lock[] | null;
}

/** A locker cannot keep more than it holds, whatever it says. */
const lockedAt = (held: bigint, locks: readonly Lock[] | null): Locked => {
  const told = locks === null ? held : locks.reduce((sum, { amount }) => sum + amount, 0n);
  return { amount: told < held ? told : held, locks };
};

const untilOf = (locked: readonly Locked[]): number | null => {
  if (locked.some(({ locks }) => locks === null)) return null;
  const all = locked.reduce((sum, { amount }) => sum + amount, 0n);
  const ends = locked
    .flatMap(({ locks }) => locks ?? [])
    .filter(({ amount }) => amount * SMALL_LOCK_INVERSE >= all)
    .map(({ until }) => until);
  return ends.length === 0 ? null : Math.min(...ends);
};

/** Only the 100 largest holders are looked at. Null for a pool without shares. */
export const readPoolShares = async (place: Place, pool: Hex): Promise<PoolShares | null> => {
  const { facts, snapshot, chain, signal } = place;
  const [{ supply }, holders] = await Promise.all([
    facts.holderCount(snapshot, pool),
    facts.tokenHolders(snapshot, pool, { limit: HOLDERS_READ, offset: 0 }),
  ]);
  if (supply <= 0n) return null;
  const labels = await labelsOf(
    facts,
    snapshot,
    holders.map(({ holder }) => holder),
  );
  const isTagged = (address: Hex, tag: string): boolean => labels.get(address)?.tags?.includes(tag) ?? false;
  const isBurn = (address: Hex): boolean =>
    BURN_ADDRESSES.includes(address) || address === ADDRESS_ONE || isTagged(address, "burn");
  const lockers = holders.filter(({ holder }) => !isBurn(holder) && isTagged(holder, "locker"));
  const reader = { chain, signal, time: snapshot.block.time, at: await stateBlock(place) };
  const locked = await Promise.all(
    lockers.map(async ({ holder, amount }) =>
      lockedAt(amount, await readLocks(reader, { token: pool, locker: holder })),
    ),
  );
  const all = supply + MINIMUM_LIQUIDITY;
  const burned = holders.reduce((sum, { holder, amount }) => (isBurn(holder) ? sum + amount : sum), MINIMUM_LIQUIDITY);
  const amounts = new Map(holders.map(({ holder, amount }) => [holder, amount]));
  return {
    burned_percent: percentOf(burned, all),
    locked_percent: percentOf(
      locked.reduce((sum, { amount }) => sum + amount, 0n),
      all,
    ),
    lock_until: untilOf(locked),
    has_untold_locks: locked.some(({ locks }) => locks === null),
    holders: holders.slice(0, HOLDERS_SHOWN).map(({ holder, amount }) => ({
      address: holder,
      label: labels.get(holder)?.label ?? null,
      share_percent: percentOf(amount, all),
    })),
    shareOf: (address) => percentOf(amounts.get(address) ?? 0n, all),
  };
};
