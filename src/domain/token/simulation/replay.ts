import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import { paceOf, type SimulationMarket, type SimulationState } from "./market.ts";
import { revertReason } from "./revert_reason.ts";
import { sellPartCall } from "./simulator_calls.ts";
import { routerSpender, unknownSpender } from "./spender.ts";

/**
 * Real holders try to sell: finds restrictions on existing holders that a new buyer does not meet.
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

interface AbleHolder {
  readonly holder: Hex;
  readonly part: bigint;
}

type Failure = NonNullable<HolderReplay["first_failure"]>;

const replayOf = (able: readonly AbleHolder[], failed: readonly Failure[]): HolderReplay => ({
  holders_tested: able.length,
  holders_failed: failed.length,
  fail_percent: able.length === 0 ? null : (100 * failed.length) / able.length,
  first_failure: failed[0] ?? null,
});

/** Holders with at least ten base units. */
const ableAmong = async (
  ground: SimulationState,
  token: Hex,
  holders: readonly Hex[],
): Promise<readonly AbleHolder[]> => {
  const { chain, block, signal } = ground;
  const pairs = holders.map((holder) => ({ token, holder }));
  const balances = await chain.tokenBalances(pairs, signal, block.number);
  return holders.flatMap((holder, i) => {
    const part = (balances[i] ?? 0n) / PART;
    return part > 0n ? [{ holder, part }] : [];
  });
};

/** Each holder sends a part to the pool. */
const replayTransfers = async (
  { chain, block, signal }: SimulationState,
  { token, payee }: HolderQuery,
  able: readonly AbleHolder[],
): Promise<readonly Failure[]> => {
  const calls = able.map(({ holder, part }) => ({
    from: holder,
    to: token,
    data: concatHex(selectorOf(INTERFACES.erc20.transfer), wordOf(payee), wordOf(part)),
  }));
  const results = calls.length === 0 ? [] : await chain.call(calls, signal, block.number);
  return able.flatMap(({ holder }, i) => {
    const result = results[i];
    if (result === undefined) return [];
    const refused = result.ok && result.data.length > 0 && integerAt(result.data, 0) === 0n;
    return result.ok && !refused ? [] : [{ holder, reason: result.ok ? "" : revertReason(result.data) }];
  });
};

/** Sales of one simulated block. */
const BLOCK_HOLDERS = 10;
const SALE_GAS = 2_500_000;
const UNLIMITED = 2n ** 256n - 1n;

/** Each holder approves the router and sells a part through it, as a real sale does; ten holders a block. */
const replaySales = async (
  ground: SimulationState,
  { token, market, router }: HolderQuery,
  able: readonly AbleHolder[],
): Promise<readonly Failure[] | null> => {
  const { chain, block, signal } = ground;
  if (market === null || !chain.can.simulations) return null;
  const spender = (router === null ? null : await routerSpender(ground, router)) ?? unknownSpender(ground);
  const approve = concatHex(selectorOf(INTERFACES.erc20.approve), wordOf(spender.address), wordOf(UNLIMITED));
  const groups = Array.from({ length: Math.ceil(able.length / BLOCK_HOLDERS) }, (_, i) =>
    able.slice(i * BLOCK_HOLDERS, (i + 1) * BLOCK_HOLDERS),
  );
  const blocks = groups.map((group, i) => ({
    number: block.number + 1 + i,
    time: block.time + (1 + i) * paceOf(ground),
    ...(i === 0 ? { overrides: spender.overrides } : {}),
    calls: group.flatMap(({ holder }) => [
      { from: holder, to: token, data: approve, gas: SALE_GAS },
      { from: holder, to: spender.address, data: sellPartCall(market, PART), gas: SALE_GAS },
    ]),
  }));
  const played = (await chain.simulate(blocks, signal, block.number)).flat();
  return able.flatMap(({ holder }, i) => {
    const sale = played[2 * i + 1];
    return sale === undefined || sale.ok ? [] : [{ holder, reason: revertReason(sale.data) }];
  });
};

export interface HolderQuery {
  readonly token: Hex;
  /** The pool or its manager. */
  readonly payee: Hex;
  /** Where the holders sell; null when the pool cannot be simulated. */
  readonly market: SimulationMarket | null;
  readonly router: Hex | null;
  /** Accounts without code. */
  readonly holders: readonly Hex[];
}

/**
 * Real holders sell; where the node cannot simulate transactions, they send coins to the pool. Holders with fewer than ten
 * base units are left out.
 */
export const replayHolders = async (ground: SimulationState, query: HolderQuery): Promise<HolderReplay> => {
  const able = await ableAmong(ground, query.token, query.holders);
  const sales = able.length === 0 ? [] : await replaySales(ground, query, able);
  return replayOf(able, sales ?? (await replayTransfers(ground, query, able)));
};
