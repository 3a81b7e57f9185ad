/** Unsigned transactions for a node's simulation: legacy messages, with zeros as signatures. */
import { type Bytes, fromHex, type Hex } from "../../lib/bytes.ts";
import { SIGNATURE_BYTES } from "./address.ts";

/** An account of an instruction. */
export interface UsedAccount {
  readonly key: Hex;
  readonly is_signer: boolean;
  readonly is_writable: boolean;
}

export interface UnsignedInstruction {
  readonly program: Hex;
  readonly accounts: readonly UsedAccount[];
  readonly data: Bytes;
}

const HASH_BYTES = 32;
/** Lengths below this are one byte (`compact-u16`). */
const SHORT_MAX = 0x80;

/** Signers before others, and the writable ones first in both groups. */
const rankOf = ({ is_signer, is_writable }: UsedAccount): number => (is_signer ? 0 : 2) + (is_writable ? 0 : 1);

const accountsOf = (payer: Hex, { program, accounts }: UnsignedInstruction): readonly UsedAccount[] => {
  const used: readonly UsedAccount[] = [
    { key: payer, is_signer: true, is_writable: true },
    ...accounts,
    { key: program, is_signer: false, is_writable: false },
  ];
  const merged = new Map<Hex, UsedAccount>();
  for (const one of used) {
    const known = merged.get(one.key);
    merged.set(one.key, {
      key: one.key,
      is_signer: one.is_signer || known?.is_signer === true,
      is_writable: one.is_writable || known?.is_writable === true,
    });
  }
  // The payer comes first: the sort keeps the order of equals.
  return [...merged.values()].sort((a, b) => rankOf(a) - rankOf(b));
};

const short = (length: number): number => {
  if (length >= SHORT_MAX) throw new RangeError(`${length} does not fit a short length`);
  return length;
};

/**
 * One instruction, paid by `payer`; its block hash is zeros, which the node replaces. @throws RangeError if it is too
 * long
 */
export const unsignedTransaction = (payer: Hex, instruction: UnsignedInstruction): Bytes => {
  const accounts = accountsOf(payer, instruction);
  const positionOf = (key: Hex): number => accounts.findIndex((one) => one.key === key);
  const signers = accounts.filter(({ is_signer }) => is_signer);
  const header = [
    signers.length,
    signers.filter(({ is_writable }) => !is_writable).length,
    accounts.filter(({ is_signer, is_writable }) => !is_signer && !is_writable).length,
  ];
  return Buffer.concat([
    Uint8Array.of(short(signers.length)),
    Buffer.alloc(SIGNATURE_BYTES * signers.length),
    Uint8Array.of(...header, short(accounts.length)),
    ...accounts.map(({ key }) => fromHex(key) ?? Buffer.alloc(HASH_BYTES)),
    Buffer.alloc(HASH_BYTES),
    Uint8Array.of(1, positionOf(instruction.program), short(instruction.accounts.length)),
    Uint8Array.of(...instruction.accounts.map(({ key }) => positionOf(key))),
    Uint8Array.of(short(instruction.data.length)),
    instruction.data,
  ]);
};
