import { type Bytes, type Hex, hex, toHex } from "../../../lib/bytes.ts";

/** Static facts from the instructions of runtime code (Ethereum Yellow Paper, appendix H). */

const PUSH1 = 0x60;
const PUSH4 = 0x63;
const PUSH32 = 0x7f;
const DELEGATECALL = 0xf4;
/** LT, GT, SUB, EQ, XOR: how compilers compare the called selector, also in halves. */
const COMPARISONS: readonly number[] = [0x10, 0x11, 0x03, 0x14, 0x18];
/** Instructions between a selector and its comparison: at most one DUP or SWAP. */
const COMPARED_WITHIN = 2;
/** Limit of selectors per contract; a diamond's facets have a few dozen. */
const SELECTORS_MAX = 512;

interface OpcodeInstruction {
  readonly code: number;
  /** Pushed bytes; empty for instructions other than PUSH. */
  readonly data: Bytes;
}

const pushedBytes = (byte: number): number => (byte >= PUSH1 && byte <= PUSH32 ? byte - PUSH1 + 1 : 0);

const instructionsOf = (code: Bytes): readonly OpcodeInstruction[] => {
  const found: OpcodeInstruction[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const byte = code[at] ?? 0;
    const width = pushedBytes(byte);
    found.push({ code: byte, data: code.subarray(at + 1, at + 1 + width) });
    at += width;
  }
  return found;
};

/** Pushed as a mask, not as a function. */
const MASK = hex("ffffffff");

/**
 * Selectors that the code compares with the called one, ascending. `runtime` without metadata. Constants that it only
 * forwards (selectors of functions it calls) are left out.
 */
export const selectorsIn = (runtime: Bytes): readonly Hex[] => {
  const instructions = instructionsOf(runtime);
  const found = new Set<Hex>();
  for (const [i, { code, data }] of instructions.entries()) {
    if (code !== PUSH4 || data.length !== 4) continue;
    const next = instructions.slice(i + 1, i + 1 + COMPARED_WITHIN);
    if (next.some((instruction) => COMPARISONS.includes(instruction.code))) found.add(toHex(data));
  }
  found.delete(MASK);
  return [...found].sort().slice(0, SELECTORS_MAX);
};

/** False when no instruction can run the code of another contract as its own: the contract is no proxy. */
export const mayDelegate = (runtime: Bytes): boolean => {
  for (let at = 0; at < runtime.length; at += 1 + pushedBytes(runtime[at] ?? 0)) {
    if (runtime[at] === DELEGATECALL) return true;
  }
  return false;
};
