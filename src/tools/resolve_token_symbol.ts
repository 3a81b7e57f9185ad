import * as z from "zod";
import type { Chain } from "../chains/chain.ts";
import type { CallContext, SnapshotContext } from "../domain/context.ts";
import { readHolderSums } from "../domain/holders/sums.ts";
import { marketCapGap, marketCapUsd, readIssued, readSupplies, type Supply } from "../domain/holders/supply.ts";
import { stateBlock } from "../domain/holdings/balances.ts";
import { type Liquidity, readLiquidity, tradedAs } from "../domain/market/liquidity.ts";
import { askedChains, askNetworks } from "../domain/networks.ts";
import type { Price } from "../domain/prices/price_now.ts";
import { listingIn, listingsOf } from "../domain/tokens/lists.ts";
import { formatToken, metadataOf, type TokenMetadata } from "../domain/tokens/metadata.ts";
import { canonicalFor, faceReasons, isCanonical } from "../domain/tokens/spam.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { data, failed, noData } from "../lib/outcome.ts";
import { iso } from "../lib/time.ts";
import type { Snapshot } from "../store/facts.ts";
import { chainText, LIQUIDITY_MEANING, metadata, networks, unavailable } from "./fields.ts";
import { metadataOver } from "./metadata.ts";
import { defineTool } from "./tool.ts";

const METHODOLOGY = "token-symbol/registry-liquidity-holders-age@1";
const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 25;
/** Tokens of one symbol and network that are looked at. A symbol that more contracts use is noise beyond them. */
const CANDIDATES_MAX = 500;
/** Tokens of one network whose holders are counted: the best ones by everything else. */
const COUNTED_MAX = LIMIT_MAX;

const input = z.strictObject({
  symbol: z.string().min(1).max(32).meta({ description: "Symbol in any case; a leading $ is ignored." }),
  network: networks().default("all"),
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).meta({ description: "Matches returned at most." }),
});

const match = z.strictObject({
  symbol: chainText("Token symbol.").nullable(),
  name: chainText("Token name.").nullable(),
  token_address: z.string().meta({ description: "`native` for the coin of the network." }),
  network: z.string(),
  decimals: z.int().nullable(),
  is_canonical: z
    .boolean()
    .meta({ description: "In the registry of the network: native coin, its wrapped form, stablecoins." }),
  verified_by_lists: z.array(z.string()).meta({ description: "Imported token lists that hold it." }),
  liquidity_usd: z.number().nullable().meta({ description: LIQUIDITY_MEANING }),
  market_cap_usd: z
    .number()
    .nullable()
    .meta({ description: "What circulates at the price of now, as in get_token_info." }),
  volume_24h_usd: z.number().nullable(),
  holders_count: z.int().nullable(),
  created_at: z.string().nullable(),
  is_stablecoin: z.boolean(),
  risk_tags: z.array(z.string()),
  match: z.enum(["exact", "case", "alias"]),
  rank_score: z.int().meta({ description: "Higher is better; compares only within this answer." }),
});

const output = z.strictObject({
  type: z.literal("token_symbol_resolution"),
  symbol: z.string(),
  matches: z.array(match),
  ambiguous: z.boolean().meta({ description: "More than one match is no impersonation." }),
  total_matches: z.int(),
  unavailable,
  metadata: metadata({ symbol: z.string() }),
});

interface Candidate {
  readonly chain: Chain;
  readonly face: TokenMetadata;
  readonly is_canonical: boolean;
  readonly price: Price | null;
  readonly liquidity: Liquidity;
  readonly place: SnapshotContext;
  readonly created: number | null;
  readonly holders: number | null;
  readonly risk_tags: readonly string[];
  /** Imported token lists that hold it. */
  readonly lists: readonly string[];
}

const bare = (symbol: string): string => symbol.trim().replace(/^\$+/, "").trim();

const known = (value: number | null): number => value ?? -1;

/** Registry first, copies of the registry last; then lists that hold it, liquidity, holders, age, network, address: a total order. */
const byRank = (a: Candidate, b: Candidate): number => {
  const copies = (found: Candidate) => (found.risk_tags.includes("impersonation") ? 1 : 0);
  const text = ({ chain, face }: Candidate) => `${chain.network.id}:${face.token}`;
  return (
    Number(b.is_canonical) - Number(a.is_canonical) ||
    copies(a) - copies(b) ||
    b.lists.length - a.lists.length ||
    known(b.liquidity.usd) - known(a.liquidity.usd) ||
    known(b.holders) - known(a.holders) ||
    (a.created ?? Number.MAX_SAFE_INTEGER) - (b.created ?? Number.MAX_SAFE_INTEGER) ||
    (text(a) < text(b) ? -1 : 1)
  );
};

const tagsOf = (chain: Chain, face: TokenMetadata, price: Price | null): readonly string[] =>
  face.token === ""
    ? []
    : faceReasons(chain.network, face, price?.confidence ?? null).map((reason) =>
        reason === "symbol_copy" ? "impersonation" : reason,
      );

/** Null where the events of the token do not tell it. */
const holdersOf = async (place: Pick<SnapshotContext, "facts" | "snapshot">, token: Hex): Promise<number | null> => {
  const { holders, is_doubtful } = await readHolderSums(place, token);
  return is_doubtful ? null : holders;
};

const countHolders = async (
  { facts, snapshot }: SnapshotContext,
  found: readonly Candidate[],
): Promise<readonly Candidate[]> => {
  const { complete, logs, traces } = snapshot.coverage;
  const countable = ({ face }: Candidate) => complete && logs && (face.token !== "" || traces);
  return Promise.all(
    found.map(async (candidate, i) =>
      i < COUNTED_MAX && countable(candidate)
        ? { ...candidate, holders: await holdersOf({ facts, snapshot }, candidate.face.token) }
        : candidate,
    ),
  );
};

const candidatesOn = async (place: SnapshotContext, symbol: string): Promise<readonly Candidate[]> => {
  const { facts, snapshot, chain } = place;
  const { network } = chain;
  const stored = await facts.ask(snapshot, "tokens_by_symbol", { symbol, limit: CANDIDATES_MAX });
  const canonical = canonicalFor(network, symbol).map((entry) => entry.canonical);
  const tokens = [...new Set([...canonical, ...stored.map(({ token }) => token)])];
  if (tokens.length === 0) return [];
  const [faces, liquidities, creations, listings] = await Promise.all([
    metadataOf(place, tokens),
    readLiquidity(place, tokens),
    facts.ask(snapshot, "creations_among", { addresses: tokens.filter((token) => token !== "") }),
    listingsOf(place, tokens),
  ]);
  const created = new Map(creations.map(({ address, time }) => [address, time]));
  const found = tokens.flatMap((token): readonly Candidate[] => {
    const face = faces.get(token);
    const liquidity = liquidities.get(token);
    if (face === undefined || liquidity === undefined) return [];
    const price = liquidity.priceOf(tradedAs(place, token));
    return [
      {
        chain,
        face,
        price,
        is_canonical: isCanonical(network, token),
        liquidity: { usd: liquidity.usd, reason: liquidity.reason },
        place,
        created: created.get(token) ?? null,
        holders: null,
        risk_tags: tagsOf(chain, face, price),
        lists: listingIn(listings, token).lists,
      },
    ];
  });
  return countHolders(place, found.sort(byRank));
};

const matchOf = (asked: string, { face }: Candidate): z.output<typeof match>["match"] => {
  if (face.symbol === asked) return "exact";
  return face.symbol?.toLowerCase() === asked.toLowerCase() ? "case" : "alias";
};

/** A candidate that is shown, with its supply; null where no node answered. */
interface Shown {
  readonly found: Candidate;
  readonly supply: Supply | null;
}

/** Supplies of what is shown: one read of the node per network. A node that is silent leaves market caps out. */
const withSupplies = async (shown: readonly Candidate[]): Promise<readonly Shown[]> => {
  const places = [...new Set(shown.map(({ place }) => place))];
  const read = await Promise.all(
    places.map(async (place) => {
      const tokens = shown.filter((found) => found.place === place).map(({ face }) => face.token);
      try {
        const issued = await readIssued(place, tokens, await stateBlock(place));
        return [place, await readSupplies(place, issued)] as const;
      } catch (error) {
        if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return [place, null] as const;
        throw error;
      }
    }),
  );
  const supplies = new Map<SnapshotContext, ReadonlyMap<Hex, Supply> | null>(read);
  return shown.map((found) => ({ found, supply: supplies.get(found.place)?.get(found.face.token) ?? null }));
};

const rowOf = (asked: string, { found, supply }: Shown, rank_score: number): z.output<typeof match> => {
  const { face, chain, price } = found;
  return {
    symbol: face.symbol,
    name: face.name,
    token_address: formatToken(chain, face.token),
    network: chain.network.id,
    decimals: face.decimals,
    is_canonical: found.is_canonical,
    verified_by_lists: [...found.lists],
    liquidity_usd: found.liquidity.usd,
    market_cap_usd: supply === null ? null : marketCapUsd(supply, price?.price_usd ?? null),
    volume_24h_usd: null,
    holders_count: found.holders,
    created_at: found.created === null ? null : iso(found.created),
    is_stablecoin: chain.network.stablecoins.some(({ address }) => address === face.token),
    risk_tags: [...found.risk_tags],
    match: matchOf(asked, found),
    rank_score,
  };
};

const NO_NODE = "no node answered for its supply";

/** Each reason once, however many matches it is of. */
const missingOf = (shown: readonly Shown[]): z.output<typeof output>["unavailable"] => {
  const reasons = (field: string, of: readonly string[]) => [...new Set(of)].map((reason) => ({ field, reason }));
  const caps = shown.flatMap(({ found: { price }, supply }) => {
    if (supply === null) return [NO_NODE];
    const price_usd = price?.price_usd ?? null;
    return marketCapUsd(supply, price_usd) === null ? [marketCapGap(supply, price_usd)] : [];
  });
  return [
    { field: "matches[].volume_24h_usd", reason: "told by get_token_market_analysis" },
    ...reasons(
      "matches[].liquidity_usd",
      shown.flatMap(({ found: { liquidity } }) => liquidity.reason ?? []),
    ),
    ...reasons("matches[].market_cap_usd", caps),
  ];
};

const readNetwork = async (context: CallContext, chain: Chain, symbol: string) => {
  const snapshot: Snapshot = await context.facts.snapshot(chain.network.id, null);
  const place: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  return { basis: snapshot, value: await candidatesOn(place, symbol) };
};

export const resolveTokenSymbol = defineTool({
  name: "resolve_token_symbol",
  title: "Find a token by its symbol",
  description:
    "Token contracts that carry a symbol, ranked: the network's own registry first, then imported token lists, liquidity, holders and age; copies of a registered symbol are tagged and never come first.",
  credits: 1,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { symbol: "USDC", network: "demo" },
  check: ({ symbol }) => (bare(symbol) === "" ? "symbol: nothing is left of it without the $ sign." : null),
  run: async (asked, context) => {
    const symbol = bare(asked.symbol);
    const spread = await askNetworks(asked.network, askedChains(asked.network, context), (chain) =>
      readNetwork(context, chain, symbol),
    );
    const described = metadataOver(asked, spread, { echo: { symbol: asked.symbol }, methodology: METHODOLOGY });
    const found = spread.answered.flatMap(({ value }) => value).sort(byRank);
    if (found.length === 0) {
      const is_proven =
        spread.failed.length === 0 && spread.answered.every(({ basis }) => basis.coverage?.complete === true);
      return is_proven
        ? noData("token_symbol_resolution", described)
        : failed(
            "COVERAGE_INCOMPLETE",
            "No token was found, and the index does not hold the whole history.",
            described,
          );
    }
    const shown = await withSupplies(found.slice(0, asked.limit));
    return data({
      type: "token_symbol_resolution" as const,
      symbol: asked.symbol,
      matches: shown.map((one, i) => rowOf(symbol, one, found.length - i)),
      ambiguous: found.filter(({ risk_tags }) => !risk_tags.includes("impersonation")).length > 1,
      total_matches: found.length,
      unavailable: missingOf(shown),
      metadata: described,
    });
  },
});
