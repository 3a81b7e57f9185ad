import * as z from "zod";
import type { SnapshotContext } from "../../domain/context.ts";
import { formatToken, metadataIn, symbolOf } from "../../domain/token/metadata/metadata.ts";
import { transactionHashes } from "../../domain/transaction_hashes.ts";
import type { Disposal } from "../../domain/wallet/pnl/ledger.ts";
import { PNL_METHODS } from "../../domain/wallet/pnl/position.ts";
import { readDisposals, type WalletDisposals } from "../../domain/wallet/pnl/read_disposals.ts";
import { checkDates, dateWindow } from "../../domain/window/dates.ts";
import { type Hex, hex as hexOf } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { data } from "../../lib/outcome.ts";
import { DAY_S, iso } from "../../lib/time.ts";
import { address, asOfBlock, chainText, costBasis, date, includeSpam, metadata, network } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { tokenOf } from "../pnl_rows/answer.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { partialWarnings } from "../wallet_pnl.ts";
import { daysOf, warningsOf } from "./fields.ts";

const NO_HASH = hexOf("");
const LIMIT_MAX = 1_000;
const SKIP_MAX = 100_000;

const input = z.strictObject({
  wallet_address: address("Wallet address."),
  network: network(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before to_date."),
  to_date: date("Last day (UTC, inclusive). Default: the day of the newest block."),
  cost_basis_method: costBasis(),
  include_spam: includeSpam(),
  skip: z.int().min(0).max(SKIP_MAX).default(0).describe("Rows to skip, from the start of the list."),
  limit: z.int().min(1).max(LIMIT_MAX).default(100).describe("Rows to list."),
  as_of_block: asOfBlock(),
});

const row = z.strictObject({
  token_address: z.string().describe("Token address, or `native` for the coin of the network and its wrapped form."),
  symbol: chainText("Token symbol.").nullable(),
  amount: z.number().nullable().describe("Whole tokens; null when the decimals are unknown."),
  amount_raw: z.string(),
  acquired_at: z
    .string()
    .nullable()
    .describe(
      "Null with `average`, which has no lots, for units of unknown origin, and for units of before the first indexed movement.",
    ),
  disposed_at: z.string(),
  held_days: z.number().nullable().describe("Days between both; with `average` the mean. Null when unknown."),
  proceeds_usd: z.number(),
  cost_usd: z.number().nullable(),
  gain_usd: z.number().nullable().describe("proceeds_usd minus cost_usd."),
  reason: z.string().nullable().describe("Why cost_usd, gain_usd or held_days is null."),
  block_number: z.int().nullable(),
  tx_hash: z.string().nullable().describe("Transaction of the sale."),
  is_spam: z.boolean(),
});

const output = z.strictObject({
  type: z.literal("wallet_disposals"),
  summary: z.strictObject({
    rows: z.int(),
    proceeds_usd: z.number(),
    cost_usd: z.number(),
    gain_usd: z.number().describe("Over the rows with a cost: the realized profit of get_wallet_pnl."),
    proceeds_without_cost_usd: z.number().describe("Proceeds of the other rows, in no gain."),
    unpriced_trades: z.int().describe("Trades without any price: they carry the cost on, and have no row."),
    hidden_spam: z.int().describe("Rows of spam tokens that are left out."),
  }),
  disposals: z.array(row).describe("Oldest first: one row for each lot of a sale."),
  listing: z.strictObject({
    skip: z.int(),
    has_more_data: z.boolean().describe("Whether the list goes on; use the same as_of_block."),
  }),
  metadata: metadata({
    wallet_address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    cost_basis_method: z.string(),
  }),
});

type DisposalRow = z.output<typeof row>;

const NO_COST = "The cost of these units is not known.";
/** Why the cost or the day of acquisition is unknown. */
const REASONS = {
  unseen: "The wallet is not known to have had these units.",
  opening: "The wallet held these or some of these units before its first indexed movement.",
} as const;

interface DisposalContext {
  readonly found: WalletDisposals;
  readonly digits: number;
  readonly tx_hash: Hex;
}

const rowOf = (
  { chain }: SnapshotContext,
  part: Disposal,
  { found, digits, tx_hash }: DisposalContext,
): DisposalRow => {
  const { bucket, amount, acquired_at, held_s, disposed_at, proceeds_usd, cost_usd, place, unknown } = part;
  const token = tokenOf(bucket, digits);
  const face = metadataIn(found.computed.faces, token);
  return {
    token_address: formatToken(chain, token),
    symbol: symbolOf(chain, face),
    amount: face.decimals === null ? null : toAmount(amount, face.decimals),
    amount_raw: String(amount),
    acquired_at: acquired_at === null ? null : iso(acquired_at),
    disposed_at: iso(disposed_at),
    held_days: held_s === null ? null : held_s / DAY_S,
    proceeds_usd,
    cost_usd,
    gain_usd: cost_usd === null ? null : proceeds_usd - cost_usd,
    reason: unknown !== null ? REASONS[unknown] : cost_usd === null ? NO_COST : null,
    block_number: place?.block_number ?? null,
    tx_hash: tx_hash === "" ? null : chain.formatHash(tx_hash),
    is_spam: found.spam.has(bucket),
  };
};

const sumOf = (list: readonly Disposal[], of: (part: Disposal) => number): number =>
  list.reduce((sum, part) => sum + of(part), 0);

const summaryOf = (found: WalletDisposals, shown: readonly Disposal[]): z.output<typeof output>["summary"] => {
  const costed = shown.filter(({ cost_usd }) => cost_usd !== null);
  const proceeds_usd = sumOf(shown, (part) => part.proceeds_usd);
  const [costed_usd, cost_usd] = [
    sumOf(costed, (part) => part.proceeds_usd),
    sumOf(costed, (part) => part.cost_usd ?? 0),
  ];
  return {
    rows: shown.length,
    ...{ proceeds_usd, cost_usd, gain_usd: costed_usd - cost_usd },
    proceeds_without_cost_usd: sumOf(shown, (part) => (part.cost_usd === null ? part.proceeds_usd : 0)),
    unpriced_trades: found.computed.book.totals.unpriced_trades,
    hidden_spam: found.list.length - shown.length,
  };
};

/** Transactions of sales; '' for a sale without a place. */
const readHashes = async (scope: SnapshotContext, page: readonly Disposal[]): Promise<(part: Disposal) => Hex> => {
  const hashOf = await transactionHashes(
    scope,
    page.flatMap(({ place }) => place ?? []),
  );
  return ({ place }) => (place === null ? NO_HASH : hashOf(place));
};

export const walletDisposals = defineTool({
  name: "wallet_disposals",
  path: "wallet/disposals",
  title: "Sales of a wallet by lots",
  description:
    "Every sale of a wallet between two days with the lots that it sold: acquired and sold when, amount, cost, proceeds, gain and holding period. The rows add up to the realized profit of get_wallet_pnl.",
  credits: 25,
  families: ["evm", "solana"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "demo", cost_basis_method: "fifo", limit: 20 },
  check: (asked, { today }) => checkDates(asked, today),
  run: async (asked, context) => {
    const { facts, signal } = context;
    const { cost_basis_method: basis, skip, limit, include_spam } = asked;
    const { text, hex } = asked.wallet_address;
    const chain = context.chain(asked.network);
    const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts, chain, snapshot, signal };
    const window = dateWindow(asked, snapshot.block.time);
    const found = await readDisposals(scope, hex, { window, basis });
    const shown = found.list.filter(({ bucket }) => include_spam || !found.spam.has(bucket));
    const page = shown.slice(skip, skip + limit);
    const hashOf = await readHashes(scope, page);
    return data({
      type: "wallet_disposals" as const,
      summary: summaryOf(found, shown),
      disposals: page.map((part) => rowOf(scope, part, { found, digits: hex.length, tx_hash: hashOf(part) })),
      listing: { skip, has_more_data: skip + page.length < shown.length },
      metadata: metadataFor(chain, snapshot, {
        echo: { wallet_address: text, date_range: daysOf(window), cost_basis_method: basis },
        methodology: `disposals/${PNL_METHODS[basis]}`,
        warnings: warningsOf([window.warnings, partialWarnings(scope), found.computed.warnings]),
      }),
    });
  },
});
