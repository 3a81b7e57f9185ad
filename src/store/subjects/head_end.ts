/** The end of an answer above the final block: where the rows of the tail show all that the records name. */

import { leastVerified } from "../../lib/verified.ts";
import type { QueryRow, Snapshot } from "../facts.ts";
import type { SubjectRecord } from "./records.ts";

type BlockAt = Snapshot["block"];
/** Numbers and hashes. */
export type TailBlocks = readonly (readonly [number, string])[];
type ReadTail = (blocks: readonly number[]) => Promise<readonly QueryRow<"tail_blocks">[]>;

export interface HeadEnd {
  readonly newest: BlockAt;
  /** Blocks of the tail that the answer uses. */
  readonly tail: TailBlocks;
  readonly tail_drops: number;
  /** The records as of this end. */
  readonly records: readonly SubjectRecord[];
}

/** How often the tail had been cut, if it holds exactly these blocks; else null. */
export const dropsUnder = async (tail: TailBlocks, read: ReadTail): Promise<number | null> => {
  if (tail.length === 0) return 0;
  const rows = await read(tail.map(([number]) => number));
  const hashes = new Map(rows.map(({ block_number, hash_hex }) => [block_number, hash_hex]));
  // A block of two rows is being written again.
  const is_whole = rows.length === tail.length && tail.every(([number, hash]) => hashes.get(number) === hash);
  return is_whole ? (rows[0]?.drops ?? 0) : null;
};

/** The lowest end of these histories above `final`; null if one of them ends there, or its rows are not in the store. */
export const headEnd = async (
  records: readonly SubjectRecord[],
  final: BlockAt,
  read: ReadTail,
): Promise<HeadEnd | null> => {
  const heads = records.flatMap(({ head }) => (head !== null && head.after <= final.number ? [head] : []));
  const [lowest] = [...heads].sort((a, b) => a.number - b.number);
  if (lowest === undefined || heads.length < records.length || lowest.number <= final.number) return null;
  const { number, hash, time } = lowest;
  if (heads.some((head) => head.number === number && head.hash !== hash)) return null;
  const used = heads.flatMap(({ blocks }) => blocks.filter(([at]) => at > final.number && at <= number));
  const tail = [...new Map(used)].sort(([a], [b]) => a - b);
  if (used.some(([at, its]) => !tail.some(([one, known]) => one === at && known === its))) return null;
  const tail_drops = await dropsUnder(tail, read);
  if (tail_drops === null) return null;
  const as_of_head = records.map(({ head, ...record }) => ({
    ...{ ...record, head },
    is_plain: record.is_plain && head?.is_plain === true,
    is_balanced: head?.is_balanced === true,
    verified: leastVerified([record.verified, ...(head === null || head.blocks.length === 0 ? [] : [head.verified])]),
    untraced: [...record.untraced, ...(head?.untraced ?? [])],
  }));
  return { newest: { number, hash, time }, tail, tail_drops, records: as_of_head };
};
