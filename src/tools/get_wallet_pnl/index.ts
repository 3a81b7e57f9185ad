import type { CallContext, SnapshotContext } from "../../domain/context.ts";
import type { Book } from "../../domain/pnl/book.ts";
import { computeWallet, endOf } from "../../domain/pnl/compute.ts";
import { PNL_METHODS } from "../../domain/pnl/pnl.ts";
import { costCoveragePercent, type PnlRow, sumRows, winRatePercent } from "../../domain/pnl/rows.ts";
import { metadataIn, metadataOf } from "../../domain/tokens/metadata.ts";
import { dateWindow } from "../../domain/window/dates.ts";
import { AssayError } from "../../lib/errors.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
import { isBeyond } from "../../lib/page.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { noteOf, outputRow, tokenOf } from "./answer.ts";
import { input, output, type PnlOutput } from "./shape.ts";

const TYPE = "pnl_detailed";

/** True when nothing that could have touched the wallet is missing from the index. */
const isComplete = ({ snapshot: { coverage } }: SnapshotContext): boolean =>
  coverage.complete && coverage.gaps.length === 0 && coverage.logs && coverage.traces;

const summaryOf = (shown: readonly PnlRow[], all: readonly PnlRow[], { totals }: Book) => ({
  ...sumRows(shown),
  all_tokens: sumRows(all),
  gas_fees_usd: totals.gas_fees_unpriced > 0 && totals.gas_fees_usd === 0 ? null : totals.gas_fees_usd,
});

const NOTHING = "Nothing was found, and the index does not cover the whole history.";

/** Rows as they are shown. `digits`: of an address of the network as hex. */
const readRows = async (
  place: SnapshotContext,
  shown: readonly PnlRow[],
  given: { readonly computed: Awaited<ReturnType<typeof computeWallet>>; digits: number; end: number },
) => {
  const { digits, end } = given;
  const { faces: known, prices, spam } = given.computed;
  const tokens = shown.map(({ entry }) => tokenOf(entry.bucket, digits)).filter((token) => !known.has(token));
  const faces = new Map([...known, ...(await metadataOf(place, tokens))]);
  return shown.map((row) =>
    outputRow(row, {
      chain: place.chain,
      digits,
      face: metadataIn(faces, tokenOf(row.entry.bucket, digits)),
      price: prices.priceAt(row.entry.bucket, end),
      spam_reasons: spam.get(row.entry.bucket) ?? [],
    }),
  );
};

const unavailable = (note: string, metadata: PnlOutput["metadata"]) =>
  data<PnlOutput>({ type: "pnl_unavailable", note, metadata });

export const getWalletPnl = defineTool({
  name: "get_wallet_pnl",
  title: "Wallet profit and loss",
  description:
    "Realized and unrealized profit and loss per token of one wallet on one network, by average cost or FIFO over its whole indexed history, with how much of it had a known cost.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", network: "demo" },
  run: async (asked, context: CallContext) => {
    const chain = context.chain(asked.network);
    const wallet = chain.parseAddress(asked.address);
    if (wallet === null) throw new AssayError({ code: "BUG", message: `binding let ${asked.address} through` });
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const place: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const window = dateWindow(asked, snapshot.block.time);
    const echo = {
      address: chain.formatAddress(wallet),
      date_range: { from: window.from_date, to: window.to_date },
      cost_basis_method: asked.cost_basis_method,
    };
    const methodology = PNL_METHODS[asked.cost_basis_method];
    const { pnl_note } = chain.network;
    if (pnl_note !== undefined) {
      const told = { echo: { ...echo, cost_coverage_percent: null }, methodology, warnings: window.warnings };
      return unavailable(pnl_note, metadataFor(chain, snapshot, told));
    }
    const computed = await computeWallet(place, wallet, { window, basis: asked.cost_basis_method });
    const { book, rows: found, spam, warnings } = computed;
    const rows = asked.include_spam ? found : found.filter(({ entry }) => !spam.has(entry.bucket));
    const described = metadataFor(chain, snapshot, {
      echo: { ...echo, cost_coverage_percent: costCoveragePercent(book, rows) },
      methodology,
      warnings: [...window.warnings, ...warnings],
    });
    const is_complete = isComplete(place);
    const first = (asked.page - 1) * asked.records_per_page;
    const shown = rows.slice(first, first + asked.records_per_page);
    if (found.length === 0 || isBeyond(asked, shown))
      return is_complete ? noData(TYPE, described) : failed("COVERAGE_INCOMPLETE", NOTHING, described);
    const has_more_data = rows.length > first + asked.records_per_page;
    return data<PnlOutput>({
      type: TYPE,
      note: noteOf(asked.cost_basis_method),
      summary: {
        ...summaryOf(shown, rows, book),
        win_rate_percent: winRatePercent(book),
        hidden_spam: found.length - rows.length,
      },
      data: await readRows(place, shown, { computed, digits: wallet.length, end: endOf(window, place) }),
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
});
