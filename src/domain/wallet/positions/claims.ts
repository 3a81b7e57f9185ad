import type { CallResult } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, concatHex, type Hex } from "../../../lib/bytes.ts";
import { addressAt, integerAt, selectorOf, wordOf } from "../../abi.ts";
import type { SnapshotContext } from "../../context.ts";
import { poolStatesAt } from "../../valuation/prices/pool_states.ts";
import { type ClaimPart, shareOf, type TokenClaim } from "./value.ts";

/** A held token that may represent other tokens. */
export interface ClaimCandidate {
  readonly token: Hex;
  /** Base units that the wallet holds. */
  readonly balance: bigint;
}

/** EIP-4626. */
const ASSET = selectorOf(INTERFACES.erc4626.asset);
const CONVERT_TO_ASSETS = selectorOf(INTERFACES.erc4626.convertToAssets);
const TOTAL_ASSETS = selectorOf(INTERFACES.erc4626.totalAssets);
const TOTAL_SUPPLY = selectorOf(INTERFACES.erc20.totalSupply);
/** Aave: AToken.sol and DebtTokenBase.sol of protocol v2, the same in v3. */
const UNDERLYING = selectorOf("UNDERLYING_ASSET_ADDRESS()");
const DEBT_REVISION = selectorOf("DEBT_TOKEN_REVISION()");
const POOL = selectorOf("POOL()");
/** Pool.sol: names the receipt and debt tokens of a reserve; v2 and v3 return them at different positions. */
const RESERVE_DATA = selectorOf("getReserveData(address)");
/** Words of that answer: 12 in v2, 15 in v3. */
const RESERVE_WORDS_MAX = 15;

/** Uniswap v2 and Solidly: the two reserves, and the time of their last change. */
const RESERVES = selectorOf(INTERFACES.uniswap_v2.getReserves);

type ViewReader = (to: Hex, data: Hex) => Bytes | null;

/** Sends all calls in one batch; null for a call that reverts or returns nothing. */
const readAll = async (
  { chain, signal }: SnapshotContext,
  calls: readonly { readonly to: Hex; readonly data: Hex }[],
  at: number,
): Promise<ViewReader> => {
  const results: readonly CallResult[] = calls.length === 0 ? [] : await chain.call(calls, signal, at);
  const answers = new Map(
    calls.map(({ to, data }, i) => {
      const result = results[i];
      return [`${to}:${data}`, result?.ok === true && result.data.length > 0 ? result.data : null] as const;
    }),
  );
  return (to, data) => answers.get(`${to}:${data}`) ?? null;
};

const each = (tokens: readonly Hex[], selectors: readonly Hex[]) =>
  tokens.flatMap((to) => selectors.map((data) => ({ to, data })));

const numberIn = (answer: Bytes | null): bigint | null => (answer === null ? null : integerAt(answer, 0));
const addressIn = (answer: Bytes | null): Hex | null => (answer === null ? null : addressAt(answer, 0));

const names = (answer: Bytes | null, token: Hex): boolean =>
  answer !== null && Array.from({ length: RESERVE_WORDS_MAX }, (_, i) => addressAt(answer, i)).includes(token);

interface BackedCandidate extends ClaimCandidate {
  readonly underlying: Hex;
}

/** Claims of Aave receipt and debt tokens: one unit represents one unit of the underlying token. */
const lendingClaims = async (
  scope: SnapshotContext,
  found: readonly BackedCandidate[],
  at: number,
): Promise<readonly TokenClaim[]> => {
  const tokens = found.map(({ token }) => token);
  const read = await readAll(scope, each(tokens, [DEBT_REVISION, POOL]), at);
  const asked = found.flatMap(({ token, underlying }) => {
    const pool = addressIn(read(token, POOL));
    return pool === null ? [] : [{ to: pool, data: concatHex(RESERVE_DATA, wordOf(underlying)) }];
  });
  const reserves = await readAll(scope, asked, at);
  return found.map(({ token, balance, underlying }): TokenClaim => {
    const pool = addressIn(read(token, POOL));
    const is_named = pool !== null && names(reserves(pool, concatHex(RESERVE_DATA, wordOf(underlying))), token);
    return {
      token,
      kind: numberIn(read(token, DEBT_REVISION)) === null ? "lending_receipt" : "debt",
      protocol: "aave",
      market: is_named ? pool : null,
      parts: [{ token: underlying, amount: balance }],
    };
  });
};

/**
 * Claims of vault shares. A vault without a conversion call is valued by its share of the vault's reported total
 * assets.
 */
const vaultClaims = async (
  scope: SnapshotContext,
  found: readonly BackedCandidate[],
  at: number,
): Promise<readonly TokenClaim[]> => {
  const convert = ({ balance }: BackedCandidate): Hex => concatHex(CONVERT_TO_ASSETS, wordOf(balance));
  const calls = found.flatMap((one) => each([one.token], [convert(one), TOTAL_ASSETS, TOTAL_SUPPLY]));
  const read = await readAll(scope, calls, at);
  return found.flatMap((one): TokenClaim[] => {
    const [assets, supply] = [numberIn(read(one.token, TOTAL_ASSETS)), numberIn(read(one.token, TOTAL_SUPPLY))];
    const part = assets === null || supply === null ? null : shareOf(assets, one.balance, supply);
    const amount = numberIn(read(one.token, convert(one))) ?? part;
    const { token, underlying } = one;
    // Other contracts use the name `asset()` too, so it proves nothing alone.
    if (amount === null) return [];
    return [{ token, kind: "vault_share", protocol: "erc4626", market: null, parts: [{ token: underlying, amount }] }];
  });
};

/** Claims that tokens other than pool shares report about themselves. */
export const readClaims = async (
  scope: SnapshotContext,
  candidates: readonly ClaimCandidate[],
  at: number,
): Promise<readonly TokenClaim[]> => {
  if (!scope.chain.can.contract_calls) return [];
  const tokens = candidates.map(({ token }) => token);
  const read = await readAll(scope, each(tokens, [ASSET, UNDERLYING]), at);
  const backed = (selector: Hex): readonly BackedCandidate[] =>
    candidates.flatMap((candidate) => {
      const underlying = addressIn(read(candidate.token, selector));
      return underlying === null ? [] : [{ ...candidate, underlying }];
    });
  const lent = backed(UNDERLYING);
  const isLent = new Set(lent.map(({ token }) => token));
  const [lending, vaults] = await Promise.all([
    lendingClaims(scope, lent, at),
    vaultClaims(
      scope,
      backed(ASSET).filter(({ token }) => !isLent.has(token)),
      at,
    ),
  ]);
  return [...lending, ...vaults];
};

const reservesIn = (answer: Bytes | null) => {
  const [reserve0, reserve1] = answer === null ? [] : [integerAt(answer, 0), integerAt(answer, 1)];
  return reserve0 == null || reserve1 == null ? undefined : { reserve0, reserve1 };
};

/** Families whose pool contract is also the token of its shares. */
const SHARED: readonly string[] = ["uniswap_v2", "solidly", "solidly_stable"];

/** Claims of shares of indexed pools. `at` null: no node reports the supply of shares. */
export const readPoolClaims = async (
  scope: SnapshotContext,
  candidates: readonly ClaimCandidate[],
  at: number | null,
): Promise<readonly TokenClaim[]> => {
  const { facts, snapshot } = scope;
  if (candidates.length === 0) return [];
  const among = await facts.ask(snapshot, "pools_among", { pools: candidates.map(({ token }) => token) });
  const known = among.filter(({ family }) => SHARED.includes(family));
  const pools = known.map(({ pool }) => pool);
  // Of a network that is read on demand not every state of a pool is stored.
  const is_live = snapshot.followed !== undefined;
  const states = is_live ? [] : await poolStatesAt(scope, pools, snapshot.block.number);
  const views = is_live ? [TOTAL_SUPPLY, RESERVES] : [TOTAL_SUPPLY];
  const read = at === null ? null : await readAll(scope, each(pools, views), at);
  return known.map(({ pool, family, venue, token0, token1 }): TokenClaim => {
    const supply = numberIn(read?.(pool, TOTAL_SUPPLY) ?? null) ?? 0n;
    const balance = candidates.find(({ token }) => token === pool)?.balance ?? 0n;
    const state = states.find((row) => row.pool === pool) ?? reservesIn(read?.(pool, RESERVES) ?? null);
    const amount0 = state === undefined ? null : shareOf(state.reserve0, balance, supply);
    const amount1 = state === undefined ? null : shareOf(state.reserve1, balance, supply);
    const parts: readonly ClaimPart[] | null =
      amount0 === null || amount1 === null
        ? null
        : [
            { token: token0, amount: amount0 },
            { token: token1, amount: amount1 },
          ];
    return { token: pool, kind: "pool_share", protocol: venue === "" ? family : venue, market: null, parts };
  });
};
