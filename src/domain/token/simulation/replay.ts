import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import type { SimulationState } from "./market.ts";
import { revertReason } from "./revert_reason.ts";

/**
 * Real holders try to move coins to the pool: finds restrictions on existing holders that a new buyer does not meet.
 */

/** Maximum number of holders to try. */
export const HOLDERS_MAX = 50;
/** Fraction of its balance that each holder moves. */
const PART = 10n;

export interface HolderReplay {
  readonly holders_tested: number;
  readonly holders_failed: number;
  /** Null when no holder could be tested. */
  readonly fail_percent: number | null;
  /** The first that failed, in the order of the holders, and the contract's error. */
  readonly first_failure: { readonly holder: Hex; readonly reason: string } | null;
}

/** `count` items of a list at even distances, including the first and the last. */
export const spread = <T>(list: readonly T[], count: number): readonly T[] =>
  list.length <= count
    ? list
    : Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / (count - 1))]).flatMap(
        (item) => (item === undefined ? [] : [item]),
      );

/**
 * `payee`: the pool or its manager. `holders`: accounts without code. Holders with fewer than ten base units are left
 * out.
 */
export const replayHolders = async (
  ground: SimulationState,
  token: Hex,
  to: { readonly payee: Hex; readonly holders: readonly Hex[] },
): Promise<HolderReplay> => {
  const { chain, block, signal } = ground;
  const balances = await chain.tokenBalances(
    to.holders.map((holder) => ({ token, holder })),
    signal,
    block.number,
  );
  const able = to.holders.flatMap((holder, i) => {
    const part = (balances[i] ?? 0n) / PART;
    return part > 0n ? [{ holder, part }] : [];
  });
  const calls = able.map(({ holder, part }) => ({
    from: holder,
    to: token,
    data: concatHex(selectorOf(INTERFACES.erc20.transfer), wordOf(to.payee), wordOf(part)),
  }));
  const results = calls.length === 0 ? [] : await chain.call(calls, signal, block.number);
  const failed = able.flatMap(({ holder }, i) => {
    const result = results[i];
    if (result === undefined) return [];
    const refused = result.ok && result.data.length > 0 && integerAt(result.data, 0) === 0n;
    return result.ok && !refused ? [] : [{ holder, reason: result.ok ? "" : revertReason(result.data) }];
  });
  return {
    holders_tested: able.length,
    holders_failed: failed.length,
    fail_percent: able.length === 0 ? null : (100 * failed.length) / able.length,
    first_failure: failed[0] ?? null,
  };
};
