import * as z from "zod";
import type { Chain } from "../../chains/chain.ts";
import { formatToken, symbolOf } from "../../domain/token/metadata/metadata.ts";
import type { ValuedHolding } from "../../domain/wallet/holdings/holdings.ts";
import type { RowWorth } from "../../domain/wallet/positions/worth.ts";
import { readStatement, type StatementRow, type WalletStatement } from "../../domain/wallet/statement/statement.ts";
import { checkDates, dateWindow } from "../../domain/window/dates.ts";
import { toAmount } from "../../lib/money.ts";
import { data } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import { address, chainText, costBasis, date, includeSpam, metadata, network } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { worth } from "../position_rows.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { daysOf, warningsOf } from "./fields.ts";

const METHODOLOGY = "statement/ledger@1";
const ROWS_MAX = 1_000;

const input = z.strictObject({
  wallet_address: address("Wallet address."),
  network: network(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before to_date."),
  to_date: date("Last day (UTC, inclusive). Default: the day of the newest block."),
  include_spam: includeSpam(),
  cost_basis_method: costBasis(),
});

const amount = (of: string) =>
  z.number().nullable().describe(`${of} Whole tokens; null when the decimals are unknown.`);
const usd = (of: string) => z.number().nullable().describe(of);

const row = z.strictObject({
  token_address: z.string().describe("Token address, or `native` for the network's native coin."),
  symbol: chainText("Token symbol.").nullable(),
  opening: amount("Balance before the first day."),
  opening_raw: z.string(),
  opening_value_usd: usd("USD value then, of the token or of what it stands for; null without a price."),
  in: amount("Inflows, transfers to itself included."),
  in_raw: z.string(),
  out: amount("Outflows without fees."),
  out_raw: z.string(),
  fees: amount("Fees and tips that the wallet paid."),
  fees_raw: z.string(),
  unexplained: amount(
    "A change that no transfer explains: a balance that changes by itself, or the node's where events report another.",
  ),
  unexplained_raw: z.string().describe("opening + in - out - fees + unexplained = closing."),
  closing: amount("Balance after the last day."),
  closing_raw: z.string(),
  closing_value_usd: usd("USD value then, of the token or of what it stands for; null without a price."),
  realized_pnl_usd: usd(
    "As in get_wallet_pnl; wrapped native coins are in the row `native`. Null without a row there.",
  ),
  proceeds_usd: usd("USD of the sold amounts; null as realized_pnl_usd is."),
  disposals: z.int().nullable().describe("Sales; null as realized_pnl_usd is."),
  movements: z.int().describe("Rows of the ledger behind in, out and fees."),
  is_spam: z.boolean(),
});

const end = z.strictObject({
  block_number: z.int().nullable().describe("As of this block; null: the chain had none yet."),
  block_time: z.string().nullable(),
  ...worth,
});

const output = z.strictObject({
  type: z.literal("wallet_statement"),
  opening: end.describe("Before the first day."),
  closing: end.describe("After the last day, or at the newest block."),
  summary: z.strictObject({
    change_usd: usd("closing.total_value_usd minus opening.total_value_usd."),
    realized_pnl_usd: usd("Of all tokens, spam excluded; null where no profit is computed."),
    proceeds_without_cost_usd: usd("Proceeds of units without a known cost, in no profit."),
    gas_fees_usd: usd("Fees at hourly prices; null when none had a price."),
    token_count: z.int(),
    hidden_spam: z.int(),
  }),
  tokens: z.array(row).describe(`At most ${ROWS_MAX}, the largest closing value first.`),
  metadata: metadata({
    wallet_address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    cost_basis_method: z.string(),
  }),
});

type StatementOutput = z.output<typeof output>;

const usdIn = (holding: ValuedHolding | null, worthOfRow: (holding: ValuedHolding) => RowWorth): number | null => {
  if (holding === null) return 0;
  const { usd_value, position_value_usd } = worthOfRow(holding);
  return usd_value ?? position_value_usd;
};

const rowOf = (
  found: StatementRow,
  chain: Chain,
  { opening, closing }: WalletStatement,
): StatementOutput["tokens"][0] => {
  const { face, decimals, disposals } = found;
  const wholeOf = (raw: bigint): number | null => (decimals === null ? null : toAmount(raw, decimals));
  return {
    token_address: formatToken(chain, face.token),
    symbol: symbolOf(chain, face),
    ...{ opening: wholeOf(found.opening), opening_raw: String(found.opening) },
    opening_value_usd: usdIn(found.opened, opening.worthOfRow),
    ...{ in: wholeOf(found.came), in_raw: String(found.came) },
    ...{ out: wholeOf(found.went), out_raw: String(found.went) },
    ...{ fees: wholeOf(found.fees), fees_raw: String(found.fees) },
    ...{ unexplained: wholeOf(found.unexplained), unexplained_raw: String(found.unexplained) },
    ...{ closing: wholeOf(found.closing), closing_raw: String(found.closing) },
    closing_value_usd: usdIn(found.closed, closing.worthOfRow),
    realized_pnl_usd: disposals?.realized_usd ?? null,
    proceeds_usd: disposals?.proceeds_usd ?? null,
    disposals: disposals?.count ?? null,
    movements: found.movements,
    is_spam: found.is_spam,
  };
};

const endOf = ({ block, worth: values }: WalletStatement["opening"]): StatementOutput["opening"] => ({
  block_number: block?.number ?? null,
  block_time: block === null ? null : iso(block.time),
  ...values,
});

const byClosing = (a: StatementOutput["tokens"][0], b: StatementOutput["tokens"][0]): number =>
  (b.closing_value_usd ?? -1) - (a.closing_value_usd ?? -1) || (a.token_address < b.token_address ? -1 : 1);

const changeOf = ({ opening, closing }: WalletStatement): number | null => {
  const [before, after] = [opening.worth.total_value_usd, closing.worth.total_value_usd];
  return before === null || after === null ? null : after - before;
};

export const walletStatement = defineTool({
  name: "wallet_statement",
  path: "statement",
  title: "Statement of a wallet",
  description:
    "A wallet between two days: opening and closing balances per token and in USD, what came in, left and was paid in fees, sales with realized profit. Both ends are as of the last block before the first day and of the last day.",
  credits: 41,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "demo", from_date: "2026-09-01", to_date: "2026-09-30" },
  check: (asked, { today }) => checkDates(asked, today),
  run: async (asked, context) => {
    const { facts, signal } = context;
    const chain = context.chain(asked.network);
    const snapshot = await facts.snapshot(asked.network, null);
    const window = dateWindow(asked, snapshot.block.time);
    const { text, hex } = asked.wallet_address;
    const found = await readStatement({ facts, chain, snapshot, signal }, hex, {
      window,
      basis: asked.cost_basis_method,
    });
    const rows = found.rows.filter(({ is_spam }) => asked.include_spam || !is_spam);
    return data({
      type: "wallet_statement" as const,
      opening: endOf(found.opening),
      closing: endOf(found.closing),
      summary: {
        change_usd: changeOf(found),
        realized_pnl_usd: found.pnl?.sums.total_realized_pnl_usd ?? null,
        proceeds_without_cost_usd: found.pnl?.sums.proceeds_without_cost_usd ?? null,
        gas_fees_usd: found.pnl?.gas_fees_usd ?? null,
        token_count: rows.length,
        hidden_spam: found.rows.length - rows.length,
      },
      tokens: rows
        .map((one) => rowOf(one, chain, found))
        .sort(byClosing)
        .slice(0, ROWS_MAX),
      metadata: metadataFor(chain, snapshot, {
        echo: { wallet_address: text, date_range: daysOf(window), cost_basis_method: asked.cost_basis_method },
        methodology: METHODOLOGY,
        warnings: warningsOf([window.warnings, found.warnings]),
      }),
    });
  },
});
