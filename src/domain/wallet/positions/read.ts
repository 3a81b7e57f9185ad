import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { type HoldingVerdict, readHoldingOutcomes } from "../../token/developer/holding_outcomes.ts";
import { stateBlock } from "../../token/holders/balances.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { registryOf } from "../../token/metadata/registry.ts";
import { faceReasons } from "../../token/metadata/spam.ts";
import { type Price, pricesAt } from "../../valuation/prices/price_now.ts";
import type { ValuedHolding } from "../holdings/holdings.ts";
import { readClaims, readPoolClaims } from "./claims.ts";
import { positionCollections } from "./collections.ts";
import { readStaked } from "./staked_positions.ts";
import { type TokenClaim, type ValuedClaim, valueClaims } from "./value.ts";

/** A holding that represents other tokens, with those tokens, or coins that the network holds for the wallet. */
export interface ValuedPosition {
  readonly holding: ValuedHolding;
  readonly valued: ValuedClaim;
  /** Metadata of the underlying tokens, in the order of `valued.parts`. */
  readonly faces: readonly TokenMetadata[];
}

export interface WalletPositions {
  /** Outcomes of held tokens, by token; a token without a known outcome is absent. */
  readonly outcomes: ReadonlyMap<Hex, HoldingVerdict>;
  /** Holdings with the values of their positions, without debts. */
  readonly assets: readonly ValuedHolding[];
  readonly positions: readonly ValuedPosition[];
  readonly warnings: readonly Warning[];
}

/** Limit of unpriced tokens to examine: the most recently moved ones. */
const CANDIDATES_MAX = 200;

const UNREACHABLE: Warning = {
  code: "POSITIONS_UNVALUED",
  message:
    "The node could not provide the state of vaults, lending receipts and debts at this block; pool shares are listed without a value.",
};

/** Holdings that may be claims: fungible and no spam. Priced ones count only as collateral of debts. */
const candidatesOf = (holdings: readonly ValuedHolding[]) => {
  const fungible = holdings.filter(
    ({ face, is_collectible, spam_reasons, category }) =>
      face.token !== "" && !is_collectible && spam_reasons.length === 0 && category === "other",
  );
  const newest = [...fungible].sort(
    (a, b) => (b.last_change ?? 0) - (a.last_change ?? 0) || (a.face.token < b.face.token ? -1 : 1),
  );
  const [priced, unpriced] = [newest.filter(isPriced), newest.filter((holding) => !isPriced(holding))];
  return {
    // Collateral matters only when there is a candidate for a debt.
    asked: unpriced.length === 0 ? [] : [...priced.slice(0, CANDIDATES_MAX), ...unpriced.slice(0, CANDIDATES_MAX)],
    is_cut: unpriced.length > CANDIDATES_MAX,
  };
};

const isPriced = ({ price }: ValuedHolding): boolean => price !== null;

/** Runs a read of the node; null when the node is unavailable or does not have the state of that block. */
const orUnreachable = async <T>(ask: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

const pairKey = (contract: Hex, token: Hex): string => `${contract}:${token}`;

const contractBalances = async (
  { chain, signal }: SnapshotContext,
  claims: readonly TokenClaim[],
  at: number,
): Promise<ReadonlyMap<string, bigint>> => {
  const pairs = claims.flatMap(({ token, parts }) =>
    (parts ?? []).map((part) => ({ token: part.token, holder: token })),
  );
  const amounts = pairs.length === 0 ? [] : await chain.tokenBalances(pairs, signal, at);
  return new Map(
    pairs.flatMap(({ token, holder }, i) => {
      const amount = amounts[i];
      return amount === null || amount === undefined ? [] : [[pairKey(holder, token), amount]];
    }),
  );
};

/** Claims with the backing of their contracts. Without a node it returns the pool shares without amounts. */
const readBacked = async (scope: SnapshotContext, asked: readonly ValuedHolding[]) => {
  const candidates = asked.map(({ face, balance }) => ({ token: face.token, balance }));
  const found = await orUnreachable(async () => {
    const at = await stateBlock(scope);
    if (at !== scope.snapshot.block.number) return null;
    const pools = await readPoolClaims(scope, candidates, at);
    const isPool = new Set(pools.map(({ token }) => token));
    const others = candidates.filter(({ token }) => !isPool.has(token));
    const claims = [...pools, ...(await readClaims(scope, others, at))];
    return { claims, held: await contractBalances(scope, claims, at), warnings: [] };
  });
  if (found !== null) return found;
  const claims = await readPoolClaims(scope, candidates, null);
  return { claims, held: new Map<string, bigint>(), warnings: [UNREACHABLE] };
};

const valueAll = async (scope: SnapshotContext, claims: readonly TokenClaim[], held: ReadonlyMap<string, bigint>) => {
  const { facts, chain, snapshot } = scope;
  const { network } = chain;
  const tokens = [...new Set(claims.flatMap(({ parts }) => (parts ?? []).map(({ token }) => token)))].sort();
  const [faces, prices, registry] = await Promise.all([
    metadataOf(scope, tokens),
    pricesAt({ facts, network, snapshot }, tokens),
    registryOf(scope),
  ]);
  const priceOf = (token: Hex): Price | null => {
    const price = prices.get(token) ?? null;
    const is_spam = faceReasons(registry, metadataIn(faces, token), price?.confidence ?? null).length > 0;
    return is_spam ? null : price;
  };
  const valued = valueClaims(claims, {
    priceOf,
    decimals: (token) => metadataIn(faces, token).decimals,
    held: (contract, token) => held.get(pairKey(contract, token)) ?? null,
  });
  return { valued, faces };
};

const nftWarnings = async (
  scope: SnapshotContext,
  wallet: Hex,
  holdings: readonly ValuedHolding[],
): Promise<readonly Warning[]> => {
  const contracts = holdings.filter(({ is_collectible }) => is_collectible).map(({ face }) => face.token);
  if (contracts.length === 0) return [];
  const found = await positionCollections(scope, wallet, contracts);
  if (found.length === 0) return [];
  const list = found.map((contract) => scope.chain.formatAddress(contract)).join(", ");
  const message = `NFTs of these contracts on ${scope.chain.network.id} are liquidity positions; they are not valued: ${list}.`;
  return [{ code: "NFT_POSITIONS_UNVALUED", message }];
};

const CUT: Warning = {
  code: "POSITIONS_CUT",
  message: `Only the ${CANDIDATES_MAX} tokens without a price that moved most recently were examined as positions.`,
};

const UNKNOWN_DEBT: Warning = {
  code: "DEBT_UNVALUED",
  message: "A token that reports itself as a debt could not be verified or valued; it is listed but not subtracted.",
};

/** Positions behind a wallet's holdings at the snapshot's block, and whether its tokens can be sold. */
export const readPositions = async (
  scope: SnapshotContext,
  wallet: Hex,
  holdings: readonly ValuedHolding[],
): Promise<WalletPositions> => {
  const fungible = holdings.filter(({ is_collectible }) => !is_collectible);
  const [found, outcomes] = await Promise.all([
    readAssets(scope, wallet, holdings),
    readHoldingOutcomes(
      scope,
      wallet,
      fungible.map(({ face, balance }) => ({ token: face.token, amount: balance })),
    ),
  ]);
  return { ...found, outcomes };
};

/** Positions behind a wallet's holdings at the snapshot's block. */
export const readAssets = async (
  scope: SnapshotContext,
  wallet: Hex,
  holdings: readonly ValuedHolding[],
): Promise<Omit<WalletPositions, "outcomes">> => {
  const { asked, is_cut } = candidatesOf(holdings);
  const [{ claims, held, warnings }, nfts, staked] = await Promise.all([
    asked.length === 0 ? { claims: [], held: new Map<string, bigint>(), warnings: [] } : readBacked(scope, asked),
    nftWarnings(scope, wallet, holdings),
    readStaked(scope, wallet),
  ]);
  const { valued, faces } = await valueAll(scope, claims, held);
  const byToken = new Map(valued.map((found) => [found.claim.token, found]));
  const valuedOf = (holding: ValuedHolding) => (isPriced(holding) ? undefined : byToken.get(holding.face.token));
  const positions = holdings.flatMap((holding): ValuedPosition[] => {
    const found = valuedOf(holding);
    if (found === undefined) return [];
    return [{ holding, valued: found, faces: found.parts.map(({ token }) => metadataIn(faces, token)) }];
  });
  const assets = holdings.flatMap((holding): ValuedHolding[] => {
    const found = valuedOf(holding);
    if (found === undefined) return [holding];
    const { kind } = found.claim;
    if (kind === "debt") return [];
    const { usd_value, spot_value_usd, value_limit } = found;
    const category = kind === "pool_share" ? "lp" : holding.category;
    return [{ ...holding, usd_value, spot_value_usd, value_limit, category }];
  });
  const is_debt_unknown = positions.some(
    ({ valued: { claim, usd_value } }) => claim.kind === "debt" && usd_value === null,
  );
  const own = [...(is_cut ? [CUT] : []), ...(is_debt_unknown ? [UNKNOWN_DEBT] : [])];
  return {
    assets,
    positions: [...positions, ...staked.positions],
    warnings: [...warnings, ...own, ...nfts, ...staked.warnings],
  };
};
