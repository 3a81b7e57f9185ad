import type { Bytes } from "../lib/bytes.ts";

/** A token or program that came into being, or got new code, as the chain itself tells it. */
export interface NativeCreation {
  readonly address: Bytes;
  /** Who paid for a token, who may deploy a program. */
  readonly creator: Bytes;
  /** The program that ran it; empty when the transaction itself did. */
  readonly factory: Bytes;
  /** It was there before, and its code was replaced. */
  readonly is_upgrade: boolean;
}
