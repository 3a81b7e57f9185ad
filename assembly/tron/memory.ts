/**
 * Layout of linear memory. Nothing inside a module checks bounds: each write of unknown length first compares its size
 * with the room.
 *
 *   0         data of the compiler, and small tables of fixed size
 *   1 MiB     of the answer: positions of its blocks' lists, and records of its items
 *   4 MiB     the text, then PADDING zero bytes
 *   behind    records (`../room.ts`)
 */

/** One answer has at most 100 blocks (java-tron); TypeScript reads longer ones. */
export const MOST_BLOCKS: u32 = 4096;
export const BLOCK_BYTES: usize = 16;
/** Transactions, or infos, of one answer. */
export const MOST_ITEMS: u32 = 1 << 18;

export const BLOCKS: usize = 1 << 20;
export const ITEMS: usize = 2 << 20;
export const INPUT: usize = 4 << 20;
