import { useEffect, useState } from "preact/hooks";
import type { CaseResult } from "../../../src/case/format.ts";
import { oppositeOf } from "../../../src/case/graph.ts";
import { type Graph, type GraphEdge, nodeId } from "../../../src/case/graph_model.ts";
import { tokensText } from "../../../src/case/graph_tables.ts";
import { nameOf } from "../../../src/case/graph_view.ts";
import { tableOf } from "../../../src/case/tables.ts";
import { isFields, type JsonObject, type ToolAnswer } from "../api/answer.ts";
import { call } from "../api/client.ts";
import { PinButton, pinnedEntry } from "../case/pin.tsx";
import { ExportButtons } from "../export/export_buttons.tsx";
import { CallButton } from "../ui/call_button.tsx";
import { Strange } from "../ui/strange.tsx";
import { usd } from "./node_panel.tsx";
import { type GraphQuestion, transactionsOf } from "./question.ts";
import { type CallPrices, priced } from "./use_graph.ts";

const TOOL = "get_wallet_transactions";

/** The newest; the table of payments has all. */
const PAYMENTS_SHOWN = 10;

export interface EdgePanelProps {
  readonly edge: GraphEdge;
  readonly graph: Graph;
  readonly question: GraphQuestion;
  readonly prices: CallPrices;
  readonly onEdge: (id: string) => void;
  /** The transactions become part of the graph. */
  readonly onEntry: (entry: CaseResult) => void;
}

interface EdgePage {
  readonly args: JsonObject;
  readonly answer: ToolAnswer;
}

/** The edge from the perspective of the wallet whose answer contains it. */
const directionOf = ({ from, asked }: GraphEdge): "in" | "out" => (from === asked ? "out" : "in");

/** Rows of the pages that went the edge's way and whose other side is the counterparty, or a contract behind it. */
const between = (pages: readonly EdgePage[], edge: GraphEdge): readonly JsonObject[] => {
  const direction = directionOf(edge);
  const others = new Set([direction === "out" ? edge.to : edge.from, ...edge.via.map(nodeId)]);
  return pages
    .flatMap(({ answer }) => (Array.isArray(answer.body.data) ? answer.body.data.filter(isFields) : []))
    .filter((row) => row.direction === direction)
    .filter(({ peer }) => isFields(peer) && typeof peer.address === "string" && others.has(nodeId(peer.address)));
};

const hasMore = (page: EdgePage | undefined): boolean => {
  const pagination = page?.answer.body.pagination;
  return page === undefined || (isFields(pagination) && pagination.has_more_data === true);
};

const rowText = (value: unknown): string => (value === null || value === undefined ? "–" : String(value));

const Transactions = ({ rows, network }: { readonly rows: readonly JsonObject[]; readonly network: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
  <section class="scroll" tabIndex={0} aria-label="Transactions of the edge">
    <table>
      <caption>Transactions of the edge: {rows.length}</caption>
      <thead>
        <tr>
          {["when", "direction", "amount", "token", "usd", "transaction"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          // A transaction can hold several equal movements; the order of the answer is total.
          <tr key={`${String(row.tx_hash)} ${i}`}>
            <td>{rowText(row.timestamp)}</td>
            <td>{rowText(row.direction)}</td>
            <td class="number">{rowText(row.amount)}</td>
            <td>
              <Strange text={rowText(row.token)} is_marked={false} />
            </td>
            <td class="number">{rowText(row.usd_value)}</td>
            <td class="mono">
              {typeof row.tx_hash === "string" ? (
                <a href={`/app/transaction/${encodeURIComponent(network)}/${encodeURIComponent(row.tx_hash)}`}>
                  {row.tx_hash.slice(0, 10)}…
                </a>
              ) : (
                "–"
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** Requested pages of the wallet's transactions within the edge's days. */
const usePages = (edge: GraphEdge, onEntry: EdgePanelProps["onEntry"]) => {
  const [pages, setPages] = useState<readonly EdgePage[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [is_waiting, setWaiting] = useState(false);
  useEffect(() => {
    setPages([]);
    setFault(null);
  }, [edge.id, edge.entry]);
  const ask = async (args: JsonObject, prices: CallPrices): Promise<void> => {
    setWaiting(true);
    const answer = await call(TOOL, args, prices.version === null ? {} : { catalog_version: prices.version });
    setWaiting(false);
    setFault(answer.status === "error" ? answer.message : null);
    if (answer.status === "error") return;
    setPages([...pages, { args, answer }]);
    const entry = pinnedEntry({ tool: TOOL, args, answer, catalog_version: prices.version });
    if (entry !== null) onEntry(entry);
  };
  return { pages, fault, is_waiting, ask };
};

const transfersText = ({ transfers, unpriced_transfers, is_part }: GraphEdge): string => {
  if (is_part) return "only those on traced paths";
  if (transfers === null) return "not counted by direction";
  const unpriced = unpriced_transfers === null ? "" : `, ${unpriced_transfers} without a price`;
  return `${transfers}${unpriced}`;
};

const callText = (pages: readonly EdgePage[], is_waiting: boolean, prices: CallPrices): string => {
  if (is_waiting) return "Asking…";
  if (!hasMore(pages.at(-1))) return "All transactions of these days are here.";
  return priced(pages.length === 0 ? "Transactions" : "More transactions", prices.of(TOOL));
};

interface FiguresProps {
  readonly edge: GraphEdge;
  readonly back: GraphEdge | null;
  readonly onEdge: (id: string) => void;
}

const Figures = ({ edge, back, onEdge }: FiguresProps) => (
  <dl>
    <dt>Paid</dt>
    <dd>{usd(edge.usd)}</dd>
    <dt>Tokens</dt>
    <dd>
      <Strange text={tokensText(edge.tokens) || "the answer names none"} width={300} is_marked={false} />
    </dd>
    <dt>Transfers</dt>
    <dd>{transfersText(edge)}</dd>
    <dt>Paid back</dt>
    <dd>
      {back === null ? (
        "nothing"
      ) : (
        <button type="button" class="choose" onClick={() => onEdge(back.id)}>
          {usd(back.usd)}
        </button>
      )}
    </dd>
    <dt>{edge.is_part ? "On traced paths" : "Both ways"}</dt>
    <dd>
      {edge.pair_transactions} {edge.pair_transactions === 1 ? "transaction" : "transactions"},{" "}
      {edge.pair_first?.slice(0, 10) ?? "?"} to {edge.pair_last?.slice(0, 10) ?? "?"}
    </dd>
  </dl>
);

/** Payments that traces and transactions name. */
const NamedPayments = ({ payments, network }: Pick<GraphEdge, "payments"> & { readonly network: string }) => (
  <ul class="graph-payments" aria-label="Named payments">
    {payments.slice(-PAYMENTS_SHOWN).map(({ tx_hash, time, usd: worth, tokens }) => (
      <li key={tx_hash}>
        {time.replace("T", " ").replace("Z", " UTC")}:{" "}
        <Strange text={tokensText(tokens) || "amount unknown"} width={120} is_marked={false} /> ({usd(worth)}),{" "}
        <a class="mono" href={`/app/transaction/${encodeURIComponent(network)}/${encodeURIComponent(tx_hash)}`}>
          {tx_hash.slice(0, 10)}…
        </a>
      </li>
    ))}
  </ul>
);

/** Payments from one address to another, with their transactions on demand. */
export const EdgePanel = ({ edge, graph, question, prices, onEdge, onEntry }: EdgePanelProps) => {
  const { pages, fault, is_waiting, ask } = usePages(edge, onEntry);
  const name = (id: string): string => nameOf(graph.nodes.get(id) ?? { label: null, address: id });
  const payer = graph.nodes.get(edge.from);
  const payee = graph.nodes.get(edge.to);
  const wallet = graph.nodes.get(edge.asked)?.address ?? edge.asked;
  const is_abroad = (payer?.network ?? null) !== null || (payee?.network ?? null) !== null;
  const is_grouped = [edge.from, edge.to].some((id) => id.startsWith("group:"));
  const rows = between(pages, edge);
  const next = () =>
    ask(transactionsOf(question, { ...edge, wallet, direction: directionOf(edge) }, pages.length + 1), prices);
  return (
    <section class="graph-panel" aria-label="Chosen edge">
      <h2>
        <Strange text={name(edge.from)} is_marked={false} /> → <Strange text={name(edge.to)} is_marked={false} />
      </h2>
      <Figures edge={edge} back={oppositeOf(graph, edge)} onEdge={onEdge} />
      {payer?.network === payee?.network ? null : (
        <p>
          The money went into a bridge on {payer?.network ?? question.network} and came out on{" "}
          {payee?.network ?? question.network}.
        </p>
      )}
      {edge.payments.length === 0 ? null : (
        <NamedPayments payments={edge.payments} network={payer?.network ?? question.network} />
      )}
      <p class="actions">
        {is_abroad || is_grouped ? null : (
          <CallButton class="button-main" is_idle={is_waiting || !hasMore(pages.at(-1))} onAsk={() => void next()}>
            {callText(pages, is_waiting, prices)}
          </CallButton>
        )}
        {pages.map(({ args, answer }, i) => (
          // Pages load one after the other and stay.
          <PinButton key={`page ${i}`} tool={TOOL} args={args} answer={answer} catalog_version={prices.version} />
        ))}
      </p>
      {fault === null ? null : <p role="alert">{fault}</p>}
      {pages.length === 0 ? null : (
        <>
          <p class="hint">
            Of the wallet's transactions in these days, 100 rows an answer, these went this way, with the other side of
            the edge.
            {hasMore(pages.at(-1)) ? " Older ones are not loaded." : ""}
          </p>
          <ExportButtons table={tableOf("transactions", rows)} name="edge" />
          <Transactions rows={rows} network={question.network} />
        </>
      )}
    </section>
  );
};
