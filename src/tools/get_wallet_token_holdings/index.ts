import * as z from "zod";
import { noHoldings } from "../../domain/absences.ts";
import { readFrozen } from "../../domain/address/freezes/frozen_holdings.ts";
import type { CallContext } from "../../domain/context.ts";
import { isMany, queryEachNetwork } from "../../domain/networks.ts";
import type { HoldingVerdict } from "../../domain/token/developer/holding_outcomes.ts";
import { formatToken, isWrapped, symbolOf } from "../../domain/token/metadata/metadata.ts";
import { byValue, readHoldings, type ValuedHolding } from "../../domain/wallet/holdings/holdings.ts";
import { PIECES_MAX, piecesOf } from "../../domain/wallet/holdings/pieces.ts";
import { assetComposition } from "../../domain/wallet/positions/asset_composition.ts";
import { readPositions } from "../../domain/wallet/positions/read.ts";
import { type RowWorth, rowWorths, worthOf } from "../../domain/wallet/positions/worth.ts";
import { toAmount } from "../../lib/money.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import {
  address,
  asOfBlock,
  chainText,
  holdingOutcome,
  includeSpam,
  metadata,
  networks,
  unavailable,
} from "../fields.ts";
import { metadataOver } from "../metadata.ts";
import { byPositionValue, position, positionRow, positionValue, unpricedFields, worth } from "../position_rows.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { spotFields, spotValue } from "../worth_fields.ts";

const METHODOLOGY = "holdings/ledger-verified-live@1";
const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;

const input = z.strictObject({
  wallet_address: address("Wallet address."),
  network: networks(),
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("Most holdings in the answer."),
  include_spam: includeSpam(),
  min_usd: z.number().min(0).default(0).describe("Only holdings with a known value of at least this many USD."),
  as_of_block: asOfBlock(),
});

const holding = z.strictObject({
  symbol: chainText("Token symbol.").nullable(),
  name: chainText("Token name.").nullable(),
  token_address: z.string().describe("Token address, or `native` for the network's native coin."),
  chain: z.string(),
  balance: z
    .number()
    .nullable()
    .describe("Balance in whole tokens, or the number of NFTs; null when the token's decimals are unknown."),
  balance_raw: z.string(),
  decimals: z.int().nullable(),
  price_usd: z.number().nullable(),
  usd_value: z
    .number()
    .nullable()
    .describe("USD that the verified pools would pay for the balance; null when the token has no price of its own."),
  ...spotValue,
  position_value_usd: positionValue(),
  price_confidence: z.enum(["low", "medium", "high"]).nullable(),
  share_percent: z.number().nullable().describe("Percent of summary.holdings_value_usd."),
  price_change_24h_percent: z.number().nullable(),
  token_type: z.string().describe("native, erc20, erc721, erc1155 or unknown."),
  token_ids: z
    .array(z.string())
    .nullable()
    .describe(
      `Pieces of a collection, the last received first, at most ${PIECES_MAX}; those from before the index are not among them. Null for other tokens.`,
    ),
  is_native: z.boolean(),
  aliases: z.array(z.string()).describe("Other contracts that report this balance, which is counted once."),
  is_wrapped_native: z.boolean().describe("True for the wrapped form of the network's native coin."),
  is_stablecoin: z.boolean(),
  is_spam: z.boolean(),
  spam_reasons: z.array(z.string()),
  is_frozen: z.boolean().nullable().describe("Null when the coin is not a registered stablecoin, or the check failed."),
  ...holdingOutcome,
  logo_url: z.string().nullable(),
  last_change_at: z.string().nullable().describe("Time of the last indexed transfer."),
});

const output = z.strictObject({
  type: z.literal("token_holdings"),
  holdings: z.array(holding),
  positions: z
    .array(position)
    .describe("Underlying tokens of holdings, debts, and staked coins, as in get_wallet_portfolio_breakdown."),
  summary: z.strictObject({
    ...worth,
    token_count: z.int().describe("Number of holdings, spam excluded."),
    returned_count: z.int(),
    tokens_without_price: z
      .int()
      .describe("Fungible holdings whose value is unknown: neither a price of their own nor a valued position."),
    hidden_spam: z.int(),
    networks: z.array(z.string()).describe("Networks on which the wallet holds something."),
  }),
  unavailable,
  metadata: metadata({ wallet_address: z.string() }),
});

const isSpam = ({ spam_reasons }: ValuedHolding) => spam_reasons.length > 0;

interface CheckedHolding extends ValuedHolding {
  readonly token_ids: readonly bigint[] | null;
  readonly is_frozen: boolean | null;
  readonly outcome: HoldingVerdict | null;
}

const readNetwork = async (context: CallContext, of: Parameters<typeof readHoldings>[1]) => {
  const { basis, value } = await readHoldings(context, of);
  const scope = { facts: context.facts, chain: of.chain, snapshot: basis, signal: context.signal };
  const tokens = value.holdings.map(({ face }) => face.token);
  const collections = value.holdings.filter(({ is_collectible }) => is_collectible).map(({ face }) => face.token);
  const [frozen, stood, pieces] = await Promise.all([
    readFrozen(scope, of.wallet, tokens),
    readPositions(scope, of.wallet, value.holdings),
    piecesOf(scope, of.wallet, collections),
  ]);
  const holdings = value.holdings.map(
    (found): CheckedHolding => ({
      ...found,
      token_ids: found.is_collectible ? (pieces.get(found.face.token) ?? []) : null,
      is_frozen: frozen.get(found.face.token) ?? null,
      outcome: stood.outcomes.get(found.face.token) ?? null,
    }),
  );
  const { assets, positions } = stood;
  return { basis, value: { ...value, holdings, assets, positions, warnings: [...value.warnings, ...stood.warnings] } };
};

interface RowContext {
  readonly total_usd: number;
  readonly worthOfRow: (holding: ValuedHolding) => RowWorth;
}

const rowOf = (found: CheckedHolding, { total_usd: total, worthOfRow }: RowContext): z.output<typeof holding> => {
  const { face, chain, price, decimals } = found;
  const { usd_value, position_value_usd } = worthOfRow(found);
  const counts = usd_value !== null && total > 0 && !isSpam(found);
  return {
    symbol: symbolOf(chain, face),
    name: face.name,
    token_address: formatToken(chain, face.token),
    chain: chain.network.id,
    balance: decimals === null ? null : toAmount(found.balance, decimals),
    balance_raw: found.balance.toString(),
    decimals,
    price_usd: price?.price_usd ?? null,
    usd_value,
    ...spotFields(found.spot_value_usd, found.value_limit),
    position_value_usd,
    price_confidence: price?.confidence ?? null,
    share_percent: counts ? (100 * usd_value) / total : null,
    price_change_24h_percent: found.price_change_24h_percent,
    token_type: face.standard ?? "unknown",
    token_ids: found.token_ids?.map(String) ?? null,
    is_native: face.token === "",
    aliases: (found.aliases ?? []).map((alias) => formatToken(chain, alias)),
    is_wrapped_native: isWrapped(chain, face.token),
    is_stablecoin: found.category === "stablecoin",
    is_spam: isSpam(found),
    spam_reasons: [...found.spam_reasons],
    is_frozen: found.is_frozen,
    outcome: found.outcome?.outcome ?? null,
    outcome_reason: found.outcome?.reason ?? null,
    logo_url: null,
    last_change_at: found.last_change === null ? null : iso(found.last_change),
  };
};

const UNAVAILABLE = [
  { field: "holdings[].is_frozen", reason: "null when the coin is not a registered stablecoin, or the check failed" },
  { field: "holdings[].logo_url", reason: "no token list with logos is configured" },
];

export const getWalletTokenHoldings = defineTool({
  name: "get_wallet_token_holdings",
  title: "Token holdings of a wallet",
  description:
    "Every token a wallet holds, with balance, price, USD value, share and last change, largest value first. Native and priced balances are checked against the node; spam is flagged and hidden unless include_spam is true. Use it for balances: how much of a token (ETH, USDC) is in a wallet; get_wallet_portfolio_breakdown sums up the portfolio.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  subjects: ["wallet_address"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "demo" },
  check: ({ as_of_block, network }) =>
    typeof as_of_block === "number" && isMany(network) ? "as_of_block requires a single network." : null,
  run: async ({ wallet_address, network, limit, include_spam, min_usd, as_of_block }, context) => {
    const asked = { network, address: wallet_address };
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readNetwork(context, { chain, wallet, as_of_block: as_of_block ?? null }),
    );
    const described = metadataOver(asked, spread, {
      echo: { wallet_address: wallet_address.text },
      methodology: METHODOLOGY,
      warnings: spread.answered.flatMap(({ value }) => value.warnings),
    });
    const all = spread.answered.flatMap(({ value }) => value.holdings).sort(byValue);
    const is_proven = spread.failed.length === 0 && spread.answered.every(({ value }) => value.is_proven);
    const positions = spread.answered.flatMap(({ value }) => value.positions).sort(byPositionValue);
    if (all.length === 0 && positions.length === 0) {
      return emptyOutcome({ type: "token_holdings", metadata: described }, noHoldings(spread), is_proven);
    }
    const real = all.filter((found) => !isSpam(found));
    const assets = spread.answered.flatMap(({ value }) => value.assets).filter((found) => !isSpam(found));
    const values = worthOf(assets, positions);
    const rows: RowContext = { total_usd: values.holdings_value_usd ?? 0, worthOfRow: rowWorths(positions) };
    const holdings = (include_spam ? all : real)
      .filter(({ usd_value }) => min_usd === 0 || (usd_value !== null && usd_value >= min_usd))
      .slice(0, limit)
      .map((found) => rowOf(found, rows));
    return data({
      type: "token_holdings" as const,
      holdings,
      positions: positions.map(positionRow),
      summary: {
        ...values,
        token_count: real.length,
        returned_count: holdings.length,
        tokens_without_price: assetComposition(assets, positions).unpriced_count,
        hidden_spam: include_spam ? 0 : all.length - real.length,
        networks: [...new Set(real.map(({ chain }) => chain.network.id))].sort(),
      },
      unavailable: [
        ...unpricedFields(values).map(({ field, reason }) => ({ field: `summary.${field}`, reason })),
        ...UNAVAILABLE,
      ],
      metadata: described,
    });
  },
  view: {
    members: "summary holdings positions",
    drawn: {
      holdings: {
        is: "page",
        columns:
          "symbol token_address balance usd_value position_value_usd chain is_frozen outcome is_spam spam_reasons share_percent price_usd token_type price_change_24h_percent",
      },
      positions: { columns: "protocol kind symbol usd_value is_debt chain underlying[amount,symbol] token_address" },
    },
  },
});
