import type { Hex } from "./bytes.ts";

/** A caller's address or hash: its text, and its bytes on the queried network. The token `native` is "". */
export interface ParsedText {
  readonly text: string;
  readonly hex: Hex;
}

/** The same for a query over several networks: its bytes by network id, for each network with this address format. */
export interface ParsedByNetwork {
  readonly text: string;
  readonly by_network: ReadonlyMap<string, Hex>;
}

/** The last block that was made at `until` (unix seconds) or before; `text` is what the caller wrote. */
export interface PinnedMoment {
  readonly text: string;
  readonly until: number;
}

/** The block that an answer is pinned to: its number, or a moment. */
export type PinnedBlock = number | PinnedMoment;

/** A name as the caller wrote it, and normalized by ENSIP-15. */
export interface ParsedName {
  readonly text: string;
  readonly normalized: string;
}

/** A name, or (`normalized` is null) an address on each network that accepts it. */
export interface ParsedNameOrAddress extends ParsedByNetwork {
  readonly normalized: string | null;
}
