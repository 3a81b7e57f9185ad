import * as z from "zod";
import type { Chain } from "../chains/chain.ts";
import { noHoldings } from "../domain/absences.ts";
import type { CallContext } from "../domain/context.ts";
import { isMany, queryEachNetwork } from "../domain/networks.ts";
import type { HoldingVerdict } from "../domain/token/developer/holding_outcomes.ts";
import { formatToken, isWrapped, symbolOf } from "../domain/token/metadata/metadata.ts";
import { dollars, majorOf } from "../domain/wallet/holdings/composition.ts";
import { byValue, readHoldings, type ValuedHolding } from "../domain/wallet/holdings/holdings.ts";
import { type AssetComposition, assetComposition } from "../domain/wallet/positions/asset_composition.ts";
import { readPositions, type ValuedPosition } from "../domain/wallet/positions/read.ts";
import { type RowWorth, rowWorths, type WalletWorth, worthOf } from "../domain/wallet/positions/worth.ts";
import type { Hex } from "../lib/bytes.ts";
import { toAmount } from "../lib/money.ts";
import { data, emptyOutcome } from "../lib/outcome.ts";
import type { PinnedBlock } from "../lib/parsed.ts";
import {
  address,
  asOfBlock,
  chainText,
  holdingOutcome,
  includeSpam,
  metadata,
  networks,
  unavailable,
} from "./fields.ts";
import { metadataOver } from "./metadata.ts";
import { byPositionValue, position, positionRow, positionValue, unpricedFields, worth } from "./position_rows.ts";
import { DEMO_EXAMPLES, defineTool } from "./tool.ts";

const METHODOLOGY = "portfolio/hhi@2";
const HOLDINGS_DEFAULT = 20;
const HOLDINGS_MAX = 200;

const input = z.strictObject({
  wallet_address: address("Wallet address."),
  network: networks(),
  max_holdings: z
    .int()
    .min(1)
    .max(HOLDINGS_MAX)
    .default(HOLDINGS_DEFAULT)
    .describe("Most rows of top_holdings; totals always cover everything."),
  include_spam: includeSpam(),
  as_of_block: asOfBlock(),
});

const symbol = () => chainText("Token symbol; omitted when the contract reports none.").optional();
/** A native coin and its wrapped form may share a symbol, so the name distinguishes them. */
const name = () => chainText("Token name. A native coin and its wrapped form may share a symbol.").nullable();
const share = { usd_value: z.number().nullable(), share_percent: z.number().nullable(), holdings: z.int() };

const topHolding = z.strictObject({
  symbol: symbol(),
  name: name(),
  usd_value: z.number().optional().describe("USD value at the token's own price; omitted when it has none."),
  position_value_usd: positionValue(),
  chain: z.string(),
  logo_url: z.string().nullable(),
  token_address: z.string().describe("Token address, or `native` for the network's native coin."),
  is_wrapped_native: z.boolean().describe("True for the wrapped form of the network's native coin."),
  amount: z.number().nullable(),
  amount_raw: z.string(),
  price_usd: z.number().nullable().describe("USD price in the token's own market; null for a position."),
  ...holdingOutcome,
  share_percent: z.number().nullable().describe("Percent of all holdings and staked coins, debts not subtracted."),
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
  hhi: z.number().nullable().describe("Herfindahl index of the value shares, 0..1."),
  effective_assets: z.number().nullable(),
  top1_percent: z.number().nullable(),
  top5_percent: z.number().nullable(),
  stablecoin_percent: z
    .number()
    .nullable()
    .describe("Percent of all holdings, positions and staked coins with a value, debts not subtracted."),
  native_percent: z.number().nullable(),
  unpriced_count: z.int(),
  by_category: z.array(z.strictObject({ category: z.string(), ...share })),
  by_network: z.array(z.strictObject({ network: z.string(), ...share })),
});

const output = z.strictObject({
  type: z.literal("portfolio_breakdown"),
  total_value_displayed: z.string().describe("Total value as text; `unknown` when nothing held has a price."),
  ...worth,
  tokens_without_price: z.int(),
  hidden_spam: z.int(),
  major_holdings: z.array(z.strictObject({ symbol: symbol(), name: name(), usd_value: z.number() })),
  composition_analysis: composition,
  top_holdings: z.array(topHolding),
  positions: z
    .array(position)
    .describe(
      "Pool and vault shares and lending receipts with their underlying tokens (already counted as holdings), debts, and coins staked with the network (not in any holding).",
    ),
  unavailable,
  metadata: metadata({ wallet_address: z.string() }),
});

interface SellableHolding extends ValuedHolding {
  readonly sale: HoldingVerdict | null;
}

interface TopRows {
  readonly gross_usd: number;
  readonly worthOfRow: (holding: ValuedHolding) => RowWorth;
}

const topOf = (found: SellableHolding, { gross_usd, worthOfRow }: TopRows): z.output<typeof topHolding> => {
  const { face, chain, decimals } = found;
  const { usd_value, position_value_usd } = worthOfRow(found);
  const symbol = symbolOf(chain, face);
  const counted_usd = usd_value ?? position_value_usd;
  return {
    ...(symbol === null ? {} : { symbol }),
    name: face.name,
    ...(usd_value === null ? {} : { usd_value }),
    position_value_usd,
    chain: chain.network.id,
    logo_url: null,
    token_address: formatToken(chain, face.token),
    is_wrapped_native: isWrapped(chain, face.token),
    amount: decimals === null ? null : toAmount(found.balance, decimals),
    amount_raw: found.balance.toString(),
    price_usd: found.price?.price_usd ?? null,
    outcome: found.sale?.outcome ?? null,
    outcome_reason: found.sale?.reason ?? null,
    share_percent: counted_usd === null || gross_usd === 0 ? null : (100 * counted_usd) / gross_usd,
  };
};

const NO_PRICE = "the token has no price";
const IS_POSITION = "the token has no price of its own; position_value_usd is the value of its underlying tokens";

const unavailableIn = (
  top: readonly z.output<typeof topHolding>[],
  positions: readonly ValuedPosition[],
  values: WalletWorth,
) => [
  ...unpricedFields(values),
  { field: "top_holdings[].logo_url", reason: "no token list with logos is configured" },
  ...top.flatMap(({ usd_value, position_value_usd, symbol }, i) => [
    ...(usd_value === undefined
      ? [{ field: `top_holdings[${i}].usd_value`, reason: position_value_usd === null ? NO_PRICE : IS_POSITION }]
      : []),
    ...(symbol === undefined ? [{ field: `top_holdings[${i}].symbol`, reason: "the contract reports no symbol" }] : []),
  ]),
  ...positions.flatMap(({ valued: { reason } }, i) =>
    reason === null ? [] : [{ field: `positions[${i}].usd_value`, reason }],
  ),
];

const readPortfolio = async (
  context: CallContext,
  of: { readonly chain: Chain; readonly wallet: Hex; readonly as_of_block: PinnedBlock | null },
) => {
  const { basis, value } = await readHoldings(context, of);
  const scope = { facts: context.facts, chain: of.chain, snapshot: basis, signal: context.signal };
  const { assets: valued, positions, outcomes, warnings } = await readPositions(scope, of.wallet, value.holdings);
  const assets = valued.map((asset): SellableHolding => ({ ...asset, sale: outcomes.get(asset.face.token) ?? null }));
  const is_empty = value.holdings.length === 0 && positions.length === 0;
  return { basis, value: { ...value, is_empty, assets, positions, warnings: [...value.warnings, ...warnings] } };
};

const composedOf = ({ collectibles, gross_usd: _, by_category, by_network, ...rest }: AssetComposition) => {
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
    "Total value of a wallet, its largest holdings and their concentration: Herfindahl index, share of stablecoins and native coin, by category and by network. Pool and vault shares and lending receipts are valued by their underlying tokens; debts are subtracted. Use it for net worth and allocation; get_wallet_token_holdings lists each balance.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  subjects: ["wallet_address"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "all" },
  check: ({ as_of_block, network }) =>
    typeof as_of_block === "number" && isMany(network) ? "as_of_block requires a single network." : null,
  run: async ({ wallet_address, network, max_holdings, include_spam, as_of_block }, context) => {
    const asked = { network, address: wallet_address };
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readPortfolio(context, { chain, wallet, as_of_block: as_of_block ?? null }),
    );
    const described = metadataOver(asked, spread, {
      echo: { wallet_address: wallet_address.text },
      methodology: METHODOLOGY,
      warnings: spread.answered.flatMap(({ value }) => value.warnings),
    });
    if (spread.answered.every(({ value }) => value.is_empty)) {
      const is_proven = spread.failed.length === 0 && spread.answered.every(({ value }) => value.is_proven);
      return emptyOutcome({ type: "portfolio_breakdown", metadata: described }, noHoldings(spread), is_proven);
    }
    const all = spread.answered.flatMap(({ value }) => value.assets).sort(byValue);
    const positions = spread.answered.flatMap(({ value }) => value.positions).sort(byPositionValue);
    const counted = include_spam ? all : all.filter(({ spam_reasons }) => spam_reasons.length === 0);
    const values = worthOf(counted, positions);
    const composition = assetComposition(counted, positions);
    const fungible = counted.filter(({ is_collectible }) => !is_collectible);
    const rows: TopRows = { gross_usd: composition.gross_usd, worthOfRow: rowWorths(positions) };
    const top = fungible.slice(0, max_holdings).map((found) => topOf(found, rows));
    return data({
      type: "portfolio_breakdown" as const,
      total_value_displayed: values.total_value_usd === null ? "unknown" : dollars(values.total_value_usd),
      ...values,
      tokens_without_price: composition.unpriced_count,
      hidden_spam: all.length - counted.length,
      major_holdings: majorOf(fungible).map(({ chain, face, usd_value }) => {
        const symbol = symbolOf(chain, face);
        return { ...(symbol === null ? {} : { symbol }), name: face.name, usd_value: usd_value ?? 0 };
      }),
      composition_analysis: composedOf(composition),
      top_holdings: top,
      positions: positions.map(positionRow),
      unavailable: unavailableIn(top, positions, values),
      metadata: described,
    });
  },
  view: {
    members:
      "total_value_displayed total_value_usd holdings_value_usd positions_value_usd tokens_without_price hidden_spam composition_analysis top_holdings positions",
    drawn: {
      "composition_analysis.by_network": { rows_min: 2 },
      top_holdings: {
        is: "page",
        columns: "symbol token_address chain usd_value position_value_usd share_percent outcome amount price_usd",
      },
      positions: { columns: "protocol kind symbol usd_value is_debt chain underlying[amount,symbol] token_address" },
    },
  },
});
