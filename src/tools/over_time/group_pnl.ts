import * as z from "zod";
import type { SnapshotContext } from "../../domain/context.ts";
import { computeGroup } from "../../domain/wallet/pnl/group.ts";
import { PNL_METHODS } from "../../domain/wallet/pnl/position.ts";
import { checkDates, dateWindow } from "../../domain/window/dates.ts";
import { data } from "../../lib/outcome.ts";
import { addresses, asOfBlock, costBasis, date, includeSpam, metadata, network } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { noteOf } from "../pnl_rows/answer.ts";
import { row, totals } from "../pnl_rows/shape.ts";
import { rowsOver, showRows } from "../pnl_rows/show.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { figuresOver, type LedgerPnl, warningsOf } from "../wallet_pnl.ts";
import { daysOf } from "./fields.ts";

const ROWS_MAX = 500;

const input = z.strictObject({
  addresses: addresses("2 to 20 wallets that count as one: transfers between them are neither sales nor receipts."),
  network: network(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before to_date."),
  to_date: date("Last day (UTC, inclusive). Default: the day of the newest block."),
  include_spam: includeSpam(),
  cost_basis_method: costBasis(),
  as_of_block: asOfBlock(),
});

const output = z.strictObject({
  type: z.literal("wallets_pnl"),
  note: z.string(),
  summary: z.strictObject({
    ...totals,
    win_rate_percent: z.number().nullable().describe("Percent of sales with a known cost that made a gain."),
    gas_fees_usd: z.number().nullable().describe("Fees of all the wallets; null when none had a price."),
    cost_coverage_percent: z
      .number()
      .nullable()
      .describe("Percent of proceeds and holdings by value with a known cost."),
    hidden_spam: z.int(),
  }),
  data: z.array(row).describe(`Tokens of all the wallets together, at most ${ROWS_MAX}, the largest total first.`),
  metadata: metadata({
    addresses: z.array(z.string()),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    cost_basis_method: z.string(),
  }),
});

export const groupPnl = defineTool({
  name: "wallets_pnl",
  path: "wallets/pnl",
  title: "Profit and loss of several wallets as one",
  description:
    "Realized and unrealized profit and loss and holdings of several wallets as one subject, per token, as get_wallet_pnl has them for one wallet. Transfers inside the group carry their cost along.",
  credits: 125,
  families: ["evm", "solana"],
  input,
  output,
  example: { addresses: [DEMO_EXAMPLES.trader, DEMO_EXAMPLES.deployer], network: "demo" },
  check: (asked, { today }) => checkDates(asked, today),
  run: async (asked, context) => {
    const { facts, signal } = context;
    const { cost_basis_method: basis, include_spam } = asked;
    const chain = context.chain(asked.network);
    const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts, chain, snapshot, signal };
    const window = dateWindow(asked, snapshot.block.time);
    const wallets = asked.addresses.map(({ hex }) => hex).sort();
    const computed = await computeGroup(scope, wallets, { window, basis });
    const spam = await computed.readSpam();
    const rows = include_spam ? computed.rows : computed.rows.filter(({ entry }) => !spam.has(entry.bucket));
    const found: LedgerPnl = { scope, wallet: wallets[0] ?? "", window, books: { computed, spam, rows } };
    const { all_tokens, ...figures } = figuresOver([found]);
    return data({
      type: "wallets_pnl" as const,
      note: noteOf(basis),
      summary: { ...all_tokens, ...figures },
      data: await showRows(rowsOver([found]).slice(0, ROWS_MAX)),
      metadata: metadataFor(chain, snapshot, {
        echo: {
          addresses: asked.addresses.map(({ text }) => text),
          date_range: daysOf(window),
          cost_basis_method: basis,
        },
        methodology: `group/${PNL_METHODS[basis]}`,
        warnings: warningsOf(found),
      }),
    });
  },
});
