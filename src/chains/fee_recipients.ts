/** Recipients of each part of a fee, by the rules of each network's own client. */
import type { Bytes, Hex } from "../lib/bytes.ts";
import { fromHex, hex } from "../lib/bytes.ts";

/**
 * `base`: burnt by EIP-1559; `layer1`: for data on layer 1; `operator`: for a roll-up's operator; `blob`: burnt by
 * EIP-4844.
 */
export type FeePart = "base" | "tip" | "layer1" | "operator" | "blob";

/**
 * The recipient of one part of fees, from a block and a time (Unix seconds) on; omitted: from the first. A later entry
 * wins.
 */
export interface FeeRecipient {
  readonly part: FeePart;
  readonly recipient: Hex;
  readonly from_block?: number;
  readonly from_time?: number;
}

/** Null if the network defines no recipient of that part. */
export const feeRecipientOf = (
  list: readonly FeeRecipient[] | undefined,
  part: FeePart,
  at: { readonly number: number; readonly time: number },
): Bytes | null => {
  const entry = list?.findLast(
    (one) => one.part === part && (one.from_block ?? 0) <= at.number && (one.from_time ?? 0) <= at.time,
  );
  return entry === undefined ? null : fromHex(entry.recipient);
};

/**
 * Vaults of OP Stack networks since Bedrock (specs.optimism.io, protocol/predeploys) for the base fee and for data on
 * layer 1, and since Isthmus for the operator (isthmus/predeploys); before Isthmus there is no operator fee. Each
 * header names the sequencer's vault, which receives the tips.
 */
export const opStackVaults = (from_block = 0): readonly FeeRecipient[] => [
  { part: "base", recipient: hex("4200000000000000000000000000000000000019"), from_block },
  { part: "layer1", recipient: hex("420000000000000000000000000000000000001a"), from_block },
  { part: "operator", recipient: hex("420000000000000000000000000000000000001b"), from_block },
];
