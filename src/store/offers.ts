import type { Engine } from "./engine.ts";
import { newestEpoch, rangeName, rangeOf, rangesOf } from "./epochs.ts";
import { queryRows } from "./query.ts";
import type { NetworkRange } from "./sums.ts";
import type { Writer } from "./writer.ts";

type OfferedRanges = readonly Pick<NetworkRange, "from" | "to">[];

/**
 * Ranges of history that several processes may fill. The table of epochs holds them, each under its own name. They are valid while
 * the indexer that offered last is the network's newest one.
 */
export interface Offers {
  /** Epoch of the network's newest indexer. */
  readonly epoch: number;
  /** Oldest first, apart from each other. */
  readonly ranges: OfferedRanges;
}

const readAll = async (engine: Pick<Engine, "query">, network: string) => {
  const rows = await queryRows(engine, "index_offers", { ranges: rangesOf(network) });
  const ranges = rows.flatMap(({ name }) => {
    const range = rangeOf(name);
    return range === null ? [] : [{ from: range.from, to: range.to }];
  });
  const offered_by = rows.find(({ name }) => name === rangesOf(network))?.newest ?? 0;
  return { offered_by, ranges: ranges.sort((a, b) => a.from - b.from) };
};

/** Null while the network's newest indexer has offered nothing, so that no other process may write. */
export const readOffers = async (engine: Pick<Engine, "query">, network: string): Promise<Offers | null> => {
  const { offered_by, ranges } = await readAll(engine, network);
  const epoch = await newestEpoch(engine, network);
  return offered_by === epoch && epoch > 0 ? { epoch, ranges } : null;
};

/** All offers ever made, by any indexer. */
export const everOffered = async (engine: Pick<Engine, "query">, network: string): Promise<OfferedRanges> =>
  (await readAll(engine, network)).ranges;

/**
 * Offers further ranges. `writer` carries the fence of the network's indexer. After a failure, wait for running
 * statements to end (`finals.open`) before the next offer.
 */
export const offerRanges = async (
  writer: Pick<Writer, "insert">,
  { network, epoch, ranges }: Offers & { readonly network: string },
): Promise<void> => {
  const nobody = { holder: "", host: "", pid: 0, written_at: Date.now() / 1000 };
  const rows = ranges.map(({ from, to }) => ({ network: rangeName({ network, from, to }), epoch: 0, ...nobody }));
  await writer.insert("index_epochs", [...rows, { network: rangesOf(network), epoch, ...nobody }], { network });
};
