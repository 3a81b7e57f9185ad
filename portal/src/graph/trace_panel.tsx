import type { Graph, TraceDirection, TracedPath } from "../../../src/case/graph_model.ts";
import { nameOf } from "../../../src/case/graph_view.ts";
import type { TraceLimits } from "../../../src/case/traces.ts";
import { worded } from "../../../src/charts/words.ts";
import { Strange } from "../ui/strange.tsx";
import { usd } from "./node_panel.tsx";

/** The traces of one wallet in one direction. */
export interface WalletTraces {
  readonly wallet: string;
  readonly direction: TraceDirection;
  readonly paths: readonly TracedPath[];
  readonly limits: TraceLimits | null;
}

export interface TracePanelProps {
  readonly graph: Graph;
  readonly traces: readonly WalletTraces[];
  /** Id of the marked path. */
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
}

const HEADINGS: Readonly<Record<TraceDirection, string>> = {
  in: "Where the money came from",
  out: "Where the money went",
};

const percent = (share: number | null): string =>
  share === null ? "share unknown" : `${share.toLocaleString("en-US", { maximumSignificantDigits: 3 })} %`;

/** Limits of a trace, in sentences. */
const sentencesOf = ({ limits, direction }: WalletTraces): readonly string[] => {
  if (limits === null) return [];
  const { undrawn_percent, wallets_left_out, hubs, bridge_unmatched_usd, is_complete, warnings } = limits;
  const rest =
    undrawn_percent === null || undrawn_percent < 0.05
      ? []
      : [
          `${percent(undrawn_percent)} of what the wallet ${direction === "in" ? "received" : "paid"} is on no drawn path: its own trades and mints, ends below 1 USD, and ends beyond the largest 20.`,
        ];
  return [
    ...rest,
    ...((hubs ?? 0) > 0 ? [`Following stopped at ${hubs} hubs.`] : []),
    ...((wallets_left_out ?? 0) > 0 ? [`${wallets_left_out} addresses are beyond what one call reads.`] : []),
    ...((bridge_unmatched_usd ?? 0) >= 1
      ? [`The other side of ${usd(bridge_unmatched_usd)} over bridges is unknown.`]
      : []),
    ...(is_complete === false ? ["The trace is not complete: further sources and ends may exist."] : []),
    ...warnings,
  ];
};

const PathRow = ({
  graph,
  path,
  chosen,
  onChoose,
}: Omit<TracePanelProps, "traces"> & { readonly path: TracedPath }) => {
  const end = graph.nodes.get(path.end);
  const is_chosen = chosen === path.id;
  const hops = path.edges.length;
  return (
    <tr class={is_chosen ? "chosen" : ""}>
      <td>
        <button
          type="button"
          class="choose"
          aria-pressed={is_chosen}
          onClick={() => onChoose(is_chosen ? null : path.id)}
        >
          <Strange text={end === undefined ? "a hidden address" : nameOf(end)} width={40} is_marked={false} />
        </button>
        {end?.network === null || end === undefined ? null : ` on ${end.network}`}
        {path.confidence === 1
          ? null
          : `, confidence ${path.confidence.toLocaleString("en-US", { maximumSignificantDigits: 2 })}`}
      </td>
      <td>{`${path.is_risk ? "! " : ""}${worded(path.reason)}`}</td>
      <td class="number">{percent(path.share_percent)}</td>
      <td class="number">{usd(path.usd)}</td>
      <td class="number">{hops}</td>
    </tr>
  );
};

/** Sources and ends of traced money: choosing one marks its path on the canvas. */
export const TracePanel = (props: TracePanelProps) => (
  <>
    {props.traces.map((trace) => {
      const { wallet, direction, paths } = trace;
      const name = nameOf(props.graph.nodes.get(wallet) ?? { label: null, address: wallet });
      const sentences = sentencesOf(trace);
      return (
        <section key={`${wallet} ${direction}`} class="graph-traces" aria-label={HEADINGS[direction]}>
          <h2>
            {HEADINGS[direction]}: <Strange text={name} is_marked={false} />
          </h2>
          {paths.length === 0 ? (
            <p>The trace found no source or end of at least 1 USD.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
            <section class="scroll" tabIndex={0} aria-label={`Paths: ${HEADINGS[direction]}`}>
              <table>
                <caption>Paths: {paths.length}. Shares are of all USD of the direction.</caption>
                <thead>
                  <tr>
                    <th scope="col">{direction === "in" ? "From" : "To"}</th>
                    <th scope="col">Why following ends there</th>
                    <th scope="col" class="number">
                      Share
                    </th>
                    <th scope="col" class="number">
                      USD
                    </th>
                    <th scope="col" class="number">
                      Hops
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {paths.map((path) => (
                    <PathRow key={path.id} {...props} path={path} />
                  ))}
                </tbody>
              </table>
            </section>
          )}
          {sentences.map((sentence) => (
            <p key={sentence} class="hint">
              {sentence}
            </p>
          ))}
        </section>
      );
    })}
  </>
);
