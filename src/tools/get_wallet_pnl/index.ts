import { computePnl, hasRow, PNL_METHOD } from "../../analysis/pnl.ts";
import type { Book } from "../../analysis/pnl_book.ts";
import { byTotal, costCoveragePercent, type PnlRow, rowOf, sumRows, winRatePercent } from "../../analysis/pnl_rows.ts";
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
import { type DateWindow, dateWindow } from "../date_window.ts";
import { metadataFor, type Warning } from "../metadata.ts";
import { faceIn, facesOf, type Place } from "../token_faces.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { NOTE, outputRow } from "./answer.ts";
import { type Prices, readHistory, readPeers, readPrices, readSpam } from "./read.ts";
import { input, output, type PnlOutput } from "./shape.ts";

const TYPE = "pnl_detailed";

const bookWarnings = ({ totals }: Book): Warning[] => [
  ...(totals.unpriced_trades === 0
    ? []
    : [
        {
          code: "UNPRICED_TRADE",
          message: `${totals.unpriced_trades} trades had no priced side: their cost moved on and nothing was realized.`,
        },
      ]),
  ...(totals.incomplete_disposals === 0
    ? []
    : [
        {
          code: "INCOMPLETE_HISTORY",
          message: `${totals.incomplete_disposals} times more left the wallet than its known history held.`,
        },
      ]),
];

/** True when nothing that could have touched the wallet is missing from the index. */
const isComplete = ({ snapshot: { coverage } }: Place): boolean =>
  coverage.complete && coverage.gaps.length === 0 && coverage.logs && coverage.traces;

interface Computed {
  readonly book: Book;
  readonly rows: readonly PnlRow[];
  readonly prices: Prices;
  readonly spam: ReadonlyMap<Hex, string[]>;
  readonly warnings: readonly Warning[];
}

/** The last second that counts: the end of the last day, or the block's own time. */
const endOf = (window: DateWindow, place: Place): number => Math.min(window.until - 1, place.snapshot.block.time);

const compute = async (place: Place, wallet: Hex, window: DateWindow): Promise<Computed> => {
  const end = endOf(window, place);
  const history = await readHistory(place, wallet, end + 1);
  const [prices, peers, faces] = await Promise.all([
    readPrices(place, history, end),
    readPeers(place, wallet, history),
    facesOf(place, [...history.buckets]),
  ]);
  const sources = {
    from: window.from,
    decimals: (bucket: Hex) => faceIn(faces, bucket).decimals,
    quote: prices.quote,
    peer: peers.kindOf,
  };
  const book = computePnl(sources, history.openings, history.transactions());
  const rows = [...book.entries.values()]
    .filter(hasRow)
    .map((entry) => rowOf(entry, prices.quote(entry.bucket, end)))
    .sort(byTotal);
  const priceOf = (bucket: Hex) => prices.priceAt(bucket, end);
  const { is_wallet_contract } = peers;
  const spam = await readSpam(
    { place, wallet, history, faces, priceOf, is_wallet_contract },
    rows.map(({ entry }) => entry.bucket),
  );
  return { book, rows, prices, spam, warnings: [...peers.warnings, ...bookWarnings(book)] };
};

const summaryOf = (shown: readonly PnlRow[], all: readonly PnlRow[], { totals }: Book) => ({
  ...sumRows(shown),
  all_tokens: sumRows(all),
  gas_fees_usd: totals.gas_fees_unpriced > 0 && totals.gas_fees_usd === 0 ? null : totals.gas_fees_usd,
});

export const getWalletPnl = defineTool({
  name: "get_wallet_pnl",
  title: "Wallet profit and loss",
  description:
    "Realized and unrealized profit and loss per token of one wallet on one network, by average cost over its whole indexed history, with how much of it had a known cost.",
  credits: 25,
  families: ["evm"],
  input,
  output,
  example: { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", network: "demo" },
  run: async (asked, context: ToolContext) => {
    const chain = context.chain(asked.network);
    const wallet = chain.parseAddress(asked.address);
    if (wallet === null) throw new AssayError({ code: "BUG", message: `binding let ${asked.address} through` });
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const place: Place = { facts: context.facts, chain, snapshot, signal: context.signal };
    const window = dateWindow(asked, snapshot.block.time);
    const { book, rows: found, prices, spam, warnings } = await compute(place, wallet, window);

    const rows = asked.include_spam ? found : found.filter(({ entry }) => !spam.has(entry.bucket));
    const described = metadataFor(chain, snapshot, {
      echo: {
        address: chain.formatAddress(wallet),
        date_range: { from: window.from_date, to: window.to_date },
        cost_basis_method: "average" as const,
        cost_coverage_percent: costCoveragePercent(book, rows),
      },
      methodology: PNL_METHOD,
      warnings: [...window.warnings, ...warnings],
    });
    const is_complete = isComplete(place);
    if (found.length === 0) {
      return is_complete
        ? noData(TYPE, described)
        : failed(
            "COVERAGE_INCOMPLETE",
            "Nothing was found, and the index does not cover the whole history.",
            described,
          );
    }
    const first = (asked.page - 1) * asked.records_per_page;
    const shown = rows.slice(first, first + asked.records_per_page);
    const has_more_data = rows.length > first + asked.records_per_page;
    const faces = await facesOf(
      place,
      shown.map(({ entry }) => entry.bucket),
    );
    const end = endOf(window, place);
    return data<PnlOutput>({
      type: TYPE,
      note: NOTE,
      summary: {
        ...summaryOf(shown, rows, book),
        win_rate_percent: winRatePercent(book),
        hidden_spam: found.length - rows.length,
      },
      data: shown.map((row) =>
        outputRow(row, {
          chain,
          face: faceIn(faces, row.entry.bucket),
          price: prices.priceAt(row.entry.bucket, end),
          spam_reasons: spam.get(row.entry.bucket) ?? [],
        }),
      ),
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
