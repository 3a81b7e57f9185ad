import * as z from "zod";
import type { Chain } from "../chains/chain.ts";
import type { CallContext, SnapshotContext } from "../domain/context.ts";
import { readHolderSums } from "../domain/holders/sums.ts";
import { askedChains, askNetworks } from "../domain/networks.ts";
import { type Price, pricesAt } from "../domain/prices/price_now.ts";
import { listingIn, listingsOf } from "../domain/tokens/lists.ts";
import { formatToken, metadataOf, type TokenMetadata } from "../domain/tokens/metadata.ts";
import { canonicalFor, faceReasons, isCanonical } from "../domain/tokens/spam.ts";
import type { Hex } from "../lib/bytes.ts";
import { toAmount } from "../lib/money.ts";
import { data, failed, noData } from "../lib/outcome.ts";
import { iso } from "../lib/time.ts";
import type { Snapshot } from "../store/facts.ts";
import { chainText, metadata, networks, unavailable } from "./fields.ts";
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
  liquidity_usd: z.number().nullable().meta({ description: "USD on the anchor side of the deepest pool." }),
  market_cap_usd: z.number().nullable().meta({ description: "Supply as last read at the price of now." }),
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
  readonly supply: bigint | null;
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
    known(b.price?.depth_usd ?? null) - known(a.price?.depth_usd ?? null) ||
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
  const supplies = new Map<Hex, bigint | null>(stored.map(({ token, total_supply }) => [token, total_supply]));
  const canonical = canonicalFor(network, symbol).map((entry) => entry.canonical);
  const tokens = [...new Set([...canonical, ...supplies.keys()])];
  if (tokens.length === 0) return [];
  const [faces, prices, creations, listings] = await Promise.all([
    metadataOf(place, tokens),
    pricesAt({ facts, network, snapshot }, tokens),
    facts.ask(snapshot, "creations_among", { addresses: tokens.filter((token) => token !== "") }),
    listingsOf(place, tokens),
  ]);
  const created = new Map(creations.map(({ address, time }) => [address, time]));
  const found = tokens.flatMap((token): readonly Candidate[] => {
    const face = faces.get(token);
    if (face === undefined) return [];
    const price = prices.get(token) ?? null;
    return [
      {
        chain,
        face,
        price,
        is_canonical: isCanonical(network, token),
        supply: supplies.get(token) ?? null,
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

const rowOf = (asked: string, found: Candidate, rank_score: number): z.output<typeof match> => {
  const { face, chain, price, supply } = found;
  const scaled = supply === null || face.decimals === null ? null : toAmount(supply, face.decimals);
  return {
    symbol: face.symbol,
    name: face.name,
    token_address: formatToken(chain, face.token),
    network: chain.network.id,
    decimals: face.decimals,
    is_canonical: found.is_canonical,
    verified_by_lists: [...found.lists],
    liquidity_usd: price === null || price.depth_usd === 0 ? null : price.depth_usd,
    market_cap_usd: scaled === null || price === null ? null : scaled * price.price_usd,
    volume_24h_usd: null,
    holders_count: found.holders,
    created_at: found.created === null ? null : iso(found.created),
    is_stablecoin: chain.network.stablecoins.some(({ address }) => address === face.token),
    risk_tags: [...found.risk_tags],
    match: matchOf(asked, found),
    rank_score,
  };
};

const UNAVAILABLE = [{ field: "matches[].volume_24h_usd", reason: "told by get_token_market_analysis" }];

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
    return data({
      type: "token_symbol_resolution" as const,
      symbol: asked.symbol,
      matches: found.slice(0, asked.limit).map((candidate, i) => rowOf(symbol, candidate, found.length - i)),
      ambiguous: found.filter(({ risk_tags }) => !risk_tags.includes("impersonation")).length > 1,
      total_matches: found.length,
      unavailable: UNAVAILABLE,
      metadata: described,
    });
  },
});
