import type { Hex } from "../../../lib/bytes.ts";
import type { MovementRange, Movements } from "../../address/movements/movements.ts";
import type { MovementPeriod } from "../../address/movements/read_movements.ts";

/** Rows of one wallet and the period of their query. */
export interface MovementSelection {
  readonly wallet: Hex;
  readonly period: MovementPeriod;
  /** No row is older. */
  readonly from_block: number;
  readonly movements: Movements;
  readonly rows: MovementRange;
}

/** Limit of items that a query names; above it, the store finds them in the wallet's ledger. */
export const NAMED_MAX = 1_000;

/** The distinct peers of these rows. */
export const peersIn = ({ peer, peers }: Movements, { first, end }: MovementRange): readonly Hex[] => {
  const met = new Uint8Array(peers.texts.length);
  for (let row = first; row < end; row += 1) met[peer[row] ?? 0] = 1;
  return peers.texts.filter((text, code) => met[code] === 1 && text !== "");
};
