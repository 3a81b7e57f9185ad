import type { ComponentChildren } from "preact";
import type { GraphGroup } from "../../../src/case/format.ts";
import type { GraphNode } from "../../../src/case/graph_model.ts";
import { KINDS, kindOf, nameOf } from "../../../src/case/graph_view.ts";
import { CallButton } from "../ui/call_button.tsx";
import { Strange } from "../ui/strange.tsx";

export const usd = (value: number | null): string =>
  value === null ? "no price" : value.toLocaleString("en-US", { style: "currency", currency: "USD" });

export interface NodePanelProps {
  readonly node: GraphNode;
  readonly network: string;
  readonly is_pinned: boolean;
  /** In the requested window; null before the request. */
  readonly peers: number | null;
  /** Label of the expand button; null when all counterparties are shown. */
  readonly action: string | null;
  readonly is_waiting: boolean;
  readonly onExpand: () => void;
  readonly onPin: () => void;
  readonly onPathFrom: () => void;
  readonly onPathTo: () => void;
  /** The closed group that the node stands for; null: an address. */
  readonly group: GraphGroup | null;
  readonly onFold: (group: string) => void;
  /** Selected for a group. */
  readonly is_picked: boolean;
  readonly onPick: () => void;
  /** Buttons that trace the money. */
  readonly traces: ComponentChildren;
  /** The user's own label and note. */
  readonly marks: ComponentChildren;
}

/** Facts and actions of a closed group. */
const GroupFacts = ({
  node,
  group,
  onFold,
}: Pick<NodePanelProps, "node" | "onFold"> & { readonly group: GraphGroup }) => (
  <section class="graph-panel" aria-label="Chosen group">
    <h2>
      <Strange text={group.name} is_marked={false} />
    </h2>
    <dl>
      <dt>Group</dt>
      <dd>{node.address}</dd>
      <dt>With others</dt>
      <dd>{usd(node.volume_usd)}</dd>
    </dl>
    <p class="actions">
      <button type="button" onClick={() => onFold(group.id)}>
        Open the group
      </button>
    </p>
  </section>
);

/** Facts and actions of an address, or of a closed group. */
export const NodePanel = (props: NodePanelProps) =>
  props.group === null ? <AddressPanel {...props} /> : <GroupFacts {...props} group={props.group} />;

const AddressPanel = (props: NodePanelProps) => {
  const { node, peers, is_pinned, action, is_waiting } = props;
  const network = node.network ?? props.network;
  const kind = KINDS[kindOf(node)];
  return (
    <section class="graph-panel" aria-label="Chosen address">
      <h2>
        <span class={`kind kind-${kindOf(node)}`} aria-hidden="true">
          {kind.sign}
        </span>{" "}
        <Strange text={nameOf(node)} is_marked={false} />
      </h2>
      <p class="mono break">{node.address}</p>
      {node.network === null ? null : <p>On {node.network}, beyond a bridge: open its page to follow it there.</p>}
      <dl>
        <dt>Kind</dt>
        <dd>{kind.name}</dd>
        <dt>Category</dt>
        <dd>{node.category?.replaceAll("_", " ") ?? "none"}</dd>
        <dt>Label from</dt>
        <dd>{node.label === null ? "no list names it" : node.sources.join(", ") || "the answer does not say"}</dd>
        <dt>On this graph</dt>
        <dd>
          {usd(node.volume_usd)}, {node.transfers.toLocaleString("en-US")} transfers
        </dd>
        <dt>Counterparties</dt>
        <dd>{peers === null ? "not loaded yet" : peers.toLocaleString("en-US")}</dd>
        <dt>From the start</dt>
        <dd>{node.hops === null ? "not joined" : `${node.hops} ${node.hops === 1 ? "hop" : "hops"}`}</dd>
      </dl>
      <p class="actions">
        {node.network === null ? (
          <CallButton class="button-main" is_idle={is_waiting || action === null} onAsk={props.onExpand}>
            {action ?? "All its counterparties are here."}
          </CallButton>
        ) : null}
        {props.traces}
        <button type="button" aria-pressed={is_pinned} onClick={props.onPin}>
          {is_pinned ? "Unpin" : "Pin"}
        </button>
        <button type="button" onClick={props.onPathFrom}>
          Path from here
        </button>
        <button type="button" onClick={props.onPathTo}>
          Path to here
        </button>
        <button type="button" aria-pressed={props.is_picked} onClick={props.onPick}>
          {props.is_picked ? "Selected for a group" : "Select for a group"}
        </button>
        <a href={`/app/wallet/${encodeURIComponent(network)}/${encodeURIComponent(node.address)}`}>Open its page</a>
      </p>
      {props.marks}
    </section>
  );
};
