import * as z from "zod";
import { compositionOf, dollars, majorOf } from "../analysis/portfolio.ts";
import { toAmount } from "../lib/money.ts";
import { data, failed, noData } from "../lib/outcome.ts";
import { address, asOfBlock, chainText, includeSpam, metadata, networks, unavailable } from "./fields.ts";
import { askEach, isMany, metadataOver } from "./networks.ts";
import { formatToken } from "./token_faces.ts";
import { defineTool } from "./tool.ts";
import { byValue, type Holding, readHoldings } from "./wallet_holdings.ts";

const METHODOLOGY = "portfolio/hhi@1";
const HOLDINGS_DEFAULT = 20;
const HOLDINGS_MAX = 200;

const input = z.strictObject({
  wallet_address: address("Wallet."),
  network: networks(),
  max_holdings: z
    .int()
    .min(1)
    .max(HOLDINGS_MAX)
    .default(HOLDINGS_DEFAULT)
    .meta({ description: "Length of top_holdings; totals always cover everything." }),
  include_spam: includeSpam(),
  as_of_block: asOfBlock(),
});

const symbol = () => chainText("Token symbol; left out when the contract tells none.").optional();
const share = { usd_value: z.number().nullable(), share_percent: z.number().nullable(), holdings: z.int() };

const topHolding = z.strictObject({
  symbol: symbol(),
  usd_value: z.number().optional().meta({ description: "Left out when the token has no price." }),
  chain: z.string(),
  logo_url: z.string().nullable(),
  token_address: z.string().meta({ description: "`native` for the coin of the network." }),
  amount: z.number().nullable(),
  amount_raw: z.string(),
  price_usd: z.number().nullable(),
  share_percent: z.number().nullable(),
});

const composition = z.strictObject({
  diversification: z.enum([
    "single_asset",
    "highly_concentrated",
    "concentrated",
    "moderately_diversified",
    "diversified",
    "unknown",
  ]),
  note: z.string(),
  hhi: z.number().nullable().meta({ description: "Sum of squared value shares, 0..1." }),
  effective_assets: z.number().nullable(),
  top1_percent: z.number().nullable(),
  top5_percent: z.number().nullable(),
  stablecoin_percent: z.number().nullable(),
  native_percent: z.number().nullable(),
  unpriced_count: z.int(),
  by_category: z.array(z.strictObject({ category: z.string(), ...share })),
  by_network: z.array(z.strictObject({ network: z.string(), ...share })),
});

const output = z.strictObject({
  type: z.literal("portfolio_breakdown"),
  total_value_displayed: z.string(),
  total_value_usd: z.number(),
  tokens_without_price: z.int(),
  hidden_spam: z.int(),
  major_holdings: z.array(z.strictObject({ symbol: symbol(), usd_value: z.number() })),
  composition_analysis: composition,
  top_holdings: z.array(topHolding),
  positions: z.array(z.strictObject({ protocol: z.string(), usd_value: z.number().nullable() })).meta({
    description: "Holdings that stand for a deposit elsewhere. No registry of receipt tokens is loaded: empty.",
  }),
  unavailable,
  metadata: metadata({ wallet_address: z.string() }),
});

const topOf = (found: Holding, total: number): z.output<typeof topHolding> => {
  const { face, chain, usd_value, decimals } = found;
  return {
    ...(face.symbol === null ? {} : { symbol: face.symbol }),
    ...(usd_value === null ? {} : { usd_value }),
    chain: chain.network.id,
    logo_url: null,
    token_address: formatToken(chain, face.token),
    amount: decimals === null ? null : toAmount(found.balance, decimals),
    amount_raw: found.balance.toString(),
    price_usd: found.price?.price_usd ?? null,
    share_percent: usd_value === null || total === 0 ? null : (100 * usd_value) / total,
  };
};

/** Fields of the specification that rows had to leave out. */
const unavailableIn = (top: readonly z.output<typeof topHolding>[]) => [
  { field: "top_holdings[].logo_url", reason: "no token list with logos is configured" },
  ...top.flatMap(({ usd_value, symbol }, i) => [
    ...(usd_value === undefined ? [{ field: `top_holdings[${i}].usd_value`, reason: "the token has no price" }] : []),
    ...(symbol === undefined ? [{ field: `top_holdings[${i}].symbol`, reason: "the contract tells no symbol" }] : []),
  ]),
];

/** Composition of fungible holdings. Collectibles have no price: they are counted apart and never as unpriced tokens. */
const analyse = (holdings: readonly Holding[]) => {
  const fungible = holdings.filter(({ is_collectible }) => !is_collectible);
  const collectibles = holdings.length - fungible.length;
  const unpriced_count = fungible.filter(({ usd_value }) => usd_value === null).length;
  const priced = fungible.flatMap(({ chain, face, usd_value, category }) => {
    const asset = category === "native" ? "native" : face.token;
    return usd_value === null
      ? []
      : [{ asset: `${chain.network.id}:${asset}`, usd_value, category, network: chain.network.id }];
  });
  const { by_category, by_network, ...rest } = compositionOf(priced, unpriced_count);
  const excluded = { category: "nft_excluded", usd_value: null, share_percent: null, holdings: collectibles };
  return {
    ...rest,
    by_category: [...by_category, ...(collectibles > 0 ? [excluded] : [])],
    by_network: [...by_network],
  };
};

export const getWalletPortfolioBreakdown = defineTool({
  name: "get_wallet_portfolio_breakdown",
  title: "Portfolio of a wallet",
  description:
    "Total value of a wallet, its major and top holdings and how concentrated they are: Herfindahl index, share of stablecoins and native coin, by category and by network.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { wallet_address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", network: "all" },
  check: ({ as_of_block, network }) =>
    as_of_block !== undefined && isMany(network) ? "as_of_block takes a single network." : null,
  run: async ({ wallet_address, network, max_holdings, include_spam, as_of_block }, context) => {
    const asked = { network, address: wallet_address };
    const spread = await askEach(asked, context, (chain, wallet) =>
      readHoldings(context, { chain, wallet, as_of_block: as_of_block ?? null }),
    );
    const described = metadataOver(asked, spread, {
      echo: { wallet_address },
      methodology: METHODOLOGY,
      warnings: spread.answered.flatMap(({ value }) => value.warnings),
    });
    const all = spread.answered.flatMap(({ value }) => value.holdings).sort(byValue);
    if (all.length === 0) {
      const is_proven = spread.failed.length === 0 && spread.answered.every(({ value }) => value.is_proven);
      return is_proven
        ? noData("portfolio_breakdown", described)
        : failed(
            "COVERAGE_INCOMPLETE",
            "No holding was found, and the index cannot prove that there is none.",
            described,
          );
    }
    const counted = include_spam ? all : all.filter(({ spam_reasons }) => spam_reasons.length === 0);
    const total = counted.reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0);
    const composed = analyse(counted);
    const fungible = counted.filter(({ is_collectible }) => !is_collectible);
    const top = fungible.slice(0, max_holdings).map((found) => topOf(found, total));
    return data({
      type: "portfolio_breakdown" as const,
      total_value_displayed: dollars(total),
      total_value_usd: total,
      tokens_without_price: composed.unpriced_count,
      hidden_spam: all.length - counted.length,
      major_holdings: majorOf(fungible).map(({ face, usd_value }) => ({
        ...(face.symbol === null ? {} : { symbol: face.symbol }),
        usd_value: usd_value ?? 0,
      })),
      composition_analysis: composed,
      top_holdings: top,
      positions: [],
      unavailable: unavailableIn(top),
      metadata: described,
    });
  },
});
