import type { Hex } from "../../../lib/bytes.ts";
import type { Movements, Rows } from "../../address/movements/movements.ts";
import type { Period } from "../../address/movements/read_movements.ts";

/** Rows of one wallet, and how they were asked for. */
export interface Moved {
  readonly wallet: Hex;
  readonly period: Period;
  /** None of the rows is older. */
  readonly from_block: number;
  readonly movements: Movements;
  readonly rows: Rows;
}

/** Of so many things the wallet moved each is named to the store; of more, the store finds them in the ledger itself. */
export const NAMED_MAX = 1_000;

/** Everybody on the other side of these rows, each once. */
export const peersIn = ({ peer, peers }: Movements, { first, end }: Rows): readonly Hex[] => {
  const met = new Uint8Array(peers.texts.length);
  for (let row = first; row < end; row += 1) met[peer[row] ?? 0] = 1;
  return peers.texts.filter((text, code) => met[code] === 1 && text !== "");
};
