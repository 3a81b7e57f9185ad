import { concatHex, type Hex, toHex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { firstAtLeast, KINDS } from "../../address/movements/movements.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import type { IndexedFacts } from "../../context.ts";
import { NAMED_MAX } from "./movement_selection.ts";

export type PositionEventRow = QueryRow<"position_events_among">;

/** Kind of a row that moves an NFT. */
export const NFT = KINDS.indexOf("erc721");

/** Identifies an NFT as events do: its contract and decimal id in bytes. */
export const nftSubject = (contract: Hex, id: bigint): Hex => concatHex(contract, toHex(Buffer.from(id.toString())));

type MovementReading = Pick<ReadMovements, "movements" | "since">;

/**
 * The wallet and the NFTs that it ever received up to a block; null when not all of its movements are in memory, or
 * there are too many NFTs.
 */
const subjectsOf = (wallet: Hex, { movements, since }: MovementReading, block: number): readonly Hex[] | null => {
  if (since !== 0) return null;
  const { kind, direction } = movements;
  const end = firstAtLeast(movements.block_number, block + 1);
  const subjects = new Set([wallet]);
  for (let row = 0; row < end; row += 1) {
    if (kind[row] !== NFT || direction[row] !== 1) continue;
    subjects.add(nftSubject(movements.tokenAt(row), movements.tokenIdAt(row)));
    if (subjects.size > NAMED_MAX) return null;
  }
  return [...subjects].sort();
};

/** Protocol events about a wallet's positions, oldest first; null when its movements do not identify all of them. */
export const readPositionEvents = async (
  { facts, snapshot }: IndexedFacts,
  wallet: Hex,
  read: MovementReading,
): Promise<readonly PositionEventRow[] | null> => {
  const subjects = subjectsOf(wallet, read, snapshot.block.number);
  return subjects === null ? null : facts.ask(snapshot, "position_events_among", { subjects });
};
