/** Volumes of counterparties as far as prices are known. */
import { knownUsd } from "../history/volumes.ts";
import type { CounterpartyByNetwork } from "./read.ts";

/** Sums over transfers of which some may have no price. */
export interface TransferSums {
  readonly interactions: number;
  readonly transfers_in: number;
  readonly in_usd: number;
  readonly out_usd: number;
  readonly unpriced: number;
  readonly unpriced_in: number;
}

/** Volume in, out, total and net, as far as prices are known. */
export const volumesOf = ({ interactions, transfers_in, in_usd, out_usd, unpriced, unpriced_in }: TransferSums) => {
  const volume_in_usd = knownUsd({ usd: in_usd, transfers: transfers_in, unpriced: unpriced_in });
  const volume_out_usd = knownUsd({
    usd: out_usd,
    transfers: interactions - transfers_in,
    unpriced: unpriced - unpriced_in,
  });
  return {
    volume_in_usd,
    volume_out_usd,
    total_volume_usd: knownUsd({ usd: in_usd + out_usd, transfers: interactions, unpriced }),
    net_usd: volume_in_usd === null || volume_out_usd === null ? null : volume_in_usd - volume_out_usd,
    unpriced_transfers: unpriced,
  };
};

/** Sums over several networks or counterparties. */
export const sumsOver = (parts: readonly TransferSums[]): TransferSums => {
  const sum = (of: (part: TransferSums) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    interactions: sum(({ interactions }) => interactions),
    transfers_in: sum(({ transfers_in }) => transfers_in),
    in_usd: sum(({ in_usd }) => in_usd),
    out_usd: sum(({ out_usd }) => out_usd),
    unpriced: sum(({ unpriced }) => unpriced),
    unpriced_in: sum(({ unpriced_in }) => unpriced_in),
  };
};

export const sumsOf = (all: readonly CounterpartyByNetwork[]): TransferSums =>
  sumsOver(all.flatMap(({ parts }) => parts.map(({ flow }) => flow)));
