import * as z from "zod";
import type { Chain } from "../chains/chain.ts";
import { noSymbol } from "../domain/absences.ts";
import type { CallContext, SnapshotContext } from "../domain/context.ts";
import { chainsOfNetwork, queryNetworks } from "../domain/networks.ts";
import { marketValueOf } from "../domain/token/holders/supply.ts";
import {
  byRank,
  type CandidateSupply,
  COUNTED_MAX,
  candidatesOn,
  type SymbolCandidate,
  withSupplies,
} from "../domain/token/market/candidates.ts";
import { formatToken } from "../domain/token/metadata/metadata.ts";
import { data, emptyOutcome } from "../lib/outcome.ts";
import { iso } from "../lib/time.ts";
import type { Snapshot } from "../store/facts.ts";
import { chainText, LIQUIDITY_MEANING, metadata, networks, unavailable } from "./fields.ts";
import { metadataOver } from "./metadata.ts";
import { defineTool } from "./tool.ts";

const METHODOLOGY = "token-symbol/registry-liquidity-holders-age@1";
const LIMIT_DEFAULT = 10;
const LIMIT_MAX = COUNTED_MAX;

const input = z.strictObject({
  symbol: z.string().min(1).max(32).describe("Symbol in any case; a leading $ is ignored."),
  network: networks().default("all"),
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("Most matches in the answer."),
});

const match = z.strictObject({
  symbol: chainText("Token symbol.").nullable(),
  name: chainText("Token name.").nullable(),
  token_address: z.string().describe("Token address, or `native` for the network's native coin."),
  network: z.string(),
  decimals: z.int().nullable(),
  is_canonical: z.boolean().describe("True for the network's registry: native coin, its wrapped form, stablecoins."),
  verified_by_lists: z.array(z.string()).describe("Imported token lists that contain the token."),
  liquidity_usd: z.number().nullable().describe(LIQUIDITY_MEANING),
  market_cap_usd: z
    .number()
    .nullable()
    .describe("Circulating supply times the current price, as in get_token_info; null when unknown."),
  volume_24h_usd: z.number().nullable(),
  holders_count: z.int().nullable(),
  created_at: z.string().nullable(),
  is_stablecoin: z.boolean(),
  risk_tags: z.array(z.string()),
  match: z.enum(["exact", "case", "alias"]).describe("`alias`: another symbol than the token's current one matched."),
  former_symbol: chainText("Older symbol that matched; null where the token has the symbol now.").nullable(),
  rank_score: z.int().describe("Rank score, higher is better; comparable only within this answer."),
});

const output = z.strictObject({
  type: z.literal("token_symbol_resolution"),
  symbol: z.string(),
  matches: z.array(match),
  ambiguous: z
    .boolean()
    .nullable()
    .describe("True when several matches have the symbol now and are no impersonation; null when others may have it."),
  total_matches: z.int().nullable(),
  unavailable,
  metadata: metadata({ symbol: z.string() }),
});

const bare = (symbol: string): string => symbol.trim().replace(/^\$+/, "").trim();

const matchOf = (asked: string, { face, former_symbol }: SymbolCandidate): z.output<typeof match>["match"] => {
  if (former_symbol !== null) return "alias";
  if (face.symbol === asked) return "exact";
  return face.symbol?.toLowerCase() === asked.toLowerCase() ? "case" : "alias";
};

const rowOf = (asked: string, { found, supply }: CandidateSupply, rank_score: number): z.output<typeof match> => {
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
    market_cap_usd: supply === null ? null : marketValueOf(supply, price, found.liquidity.usd).market_cap_usd,
    volume_24h_usd: null,
    holders_count: found.holders,
    created_at: found.created === null ? null : iso(found.created),
    is_stablecoin: chain.network.stablecoins.some(({ address }) => address === face.token),
    risk_tags: [...found.risk_tags],
    match: matchOf(asked, found),
    former_symbol: found.former_symbol,
    rank_score,
  };
};

/** It has the symbol now, and by right as far as is known. */
const isOwn = ({ risk_tags, former_symbol }: SymbolCandidate): boolean =>
  former_symbol === null && !risk_tags.includes("impersonation");

const NO_NODE = "no node answered for its supply";

/** Where networks are read on demand, tokens that no registry and no list names are not known. */
const ON_DEMAND = "a network that is read on demand knows its registry and imported lists, and no other tokens";

const unreadOf = (is_followed: boolean): z.output<typeof output>["unavailable"] =>
  is_followed
    ? ["ambiguous", "total_matches", "matches[].holders_count", "matches[].created_at"].map((field) => ({
        field,
        reason: ON_DEMAND,
      }))
    : [];

const missingOf = (shown: readonly CandidateSupply[]): z.output<typeof output>["unavailable"] => {
  const reasons = (field: string, of: readonly string[]) => [...new Set(of)].map((reason) => ({ field, reason }));
  const caps = shown.flatMap(({ found: { price, liquidity }, supply }) => {
    if (supply === null) return [NO_NODE];
    const { gap } = marketValueOf(supply, price, liquidity.usd);
    return gap === null ? [] : [gap];
  });
  return [
    { field: "matches[].volume_24h_usd", reason: "see get_token_market_analysis" },
    ...reasons(
      "matches[].liquidity_usd",
      shown.flatMap(({ found: { liquidity } }) => liquidity.reason ?? []),
    ),
    ...reasons("matches[].market_cap_usd", caps),
  ];
};

const readNetwork = async (context: CallContext, chain: Chain, symbol: string) => {
  const snapshot: Snapshot = await context.facts.snapshot(chain.network.id, null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const is_followed = snapshot.followed !== undefined;
  return { basis: snapshot, value: { is_followed, candidates: await candidatesOn(scope, symbol) } };
};

export const resolveTokenSymbol = defineTool({
  name: "resolve_token_symbol",
  title: "Find a token by its symbol",
  description:
    "Token contracts with a symbol, ranked: the network's registry first, then imported token lists, liquidity, holders and age. Copies of a registered symbol are tagged and never rank first; a token that had the symbol before follows those that have it. Use it when only a ticker or symbol of a token is known, to find its contract address.",
  credits: 1,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { symbol: "USDC", network: "demo" },
  subjects: [],
  check: ({ symbol }) => (bare(symbol) === "" ? "symbol: it is empty without the $ sign." : null),
  run: async (asked, context) => {
    const symbol = bare(asked.symbol);
    const spread = await queryNetworks(asked.network, chainsOfNetwork(asked.network, context), (chain) =>
      readNetwork(context, chain, symbol),
    );
    const described = metadataOver(asked, spread, { echo: { symbol: asked.symbol }, methodology: METHODOLOGY });
    const found = spread.answered.flatMap(({ value }) => value.candidates).sort(byRank);
    if (found.length === 0) {
      const is_proven =
        spread.failed.length === 0 && spread.answered.every(({ basis }) => basis.coverage?.complete === true);
      return emptyOutcome({ type: "token_symbol_resolution", metadata: described }, noSymbol(spread), is_proven);
    }
    const is_followed = spread.answered.some(({ value }) => value.is_followed);
    const shown = await withSupplies(found.slice(0, asked.limit));
    return data({
      type: "token_symbol_resolution" as const,
      symbol: asked.symbol,
      matches: shown.map((one, i) => rowOf(symbol, one, found.length - i)),
      ambiguous: found.filter(isOwn).length > 1 || (is_followed ? null : false),
      total_matches: is_followed ? null : found.length,
      unavailable: [...unreadOf(is_followed), ...missingOf(shown)],
      metadata: described,
    });
  },
  view: {
    members: "symbol ambiguous total_matches matches",
    drawn: {
      matches: {
        is: "page",
        columns:
          "symbol name token_address network is_canonical risk_tags liquidity_usd market_cap_usd holders_count verified_by_lists match former_symbol created_at:day",
      },
    },
  },
});
