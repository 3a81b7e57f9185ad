import { type Hex, intToHex } from "../../../lib/bytes.ts";
import { percentOf } from "../../../lib/money.ts";
import { iso } from "../../../lib/time.ts";
import { labelsOf, type Party } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import { stateBlock } from "../holders/balances.ts";
import { burnAddressesOf } from "../holders/burn_addresses.ts";
import { type LargestHolder, largestHolders } from "../holders/largest.ts";
import { readLocks, type TokenLock } from "../holders/lockers.ts";

/** Holders of the shares of a pool that is a token of its own, and the part that cannot be withdrawn. */

const HOLDERS_READ = 100;
const HOLDERS_SHOWN = 5;
/**
 * Minimum that the first mint of a pool locks forever. v2-core UniswapV2Pair.sol and solidlyexchange/solidly
 * BaseV1-core.sol mint it from the zero address to the zero address, so no sum of movements includes it.
 */
const MINIMUM_LIQUIDITY = 1_000n;
/** aerodrome-finance/contracts Pool.sol mints it to this address, where it is an ordinary holding. */
const ADDRESS_ONE: Hex = intToHex(1n, 20);
/** Label of addresses that cannot spend what they receive. */
const BURN = "burn";
const LOCKER = "locker";
/** A lock of less than this part of the locked total does not decide the end of the whole. */
const SMALL_LOCK_INVERSE = 100n;

export interface PoolShares {
  /** Percent of all shares. */
  readonly burned_percent: number;
  /** Percent of all shares at labelled lockers, without expired locks. */
  readonly locked_percent: number;
  /** Unix seconds of the earliest end of a lock of at least 1 % of the locked total; null when no end is known. */
  readonly lock_until: number | null;
  /** A labelled locker that holds shares does not report its terms: its whole holding counts as locked. */
  readonly has_untold_locks: boolean;
  /** The five largest. */
  readonly holders: readonly { readonly address: Hex; readonly label: string | null; readonly share_percent: number }[];
  readonly shareOf: (address: Hex) => number;
}

export const lockUntilOf = (shares: PoolShares | null): string | null =>
  shares === null || shares.lock_until === null ? null : iso(shares.lock_until);

/** Why there is no `lock_until`. */
export const lockGapOf = (shares: readonly (PoolShares | null)[]): string =>
  shares.some((one) => one?.has_untold_locks === true)
    ? "a locker does not report its terms"
    : "nothing that could be locked is locked";

interface LockedShares {
  readonly amount: bigint;
  /** Null when the locker does not report its terms. */
  readonly locks: readonly TokenLock[] | null;
}

/** A locker cannot lock more than it holds, whatever it reports. */
const lockedAt = (held: bigint, locks: readonly TokenLock[] | null): LockedShares => {
  const told = locks === null ? held : locks.reduce((sum, { amount }) => sum + amount, 0n);
  return { amount: told < held ? told : held, locks };
};

const untilOf = (locked: readonly LockedShares[]): number | null => {
  if (locked.some(({ locks }) => locks === null)) return null;
  const all = locked.reduce((sum, { amount }) => sum + amount, 0n);
  const ends = locked
    .flatMap(({ locks }) => locks ?? [])
    .filter(({ amount }) => amount * SMALL_LOCK_INVERSE >= all)
    .map(({ until }) => until);
  return ends.length === 0 ? null : Math.min(...ends);
};

/** A locker's holding of the shares of `pool`. */
interface LockerShares {
  readonly pool: Hex;
  readonly locker: Hex;
  readonly amount: bigint;
}

const isTagged = (party: Party | undefined, tag: string): boolean => party?.tags?.includes(tag) ?? false;

interface BurnFacts {
  /** Included regardless of labels. */
  readonly places: readonly Hex[];
  readonly labels: ReadonlyMap<Hex, Party>;
}

const isBurn = (address: Hex, { places, labels }: BurnFacts): boolean =>
  places.includes(address) || isTagged(labels.get(address), BURN);

/** Existing shares that no movement shows. */
const unseenOf = (held: readonly LargestHolder[]): bigint =>
  held.some(({ holder, amount }) => holder === ADDRESS_ONE && amount >= MINIMUM_LIQUIDITY) ? 0n : MINIMUM_LIQUIDITY;

const sharesOf = (
  held: readonly LargestHolder[],
  burns: BurnFacts,
  locked: readonly LockedShares[],
): PoolShares | null => {
  const supply = held[0]?.supply ?? 0n;
  if (supply <= 0n) return null;
  const unseen = unseenOf(held);
  const all = supply + unseen;
  const burned = held.reduce((sum, { holder, amount }) => (isBurn(holder, burns) ? sum + amount : sum), unseen);
  const amounts = new Map(held.map(({ holder, amount }) => [holder, amount]));
  return {
    burned_percent: percentOf(burned, all),
    locked_percent: percentOf(
      locked.reduce((sum, { amount }) => sum + amount, 0n),
      all,
    ),
    lock_until: untilOf(locked),
    has_untold_locks: locked.some(({ locks }) => locks === null),
    holders: held.slice(0, HOLDERS_SHOWN).map(({ holder, amount }) => ({
      address: holder,
      label: burns.labels.get(holder)?.label ?? null,
      share_percent: percentOf(amount, all),
    })),
    shareOf: (address) => percentOf(amounts.get(address) ?? 0n, all),
  };
};

/**
 * Shares by pool: the 100 largest holders of each, and all labelled lockers and burn addresses. A pool without shares
 * is absent. At most two reads of the node for all pools together.
 */
export const readPoolShares = async (
  scope: SnapshotContext,
  pools: readonly Hex[],
): Promise<ReadonlyMap<Hex, PoolShares>> => {
  const { facts, snapshot, chain, signal } = scope;
  if (pools.length === 0) return new Map();
  const places = [...burnAddressesOf(chain.network), ADDRESS_ONE];
  const rows = await largestHolders(scope, pools, { limit: HOLDERS_READ, kept: places, categories: [BURN, LOCKER] });
  const labels = await labelsOf(
    facts,
    snapshot,
    rows.map(({ holder }) => holder),
  );
  const lockers = rows.flatMap(({ token, holder, amount }): LockerShares[] =>
    !isBurn(holder, { places, labels }) && isTagged(labels.get(holder), LOCKER)
      ? [{ pool: token, locker: holder, amount }]
      : [],
  );
  const reader = { chain, signal, time: snapshot.block.time, at: lockers.length === 0 ? 0 : await stateBlock(scope) };
  const locks = await readLocks(
    reader,
    lockers.map(({ pool, locker }) => ({ token: pool, locker })),
  );
  const found = new Map<Hex, PoolShares>();
  for (const pool of pools) {
    const held = rows.filter(({ token }) => token === pool);
    const locked = lockers.flatMap((one, i) => (one.pool === pool ? [lockedAt(one.amount, locks[i] ?? null)] : []));
    const shares = sharesOf(held, { places, labels }, locked);
    if (shares !== null) found.set(pool, shares);
  }
  return found;
};
