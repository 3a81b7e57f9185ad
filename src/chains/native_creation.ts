import type { Bytes } from "../lib/bytes.ts";

/** A new token or program, or new code of one, as the chain itself states it. */
export interface NativeCreation {
  readonly address: Bytes;
  /** The payer of a token's creation; the upgrade authority of a program. */
  readonly creator: Bytes;
  /** The program that ran it; empty if the transaction itself did. */
  readonly factory: Bytes;
  /** It existed before, and its code was replaced. */
  readonly is_upgrade: boolean;
}
