import { useMemo, useState } from "preact/hooks";
import { COUNTERPARTIES, graphOf, sortedEdges, sortedNodes } from "../../../src/case/graph.ts";
import { edgeTable, nodeTable } from "../../../src/case/graph_tables.ts";
import { type Board, filtered, type GraphFilter, labelled } from "../graph/board.ts";
import { Canvas } from "../graph/canvas.tsx";
import { EdgePanel } from "../graph/edge_panel.tsx";
import { FilterBar } from "../graph/filter_bar.tsx";
import { GraphTable } from "../graph/graph_table.tsx";
import type { NodePositions } from "../graph/layout_matrix.ts";
import { NodeMarks } from "../graph/node_marks.tsx";
import { NodePanel } from "../graph/node_panel.tsx";
import { type PathChoice, PathPanel, pathOf } from "../graph/path_panel.tsx";
import { type GraphQuestion, questionOf } from "../graph/question.ts";
import { QuestionForm } from "../graph/question_form.tsx";
import { Toolbar } from "../graph/toolbar.tsx";
import { type CallPrices, type GraphUse, nextPage, peersOf, priced, useGraph, usePrices } from "../graph/use_graph.ts";
import { useSaving } from "../graph/use_saved.ts";
import { setQuery } from "../navigation.ts";
import type { PageProps } from "../routes.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/graph.css";

const NODE_COLUMNS = ["address", "label", "category", "volume_usd", "transfers", "hops", "is_expanded"];
const EDGE_COLUMNS = ["from", "from_label", "to", "to_label", "tokens", "usd", "transfers", "pair_first", "pair_last"];
const ALL: GraphFilter = { text: "", min_usd: 0, kinds: new Set() };

/** View settings of the graph: free of charge and not part of undo. */
const useView = (board: Board) => {
  const [filter, setFilter] = useState(ALL);
  const [selected, setSelected] = useState<string | null>(null);
  const [choice, setChoice] = useState<PathChoice | null>(null);
  const { start, expansions, entries, pinned, labels, hidden } = board;
  const answered = useMemo(() => graphOf({ start, expansions, entries }), [start, expansions, entries]);
  const whole = useMemo(() => labelled(answered, labels), [answered, labels]);
  const graph = useMemo(() => filtered(whole, filter, { pinned, hidden }), [whole, filter, pinned, hidden]);
  const path = useMemo(() => (choice === null ? null : pathOf(whole, choice)), [whole, choice]);
  const marked = useMemo(() => new Set([...(path?.nodes ?? []), ...(path?.edges ?? []).map(({ id }) => id)]), [path]);
  const shown = useMemo(() => ({ graph, pinned, selected, marked }), [graph, pinned, selected, marked]);
  return {
    ...{ filter, setFilter, selected, setSelected, choice, setChoice, whole, graph, path, shown },
    pathWith: (part: Partial<PathChoice>): void =>
      setChoice({ ...{ from: "", to: "", by: "hops", along_the_money: false }, ...choice, ...part }),
    clear(): void {
      setSelected(null);
      setChoice(null);
    },
  };
};

interface SideProps {
  readonly view: ReturnType<typeof useView>;
  readonly use: GraphUse;
  readonly question: GraphQuestion;
  readonly prices: CallPrices;
}

/** The selection and its actions. */
const SidePanel = ({ view, use, question, prices }: SideProps) => {
  const { whole, selected, choice, path } = view;
  const node = whole.nodes.get(selected ?? "");
  const edge = whole.edges.get(selected ?? "");
  const page = node === undefined ? null : nextPage(use.board, node);
  const words = use.waiting === null ? (page === 1 ? "Expand" : "Next counterparties") : "Asking…";
  return (
    <div class="graph-side">
      {node === undefined ? null : (
        <NodePanel
          node={node}
          network={question.network}
          peers={peersOf(use.board, node)}
          is_pinned={use.board.pinned.has(node.id)}
          action={page === null ? null : priced(words, prices.of(COUNTERPARTIES))}
          is_waiting={use.waiting !== null}
          onExpand={() => void use.expand(question, node.address)}
          onPin={() => use.move({ kind: "pin", node: node.id })}
          marks={<NodeMarks key={node.id} node={node} board={use.board} move={use.move} />}
          onPathFrom={() => view.pathWith({ from: node.id })}
          onPathTo={() => view.pathWith({ to: node.id })}
        />
      )}
      {edge === undefined ? null : (
        <EdgePanel edge={edge} graph={whole} question={question} prices={prices} onEdge={view.setSelected} />
      )}
      {choice === null ? null : (
        <PathPanel graph={whole} choice={choice} path={path} onChange={view.setChoice} onEdge={view.setSelected} />
      )}
      {node === undefined && edge === undefined ? (
        <p class="quiet">Choose an address or an edge, on the canvas or in a table.</p>
      ) : null}
    </div>
  );
};

const Tables = ({ view }: Pick<SideProps, "view">) => {
  const { graph, selected, setSelected } = view;
  const nodes = useMemo(() => ({ table: nodeTable(graph), ids: sortedNodes(graph).map(({ id }) => id) }), [graph]);
  const edges = useMemo(() => ({ table: edgeTable(graph), ids: sortedEdges(graph).map(({ id }) => id) }), [graph]);
  return (
    <>
      <GraphTable
        table={nodes.table}
        caption="Addresses"
        ids={nodes.ids}
        selected={selected}
        onChoose={setSelected}
        columns={NODE_COLUMNS}
      />
      <GraphTable
        table={edges.table}
        caption="Edges"
        ids={edges.ids}
        selected={selected}
        onChoose={setSelected}
        columns={EDGE_COLUMNS}
      />
    </>
  );
};

const GraphPage = ({ query }: PageProps) => {
  const question = questionOf(query);
  const prices = usePrices();
  const use = useGraph(question, prices);
  const { board } = use;
  const [places] = useState<NodePositions>(() => new Map());
  const view = useView(board);
  const [moves, setMoves] = useState(0);
  const content = { question, board, filter: view.filter, places };
  const saving = useSaving({ query, content, use, onFilter: view.setFilter, moves });
  const [round, setRound] = useState(0);
  const { whole, filter } = view;
  const occasion = useMemo(() => ({ whole, filter, round }), [whole, filter, round]);
  const is_begun = board.expansions.length > 0;
  const hands = {
    onNode: view.setSelected,
    onEdge: view.setSelected,
    onMove: (id: string, x: number, y: number) => {
      places.set(id, [x, y]);
      setMoves(moves + 1);
      if (!board.pinned.has(id)) use.move({ kind: "pin", node: id });
    },
  };
  const begin = (asked: GraphQuestion): void => {
    places.clear();
    view.clear();
    setQuery({ graph: null, case: null });
    void use.start({ ...asked, as_of: asked.address === question.address ? asked.as_of : null });
  };
  return (
    <div class="graph-page">
      <h1>Graph of counterparties</h1>
      <QuestionForm
        question={question}
        action={priced(is_begun ? "Start over" : "Start", prices.of(COUNTERPARTIES))}
        is_waiting={use.waiting !== null}
        onAsk={begin}
      />
      {use.fault === null ? null : (
        <Notice tone="bad" title="The call failed">
          {use.fault}
        </Notice>
      )}
      {use.notice === null ? null : <Notice tone="quiet" title={use.notice} />}
      {is_begun ? (
        <>
          <Toolbar use={use} content={content} saving={saving} onLayout={() => setRound(round + 1)} />
          <FilterBar filter={view.filter} onFilter={view.setFilter} />
          <div class="graph-board">
            <Canvas shown={view.shown} places={places} occasion={occasion} hands={hands} />
            <SidePanel view={view} use={use} question={question} prices={prices} />
          </div>
          <Tables view={view} />
        </>
      ) : null}
    </div>
  );
};

export default GraphPage;
