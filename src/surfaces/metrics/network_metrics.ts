import type { IndexCounts } from "../../lib/index_counts.ts";
import { lagSeconds, type NetworkStatus } from "../../lib/status.ts";
import { VERIFIED } from "../../lib/verified.ts";
import type { ReadMetrics, Sample } from "./counters.ts";

/** Missing facts of a network, by kind. */
export interface GapFigures {
  readonly ranges: number;
  readonly blocks: number;
}

/** Figures of a network beyond its status. */
export interface NetworkFigures {
  /** Null where this process does not index the network. */
  readonly counts: IndexCounts | null;
  /** Recorded gaps by kind, in addition to missing blocks. */
  readonly gaps: Readonly<Record<string, GapFigures>>;
}

/** One network as the metrics show it. */
export interface NetworkSample {
  readonly network: string;
  readonly status: NetworkStatus;
  /** Null if it could not be read. */
  readonly figures: NetworkFigures | null;
}

const BLOCKS = "blocks";

const gapsOf = ({ status, figures }: NetworkSample): readonly (readonly [string, GapFigures])[] => {
  const blocks = status.gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return [[BLOCKS, { ranges: status.gaps.length, blocks }], ...Object.entries(figures?.gaps ?? {})];
};

type ReadGauge = (network: NetworkSample) => number | null | undefined;

/** @param shown the networks as they were read for this answer of `/metrics` */
export const networkMetrics = (
  metrics: ReadMetrics,
  shown: () => readonly NetworkSample[],
  now_ms: () => number,
): void => {
  const samples = (read: ReadGauge) => (): Sample[] =>
    shown().flatMap((network): Sample[] => {
      const value = read(network);
      return value == null ? [] : [[{ network: network.network }, value]];
    });
  const gauge = (name: string, help: string, read: ReadGauge) =>
    metrics.gauge({ name, help }, ["network"], samples(read));
  const counter = (name: string, help: string, read: ReadGauge) =>
    metrics.counter({ name, help }, ["network"], samples(read));
  statusGauges(gauge, now_ms);
  const disagreements = "Answers of nodes that had to agree and did not";
  counter("assay_network_disagreements_total", disagreements, ({ status }) => status.disagreements);
  const blocks = "Final blocks whose facts this process wrote";
  counter("assay_network_blocks_indexed_total", blocks, ({ figures }) => figures?.counts?.blocks_indexed);
  const reorganisations = "Times that blocks near the head were replaced by others";
  counter("assay_network_reorganisations_total", reorganisations, ({ figures }) => figures?.counts?.reorganisations);
  const losses = "Times that this process stopped indexing the network because its lease was lost";
  counter("assay_network_lease_losses_total", losses, ({ figures }) => figures?.counts?.lease_losses);
  const byKind = (read: (gap: GapFigures) => number) => (): Sample[] =>
    shown().flatMap((one) => gapsOf(one).map(([kind, gap]): Sample => [{ network: one.network, kind }, read(gap)]));
  metrics.gauge(
    { name: "assay_network_gaps", help: "Ranges of blocks of which facts are missing, by the kind of facts" },
    ["network", "kind"],
    byKind(({ ranges }) => ranges),
  );
  metrics.gauge(
    { name: "assay_network_gap_blocks", help: "Blocks in those ranges" },
    ["network", "kind"],
    byKind((gap) => gap.blocks),
  );
};

/** Progress and health of a network. */
const statusGauges = (gauge: (name: string, help: string, read: ReadGauge) => void, now_ms: () => number): void => {
  gauge("assay_network_up", "1 while a node of the network answers and its blocks can be read, else 0", ({ status }) =>
    status.head !== null && status.problem === null ? 1 : 0,
  );
  gauge("assay_network_head_block", "Newest block that the node has shown", ({ status }) => status.head);
  gauge("assay_network_indexed_block", "Newest block that answers include", ({ status }) => status.indexed);
  gauge(
    "assay_network_lag_blocks",
    "Blocks between the head and the newest indexed one",
    ({ status }) => status.lag_blocks,
  );
  gauge("assay_network_lag_seconds", "Age of the newest block that answers include", ({ status }) =>
    lagSeconds(status, now_ms()),
  );
  gauge(
    "assay_network_verified",
    "How far Assay verified every block that answers include: 0 none, 1 receipts, 2 full",
    ({ status }) => (status.verified === null ? null : VERIFIED.indexOf(status.verified)),
  );
  gauge(
    "assay_network_fills_from_block",
    "First block of the range of history that this process fills; absent while it fills none",
    ({ status }) => status.fills?.from,
  );
  gauge("assay_network_fills_to_block", "Last block of that range", ({ status }) => status.fills?.to);
};
