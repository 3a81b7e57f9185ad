import { useMemo, useState } from "preact/hooks";
import { NO_FILTER } from "../../../src/case/format.ts";
import { graphOf } from "../../../src/case/graph.ts";
import { grouped, groupNode } from "../../../src/case/graph_groups.ts";
import { COUNTERPARTIES, type Graph, nodeId, type TraceDirection } from "../../../src/case/graph_model.ts";
import { filtered, type GraphFilter, labelled } from "../../../src/case/graph_view.ts";
import { walletOf } from "../../../src/case/peer_pairs.ts";
import { limitsOf } from "../../../src/case/traces.ts";
import { type Board, toggled } from "../graph/board.ts";
import { Canvas } from "../graph/canvas.tsx";
import { EdgePanel } from "../graph/edge_panel.tsx";
import { FilterBar } from "../graph/filter_bar.tsx";
import { Payments, Tables } from "../graph/graph_tables.tsx";
import { GroupPanel } from "../graph/group_panel.tsx";
import { type NodePositions, positionGroups } from "../graph/layout_matrix.ts";
import { NodeMarks } from "../graph/node_marks.tsx";
import { NodePanel } from "../graph/node_panel.tsx";
import { type PathChoice, PathPanel, pathOf } from "../graph/path_panel.tsx";
import { type GraphQuestion, questionOf } from "../graph/question.ts";
import { QuestionForm } from "../graph/question_form.tsx";
import { Toolbar } from "../graph/toolbar.tsx";
import { StartTrace, TraceButtons } from "../graph/trace_buttons.tsx";
import { TracePanel, type WalletTraces } from "../graph/trace_panel.tsx";
import { type CallPrices, type GraphUse, nextPage, peersOf, priced, useGraph, usePrices } from "../graph/use_graph.ts";
import { type GraphContent, type GraphSaving, useSaving } from "../graph/use_saved.ts";
import { setQuery } from "../navigation.ts";
import type { PageProps } from "../routes.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/graph.css";

const ALL: GraphFilter = { ...NO_FILTER, kinds: new Set() };

/** View settings of the graph: free of charge and not part of undo. */
const useView = (board: Board) => {
  const [filter, setFilter] = useState(ALL);
  const [selected, setSelected] = useState<string | null>(null);
  const [choice, setChoice] = useState<PathChoice | null>(null);
  const [traced, setTraced] = useState<string | null>(null);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const { start, expansions, entries, pinned, labels, hidden, groups } = board;
  const answered = useMemo(() => graphOf({ start, expansions, entries }), [start, expansions, entries]);
  const all = useMemo(() => labelled(answered, labels), [answered, labels]);
  const whole = useMemo(() => grouped(all, groups), [all, groups]);
  const graph = useMemo(
    () => grouped(filtered(all, filter, { pinned, hidden }), groups),
    [all, filter, pinned, hidden, groups],
  );
  const path = useMemo(() => (choice === null ? null : pathOf(whole, choice)), [whole, choice]);
  const marked = useMemo(() => {
    const trace = whole.traces.find(({ id }) => id === traced);
    const of_path = [...(path?.nodes ?? []), ...(path?.edges ?? []).map(({ id }) => id)];
    return new Set([...of_path, ...(trace?.nodes ?? []), ...(trace?.edges ?? [])]);
  }, [path, whole, traced]);
  const shown = useMemo(() => ({ graph, pinned, selected, marked }), [graph, pinned, selected, marked]);
  return {
    ...{
      filter,
      setFilter,
      selected,
      setSelected,
      choice,
      setChoice,
      traced,
      setTraced,
      picked,
      setPicked,
      all,
      whole,
      graph,
      path,
      shown,
    },
    pathWith: (part: Partial<PathChoice>): void =>
      setChoice({ ...{ from: "", to: "", by: "hops", along_the_money: false }, ...choice, ...part }),
    clear(): void {
      setSelected(null);
      setChoice(null);
      setTraced(null);
      setPicked(new Set());
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
          traces={
            node.network === null ? (
              <TraceButtons use={use} address={node.address} question={question} prices={prices} />
            ) : null
          }
          marks={<NodeMarks key={node.id} node={node} board={use.board} move={use.move} />}
          group={use.board.groups.find((one) => groupNode(one) === node.id) ?? null}
          onFold={(group) => use.move({ kind: "fold", group })}
          is_picked={view.picked.has(node.id)}
          onPick={() => view.setPicked(toggled(view.picked, node.id))}
          onPathFrom={() => view.pathWith({ from: node.id })}
          onPathTo={() => view.pathWith({ to: node.id })}
        />
      )}
      {edge === undefined ? null : (
        <EdgePanel
          edge={edge}
          graph={whole}
          question={question}
          prices={prices}
          onEdge={view.setSelected}
          onEntry={(entry) => use.move({ kind: "expand", entry, categories: [] })}
        />
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

/** The traces of the graph, by wallet and direction, in the order of their calls. */
const tracesIn = ({ expansions, entries }: Board, { traces }: Graph): readonly WalletTraces[] => {
  const found = new Map<string, WalletTraces>();
  for (const { entry: id, trace: direction } of expansions) {
    const entry = entries.get(id);
    if (direction === undefined || entry === undefined) continue;
    const wallet = nodeId(walletOf(entry));
    const paths = traces.filter((path) => path.wallet === wallet && path.direction === direction);
    found.set(`${wallet} ${direction}`, { wallet, direction, paths, limits: limitsOf(entry, paths) });
  }
  return [...found.values()];
};

interface BegunProps extends SideProps {
  readonly content: GraphContent;
  readonly saving: GraphSaving;
  readonly onPlaced: () => void;
}

/** The graph with its tools and tables. */
const BegunGraph = ({ view, use, question, prices, content, saving, onPlaced }: BegunProps) => {
  const [round, setRound] = useState(0);
  const { whole, filter, graph, all, selected, setSelected } = view;
  const { board } = use;
  const { places } = content;
  useMemo(() => positionGroups(board.groups, places), [board.groups, places]);
  const occasion = useMemo(() => ({ whole, filter, round }), [whole, filter, round]);
  const traces = useMemo(() => tracesIn(board, whole), [board.expansions, board.entries, whole]);
  const hands = {
    onNode: setSelected,
    onEdge: setSelected,
    onMove: (id: string, x: number, y: number) => {
      places.set(id, [x, y]);
      onPlaced();
      if (!board.pinned.has(id)) use.move({ kind: "pin", node: id });
    },
  };
  return (
    <>
      <Toolbar use={use} graph={graph} content={content} saving={saving} onLayout={() => setRound(round + 1)} />
      <FilterBar graph={all} filter={filter} onFilter={view.setFilter} />
      <GroupPanel use={use} graph={all} picked={view.picked} onPicked={view.setPicked} />
      <div class="graph-board">
        <Canvas shown={view.shown} places={places} occasion={occasion} hands={hands} />
        <SidePanel view={view} use={use} question={question} prices={prices} />
      </div>
      <TracePanel graph={whole} traces={traces} chosen={view.traced} onChoose={view.setTraced} />
      <Tables graph={graph} selected={selected} onChoose={setSelected} />
      <Payments graph={graph} selected={selected} onChoose={setSelected} />
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
  const is_begun = board.expansions.length > 0;
  const begin = (asked: GraphQuestion, trace: TraceDirection | null): void => {
    places.clear();
    view.clear();
    setQuery({ graph: null, case: null });
    const fresh = { ...asked, as_of: asked.address === question.address ? asked.as_of : null };
    void (trace === null ? use.start(fresh) : use.startTrace(fresh, trace));
  };
  const startTrace = (asked: GraphQuestion | null) => (
    <StartTrace
      question={asked}
      prices={prices}
      is_waiting={use.waiting !== null}
      onStart={(direction) => asked !== null && begin(asked, direction)}
    />
  );
  const parts = { view, use, question, prices, content, saving };
  return (
    <div class="graph-page">
      <h1>Graph of counterparties</h1>
      <QuestionForm
        question={question}
        action={priced(is_begun ? "Start over" : "Start", prices.of(COUNTERPARTIES))}
        is_waiting={use.waiting !== null}
        onAsk={(asked) => begin(asked, null)}
        more={(asked) => (is_begun ? null : startTrace(asked))}
      />
      {use.fault === null ? null : (
        <Notice tone="bad" title="The call failed">
          {use.fault}
        </Notice>
      )}
      {use.notice === null ? null : <Notice tone="quiet" title={use.notice} />}
      {is_begun ? <BegunGraph {...parts} onPlaced={() => setMoves(moves + 1)} /> : null}
    </div>
  );
};

export default GraphPage;
