import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext } from "../../context.ts";
import type { Price } from "../../valuation/prices/price_now.ts";
import { stateBlock } from "../holders/balances.ts";
import { readHolderCounts } from "../holders/sums.ts";
import { readIssued, readSupplies, type Supply } from "../holders/supply.ts";
import { listingIn, listingsOf } from "../metadata/lists.ts";
import { metadataOf, type TokenMetadata } from "../metadata/metadata.ts";
import { impersonated, isCanonical, originalsWith, registryOf, type TokenRegistry } from "../metadata/registry.ts";
import { faceReasons, isDeep } from "../metadata/spam.ts";
import { type Liquidity, readLiquidity, tradedAs } from "./liquidity.ts";

/** Maximum number of tokens of one symbol and network to rank. Contracts beyond it are noise. */
const CANDIDATES_MAX = 500;
/** Maximum number of tokens of one network whose holders are counted: the best by all other criteria. */
export const COUNTED_MAX = 25;

/** A token that carries the symbol. */
export interface SymbolCandidate {
  readonly chain: Chain;
  readonly face: TokenMetadata;
  readonly is_canonical: boolean;
  readonly price: Price | null;
  readonly liquidity: Liquidity;
  readonly scope: SnapshotContext;
  readonly created: number | null;
  readonly holders: number | null;
  readonly risk_tags: readonly string[];
  /** Imported token lists that list it. */
  readonly lists: readonly string[];
  /** The symbol that matched, when the token has another one now. */
  readonly former_symbol: string | null;
}

const known = (value: number | null): number => value ?? -1;

/**
 * Registry first, then tokens that have the symbol before those that had it, copies of the registry last; then lists,
 * liquidity, holders, age, network, address: a total order.
 */
export const byRank = (a: SymbolCandidate, b: SymbolCandidate): number => {
  const copies = (found: SymbolCandidate) => (found.risk_tags.includes("impersonation") ? 1 : 0);
  const text = ({ chain, face }: SymbolCandidate) => `${chain.network.id}:${face.token}`;
  return (
    Number(b.is_canonical) - Number(a.is_canonical) ||
    Number(a.former_symbol !== null) - Number(b.former_symbol !== null) ||
    copies(a) - copies(b) ||
    b.lists.length - a.lists.length ||
    known(b.liquidity.usd) - known(a.liquidity.usd) ||
    known(b.holders) - known(a.holders) ||
    (a.created ?? Number.MAX_SAFE_INTEGER) - (b.created ?? Number.MAX_SAFE_INTEGER) ||
    (text(a) < text(b) ? -1 : 1)
  );
};

/** Tags of the token's own words, and of the older symbol by which it was found. */
const tagsOf = (
  registry: TokenRegistry,
  { face, former }: { readonly face: TokenMetadata; readonly former: string | null },
  price: Price | null,
): readonly string[] => {
  if (face.token === "") return [];
  const confidence = price?.confidence ?? null;
  const tags = faceReasons(registry, face, confidence).map((reason) =>
    reason === "symbol_copy" ? "impersonation" : reason,
  );
  const is_traded = isDeep(confidence);
  const was_copy = former !== null && impersonated(registry, { ...face, symbol: former }, { is_traded }) !== null;
  return was_copy && !tags.includes("impersonation") ? ["impersonation", ...tags] : tags;
};

const countHolders = async (
  { facts, snapshot }: SnapshotContext,
  found: readonly SymbolCandidate[],
): Promise<readonly SymbolCandidate[]> => {
  const { complete, logs, traces } = snapshot.coverage;
  const counted = found.slice(0, COUNTED_MAX).filter(({ face }) => complete && logs && (face.token !== "" || traces));
  const tokens = counted.map(({ face }) => face.token);
  const holders = await readHolderCounts({ facts, snapshot }, tokens);
  return found.map((candidate) => ({ ...candidate, holders: holders.get(candidate.face.token) ?? null }));
};

/** Older symbols that match, by token; tokens that still have the symbol are not among them. */
const formerOf = async (
  { facts, snapshot }: SnapshotContext,
  symbol: string,
  current: ReadonlySet<Hex>,
): Promise<ReadonlyMap<Hex, string>> => {
  const rows = await facts.ask(snapshot, "tokens_by_former_symbol", { symbol, limit: CANDIDATES_MAX });
  return new Map(
    rows.flatMap(({ token, symbol: had }) => (had === null || current.has(token) ? [] : [[token, had] as const])),
  );
};

/** Tokens of one network that carry a symbol or carried it, best first. */
export const candidatesOn = async (scope: SnapshotContext, symbol: string): Promise<readonly SymbolCandidate[]> => {
  const { facts, snapshot, chain } = scope;
  const { network } = chain;
  const [stored, registry] = await Promise.all([
    facts.ask(snapshot, "tokens_by_symbol", { symbol, limit: CANDIDATES_MAX }),
    registryOf(scope),
  ]);
  const canonical = originalsWith(registry, symbol);
  const current = new Set([...canonical, ...stored.map(({ token }) => token)]);
  const former = await formerOf(scope, symbol, current);
  const tokens = [...current, ...former.keys()];
  if (tokens.length === 0) return [];
  const [faces, liquidities, creations, listings] = await Promise.all([
    metadataOf(scope, tokens),
    readLiquidity(scope, tokens),
    facts.ask(snapshot, "creations_among", { addresses: tokens.filter((token) => token !== "") }),
    listingsOf(scope, tokens),
  ]);
  const created = new Map(creations.map(({ address, time }) => [address, time]));
  const found = tokens.flatMap((token): readonly SymbolCandidate[] => {
    const face = faces.get(token);
    const liquidity = liquidities.get(token);
    if (face === undefined || liquidity === undefined) return [];
    const price = liquidity.priceOf(tradedAs(scope, token));
    return [
      {
        chain,
        face,
        price,
        is_canonical: isCanonical(network, token),
        liquidity: { usd: liquidity.usd, reason: liquidity.reason },
        scope,
        created: created.get(token) ?? null,
        holders: null,
        risk_tags: tagsOf(registry, { face, former: former.get(token) ?? null }, price),
        former_symbol: former.get(token) ?? null,
        lists: listingIn(listings, token).lists,
      },
    ];
  });
  return countHolders(scope, found.sort(byRank));
};

/** A candidate of the answer, with its supply; null where no node answered. */
export interface CandidateSupply {
  readonly found: SymbolCandidate;
  readonly supply: Supply | null;
}

/** Supplies of the shown candidates: one read of the node per network. Without a node there are no market caps. */
export const withSupplies = async (shown: readonly SymbolCandidate[]): Promise<readonly CandidateSupply[]> => {
  const places = [...new Set(shown.map(({ scope }) => scope))];
  const read = await Promise.all(
    places.map(async (scope) => {
      const tokens = shown.filter((found) => found.scope === scope).map(({ face }) => face.token);
      try {
        const issued = await readIssued(scope, tokens, await stateBlock(scope));
        return [scope, await readSupplies(scope, issued)] as const;
      } catch (error) {
        if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return [scope, null] as const;
        throw error;
      }
    }),
  );
  const supplies = new Map<SnapshotContext, ReadonlyMap<Hex, Supply> | null>(read);
  return shown.map((found) => ({ found, supply: supplies.get(found.scope)?.get(found.face.token) ?? null }));
};
