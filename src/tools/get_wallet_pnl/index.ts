import { noProfitAndLoss } from "../../domain/absences.ts";
import { isMany, queryEachNetwork } from "../../domain/networks.ts";
import { PNL_METHODS } from "../../domain/wallet/pnl/position.ts";
import { sumRows } from "../../domain/wallet/pnl/rows.ts";
import { rangeOver } from "../../domain/window/dates.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { isBeyond } from "../../lib/page.ts";
import { metadataOver } from "../metadata.ts";
import { noteOf } from "../pnl_rows/answer.ts";
import { rowsOver, showRows } from "../pnl_rows/show.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { figuresOver, hasLedger, type NetworkPnl, warningsOf } from "../wallet_pnl.ts";
import { areCovered, byNetwork, isComplete, readNetwork } from "./networks.ts";
import { input, output, type PnlInput, type PnlOutput } from "./shape.ts";

const TYPE = "pnl_detailed";

const addressOf = ([only, ...others]: readonly NetworkPnl[], { address }: PnlInput): string =>
  only === undefined || others.length > 0 ? address.text : only.scope.chain.formatAddress(only.wallet);

const unavailableNote = (found: readonly NetworkPnl[]): string | null => {
  const notes = new Set(found.flatMap(({ scope }) => scope.chain.network.pnl_note ?? []));
  return notes.size === 0 || found.some(hasLedger) ? null : [...notes].join(" ");
};

export const getWalletPnl = defineTool({
  name: "get_wallet_pnl",
  title: "Wallet profit and loss",
  description:
    "Realized and unrealized profit and loss of a wallet per token, on one network or all, by average cost or lots over its whole indexed history, with the share that has a known cost. Use it for how much a wallet gained or lost by trading, and its ROI.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  subjects: ["address"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  check: ({ as_of_block, network }) =>
    typeof as_of_block === "number" && isMany(network) ? "as_of_block requires a single network." : null,
  run: async (asked, context) => {
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readNetwork(context, asked, [chain, wallet]),
    );
    const found = spread.answered.map(({ value }) => value);
    const counted = found.filter(hasLedger);
    const { cost_coverage_percent, ...figures } = figuresOver(counted);
    const note = unavailableNote(found);
    const described = metadataOver(asked, spread, {
      echo: {
        address: addressOf(found, asked),
        date_range: rangeOver(
          found.map(({ window }) => window),
          asked,
        ),
        cost_basis_method: asked.cost_basis_method,
        cost_coverage_percent,
      },
      methodology: PNL_METHODS[asked.cost_basis_method],
      warnings: note === null ? found.flatMap(warningsOf) : found.flatMap(({ window }) => window.warnings),
    });
    if (note !== null && spread.failed.length === 0)
      return data<PnlOutput>({ type: "pnl_unavailable", note, metadata: described });
    const is_complete = spread.failed.length === 0 && counted.every(isComplete);
    const rows = rowsOver(counted);
    const first = (asked.page - 1) * asked.records_per_page;
    const shown = rows.slice(first, first + asked.records_per_page);
    const is_empty = counted.every(({ books }) => books.computed.rows.length === 0);
    if (is_empty || isBeyond(asked, shown)) {
      const is_proven = is_complete && (!is_empty || (await areCovered(counted)));
      return emptyOutcome({ type: TYPE, metadata: described }, noProfitAndLoss(spread, asked, is_empty), is_proven);
    }
    const has_more_data = rows.length > first + asked.records_per_page;
    return data<PnlOutput>({
      type: TYPE,
      note: noteOf(asked.cost_basis_method),
      summary: { ...sumRows(shown.map(({ row }) => row)), ...figures },
      data: await showRows(shown),
      by_network: byNetwork(counted),
      pagination: {
        page: asked.page,
        per_page: asked.records_per_page,
        returned_count: shown.length,
        has_more_data,
        is_complete: is_complete && !has_more_data,
        network: asked.network,
      },
      metadata: described,
    });
  },
  view: {
    tokens: 2_000,
    members: "summary by_network data note",
    drawn: {
      summary:
        "total_tokens total_realized_pnl_usd total_unrealized_pnl_usd total_pnl_usd uncosted_value_usd proceeds_without_cost_usd profitable_tokens losing_tokens unpriced_tokens hidden_spam win_rate_percent gas_fees_usd all_tokens.total_tokens all_tokens.total_pnl_usd all_tokens.uncosted_value_usd",
      by_network: { rows_min: 2 },
      data: {
        is: "page",
        columns:
          "token_symbol token_address pnl.realized_usd pnl.unrealized_usd pnl.total_usd trading.uncosted_value_usd holdings.current_value_usd outcome chain token_id is_spam trading.buy_count trading.sell_count holdings.current_amount pnl.realized_roi_percent",
      },
    },
  },
});
