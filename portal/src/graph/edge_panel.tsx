import { useEffect, useState } from "preact/hooks";
import { type Graph, type GraphEdge, nodeId, oppositeOf } from "../../../src/case/graph.ts";
import { tokensText } from "../../../src/case/graph_tables.ts";
import { tableOf } from "../../../src/case/tables.ts";
import { isFields, type JsonObject, type ToolAnswer } from "../api/answer.ts";
import { call } from "../api/client.ts";
import { PinButton } from "../case/pin.tsx";
import { ExportButtons } from "../export/export_buttons.tsx";
import { CallButton } from "../ui/call_button.tsx";
import { Strange } from "../ui/strange.tsx";
import { nameOf } from "./board.ts";
import { usd } from "./node_panel.tsx";
import { type GraphQuestion, transactionsOf } from "./question.ts";
import { type CallPrices, priced } from "./use_graph.ts";

const TOOL = "get_wallet_transactions";

export interface EdgePanelProps {
  readonly edge: GraphEdge;
  readonly graph: Graph;
  readonly question: GraphQuestion;
  readonly prices: CallPrices;
  readonly onEdge: (id: string) => void;
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
const usePages = (edge: GraphEdge) => {
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
    if (answer.status !== "error") setPages([...pages, { args, answer }]);
  };
  return { pages, fault, is_waiting, ask };
};

const transfersText = ({ transfers, unpriced_transfers }: GraphEdge): string => {
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
    <dt>Both ways</dt>
    <dd>
      {edge.pair_transactions} transactions, {edge.pair_first?.slice(0, 10) ?? "?"} to{" "}
      {edge.pair_last?.slice(0, 10) ?? "?"}
    </dd>
  </dl>
);

/** Payments from one address to another, with their transactions on demand. */
export const EdgePanel = ({ edge, graph, question, prices, onEdge }: EdgePanelProps) => {
  const { pages, fault, is_waiting, ask } = usePages(edge);
  const name = (id: string): string => nameOf(graph.nodes.get(id) ?? { label: null, address: id });
  const wallet = graph.nodes.get(edge.asked)?.address ?? edge.asked;
  const rows = between(pages, edge);
  const next = () =>
    ask(transactionsOf(question, { ...edge, wallet, direction: directionOf(edge) }, pages.length + 1), prices);
  return (
    <section class="graph-panel" aria-label="Chosen edge">
      <h2>
        <Strange text={name(edge.from)} is_marked={false} /> → <Strange text={name(edge.to)} is_marked={false} />
      </h2>
      <Figures edge={edge} back={oppositeOf(graph, edge)} onEdge={onEdge} />
      <p class="actions">
        <CallButton class="button-main" is_idle={is_waiting || !hasMore(pages.at(-1))} onAsk={() => void next()}>
          {callText(pages, is_waiting, prices)}
        </CallButton>
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
