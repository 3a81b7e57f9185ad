/**
 * Layout of linear memory. Nothing inside a module checks bounds: each write of unknown length first compares its size
 * with the room.
 *
 *   0         data of the compiler
 *   1 MiB     the transaction being read
 *   2 MiB     of the block: its keys, its signatures, positions of its transactions
 *   16 MiB    the text, then PADDING zero bytes
 *   behind    records (`../room.ts`)
 */
/** Positions of accounts are one byte. */
export const MOST_ACCOUNTS: u32 = 256;
/** Far more than a block can hold. Same value as in `block.ts`. */
export const MOST_ITEMS: u32 = 1 << 16;
export const MOST_KEYS: u32 = 1 << 16;
/** The runtime's own bound is far lower. Same value as in `transaction.ts`. */
export const MOST_INSTRUCTIONS: u32 = 4096;
/** A transaction has at most 1,232 bytes. */
export const MOST_WIRE: u32 = 4096;
export const MOST_BLOB: u32 = 1 << 16;

export const KEY_BYTES: usize = 32;
export const SIGNATURE_BYTES: usize = 64;
export const TOKEN_BYTES: usize = 24;
export const INSTRUCTION_BYTES: usize = 24;
export const SPAN_BYTES: usize = 16;

/** Bytes of the transaction itself. */
export const WIRE: usize = 1 << 20;
/** Lamports of each account. */
export const BEFORE: usize = WIRE + 8192;
export const AFTER: usize = BEFORE + 8 * 256;
/** Token balances. */
export const TOKENS_BEFORE: usize = AFTER + 8 * 256;
export const TOKENS_AFTER: usize = TOKENS_BEFORE + TOKEN_BYTES * 256;
/** Numbers of the keys of look-up tables: the writable ones, then the others. */
export const WRITABLE: usize = TOKENS_AFTER + TOKEN_BYTES * 256;
export const READONLY: usize = WRITABLE + 4 * 256;
/**
 * Inner instructions, outer instructions, and for each outer instruction that called others its position and their
 * number.
 */
export const INNER: usize = READONLY + 4 * 256;
export const OUTER: usize = INNER + INSTRUCTION_BYTES * 4096;
export const CALLED: usize = OUTER + INSTRUCTION_BYTES * 4096;
/** Data and accounts of inner instructions. */
export const BLOB: usize = CALLED + 8 * 4096;
/** The number being decoded from base58. */
export const LIMBS: usize = BLOB + 65536 + 256;

export const KEYS: usize = 2 << 20;
export const KEY_SLOTS: usize = 4 << 20;
export const MOST_KEY_SLOTS: u32 = 1 << 17;
export const TEXT_SLOTS: usize = KEY_SLOTS + 4 * (1 << 17);
export const MOST_TEXT_SLOTS: u32 = 1 << 16;
export const SIGNATURE_SLOTS: usize = TEXT_SLOTS + 8 * (1 << 16);
export const MOST_SIGNATURE_SLOTS: u32 = 1 << 17;
export const SIGNATURES: usize = 6 << 20;
export const SPANS: usize = 10 << 20;
export const INPUT: usize = 16 << 20;
