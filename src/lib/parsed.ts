import type { Hex } from "./bytes.ts";

/** An address or a hash of a caller: as it was written, and its bytes on the network asked. A token `native` is "". */
export interface Parsed {
  readonly text: string;
  readonly hex: Hex;
}

/** The same where several networks are asked: its bytes on each that writes addresses so, by the network's id. */
export interface ParsedByNetwork {
  readonly text: string;
  readonly by_network: ReadonlyMap<string, Hex>;
}

/** A name as it was written, and by ENSIP-15. */
export interface ParsedName {
  readonly text: string;
  readonly normalized: string;
}

/** A name, or (`normalized` null) an address on each network that it is one of. */
export interface ParsedNameOrAddress extends ParsedByNetwork {
  readonly normalized: string | null;
}
