import type { Engine } from "./engine.ts";
import { queryRows } from "./query.ts";
import type { NetworkRange } from "./sums.ts";

/**
 * Epochs guard writes to a network, and to ranges of its history that several processes fill. A range has a name that no
 * network can have.
 */

/** Prefix of the names of a network's ranges. */
export const rangesOf = (network: string): string => `${network}@`;

export const rangeName = ({ network, from, to }: NetworkRange): string => `${rangesOf(network)}${from}-${to}`;

const NAME = /^(.+)@(\d+)-(\d+)$/;

/** Returns null for a name that is not a range. */
export const rangeOf = (name: string): NetworkRange | null => {
  const [, network, from, to] = NAME.exec(name) ?? [];
  return network === undefined ? null : { network, from: Number(from), to: Number(to) };
};

/** The newest epoch of a network or a range; 0 when it was never written. */
export const newestEpoch = async (engine: Pick<Engine, "query">, name: string): Promise<number> => {
  const [row] = await queryRows(engine, "index_epoch", { network: name });
  return row?.epoch ?? 0;
};
