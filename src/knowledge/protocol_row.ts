import type { Hex } from "../lib/bytes.ts";

/** What `knowledge/protocols/<name>.yaml` says of one protocol, in the forms that its readers take. */

export type ActType = "supply" | "withdraw" | "borrow" | "repay" | "liquidation";
/** `t1`..`t3` an indexed field, `w0`.. a word of the data. */
export type FieldPlace = `t${1 | 2 | 3}` | `w${number}`;

interface TokenSide {
  readonly token: FieldPlace;
  readonly amount: FieldPlace;
}

/** An event that changes a position. */
export interface PositionEvent {
  readonly name: string;
  readonly source: string;
  readonly event: string;
  readonly kind: "lend" | "unlend" | "borrow" | "repay";
  readonly topics: number;
  readonly words: number;
  /** Topics that name the asset and the account whose position it is. */
  readonly asset: number;
  readonly account: number;
  /** Word of the data that holds the amount. */
  readonly amount: number;
}

/** An event as the act of an account. */
export interface ActEvent {
  readonly event: string;
  readonly source: string;
  readonly type: ActType;
  readonly protocol: string;
  readonly topics: number;
  readonly words: number;
  readonly actor: FieldPlace;
  readonly given?: readonly TokenSide[];
  readonly received?: readonly TokenSide[];
}

/** Signatures that mean the same act. */
export interface ActSignatures {
  readonly type: ActType;
  readonly protocol: null;
  readonly events?: readonly string[];
  readonly functions?: readonly string[];
  readonly actor?: FieldPlace;
}

export interface KnownContracts {
  readonly name: string;
  readonly version: string | null;
  readonly role: "market";
  readonly at: Readonly<Record<string, readonly string[]>>;
}

export interface KnownLabel {
  readonly label: string;
  readonly category: string;
  readonly entity: string;
  readonly evidence: string;
  readonly at: Readonly<Record<string, Hex>>;
}

export type ProtocolMark = readonly [name: string, events: readonly string[]];
