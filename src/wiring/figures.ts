/** `/metrics` values of networks, nodes, lists and the disk, beyond the process status. */
import { statfs } from "node:fs/promises";
import { type Gap, readGaps } from "../store/gaps.ts";
import { currentLists } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import type { MetricsOptions } from "../surfaces/metrics/metrics.ts";
import type { GapFigures, NetworkFigures } from "../surfaces/metrics/network_metrics.ts";
import type { OpenNetwork } from "./status.ts";

export interface FiguresOptions {
  readonly networks: { readonly open: readonly OpenNetwork[] };
  readonly facts: FactsStore;
  /** Absolute. */
  readonly data_dir: string;
  readonly version: string;
}

/** Reading the gaps scans all segments: too expensive for each scrape. */
const GAPS_KEPT_MS = 60_000;

/** Gaps by kind; accepted gaps form their own kind. */
export const gapFigures = (gaps: readonly Gap[]): NetworkFigures["gaps"] => {
  const figures: Record<string, GapFigures> = {
    traces: { ranges: 0, blocks: 0 },
    refused: { ranges: 0, blocks: 0 },
  };
  for (const { kind, state, from_block, to_block } of gaps) {
    const name = state === "accepted" ? `${kind}_accepted` : kind;
    const { ranges, blocks } = figures[name] ?? { ranges: 0, blocks: 0 };
    figures[name] = { ranges: ranges + 1, blocks: blocks + to_block - from_block + 1 };
  }
  return figures;
};

/** Caches the gaps of each network. */
const gapReader = ({ engine }: Pick<FactsStore, "engine">) => {
  const kept = new Map<string, { readonly at_ms: number; readonly gaps: Promise<NetworkFigures["gaps"]> }>();
  return (network: string): Promise<NetworkFigures["gaps"]> => {
    const now_ms = performance.now();
    const known = kept.get(network);
    if (known !== undefined && now_ms - known.at_ms < GAPS_KEPT_MS) return known.gaps;
    const gaps = readGaps(engine, network).then(gapFigures);
    kept.set(network, { at_ms: now_ms, gaps });
    gaps.catch(() => kept.delete(network)); // the waiting caller gets the failure, and the next one retries
    return gaps;
  };
};

export const openFigures = ({
  networks,
  facts,
  data_dir,
  version,
}: FiguresOptions): Required<Pick<MetricsOptions, "version" | "networks" | "endpoints" | "stores">> => {
  const gapsOf = gapReader(facts);
  const figuresOf = async ({ chain, indexer }: OpenNetwork): Promise<readonly [string, NetworkFigures]> => {
    const { id } = chain.network;
    return [id, { counts: indexer?.counts ?? null, gaps: await gapsOf(id) }];
  };
  return {
    version,
    networks: async () => Object.fromEntries(await Promise.all(networks.open.map(figuresOf))),
    endpoints: () => Object.fromEntries(networks.open.map(({ chain }) => [chain.network.id, chain.endpoints])),
    stores: {
      disk: async () => {
        const { bavail, blocks, bsize } = await statfs(data_dir);
        return { free_bytes: bavail * bsize, size_bytes: blocks * bsize };
      },
      lists: () => currentLists(facts),
    },
  };
};
