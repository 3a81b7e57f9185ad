import type { CodePiece } from "../../../knowledge/proxy_shape.ts";
import { concatHex, type Hex, intToHex, padHex, sliceHex } from "../../../lib/bytes.ts";

/** Compares runtime code with the pattern of a proxy shape. */

const ADDRESS_BYTES = 20;
/** Of PUSH1 to PUSH20 the opcode is this and the number of bytes pushed (Ethereum Yellow Paper, appendix H). */
const PUSH0 = 0x5f;

const PUSH4 = intToHex(0x63n, 1);

/** Addresses that the code holds. */
export interface CodeAddresses {
  readonly implementation: Hex | null;
  readonly admin: Hex | null;
}

/** How many bytes the PUSH at a place pushes, when they are an address; null for any other instruction. */
const pushLength = (code: Hex, at: number): number | null => {
  const length = Number.parseInt(sliceHex(code, at, at + 1), 16) - PUSH0;
  return length >= 1 && length <= ADDRESS_BYTES ? length : null;
};

/** Null for other code. Bytes after the pattern may differ. */
export const matchCode = (code: Hex, pieces: readonly CodePiece[]): CodeAddresses | null => {
  const found: { implementation: Hex | null; admin: Hex | null } = { implementation: null, admin: null };
  let at = 0;
  let saved = 0;
  const take = (length: number): Hex => {
    at += length;
    return sliceHex(code, at - length, at);
  };
  for (const piece of pieces) {
    if ("bytes" in piece || "jump" in piece) {
      const bytes = "bytes" in piece ? piece.bytes : intToHex(BigInt(piece.jump - saved), 1);
      if (take(bytes.length / 2) !== bytes) return null;
    } else if ("any" in piece) take(piece.any);
    else if ("address" in piece) found[piece.address] = padHex(take(piece.length), ADDRESS_BYTES);
    else {
      const length = pushLength(code, at);
      if (length === null) return null;
      saved = ADDRESS_BYTES - length;
      found.implementation = padHex(sliceHex(code, at + 1, at + 1 + length), ADDRESS_BYTES);
      at += 1 + length;
    }
  }
  return at * 2 > code.length ? null : found;
};

/** True when the code pushes these four bytes somewhere, as it does to compare them with the called selector. */
export const pushesSelector = (code: Hex, selector: Hex): boolean => code.includes(concatHex(PUSH4, selector));
