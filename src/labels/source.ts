import type { Hex } from "../lib/bytes.ts";

/** A label of one source for one address. Columns of the table `labels`. */
export interface Label {
  /** Network id; '' = the same on every network. */
  readonly network: string;
  readonly address: Hex;
  readonly label: string;
  /** A word of the taxonomy. */
  readonly category: string;
  /** The owner of the address; '' = unknown. */
  readonly entity: string;
  /** 0..1 */
  readonly confidence: number;
  /** Where to look it up. */
  readonly evidence: string;
}

/** A label of a list. Both fields are '' when the list states them for all rows, or not at all. */
export interface ListedLabel extends Label {
  /** SPDX ids. */
  readonly licence: string;
  /** `YYYY-MM-DD` */
  readonly published_on: string;
}

export interface LabelSource {
  readonly name: string;
  /** SPDX id, or a sentence that says why it may be used. */
  readonly licence: string;
  /** Higher wins when two sources name one address. */
  readonly rank: number;
  readonly rows: readonly Label[];
}
