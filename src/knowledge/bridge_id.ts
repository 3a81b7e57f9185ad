import type { FieldPosition } from "./protocol_row.ts";

/** A field of an event, or `w2@36:32`: bytes of the dynamic parameter at that word, from where on and how many. */
export type StatedField = FieldPosition | `w${number}@${number}:${number}`;

/** An event of one side of a crossing. */
export interface BridgeIdSide {
  readonly is_arrival: boolean;
  readonly event: string;
  readonly topics: number;
  /** Words of data that the log has at least. */
  readonly words: number;
  /** Equal on both sides of one crossing; `network` is the number of the network that logged. */
  readonly id: readonly (StatedField | "network")[];
  /** Number of the other side's network. */
  readonly other_network?: StatedField;
  readonly account?: StatedField;
  readonly other_account?: StatedField;
  readonly amount?: StatedField;
}

/** A bridge whose events state an id on both sides: a row of `knowledge/bridge_ids.yaml`. */
export interface BridgeIdRow {
  readonly name: string;
  /** Names of protocols whose listed contracts may state it. */
  readonly protocols: readonly string[];
  /** The bridge's own numbers of networks; left out where it uses chain ids. */
  readonly networks?: Readonly<Record<string, number>>;
  readonly sides: readonly BridgeIdSide[];
}
