import type { Hex } from "../lib/bytes.ts";
import type { PoolFamily } from "./pool_families.gen.ts";

/** Rows of `knowledge/protocols` and `knowledge/acts`, in the forms that their readers take. */

/** `t1`..`t3` an indexed field, `w0`.. a word of the data. */
export type FieldPosition = `t${1 | 2 | 3}` | `w${number}`;

/**
 * The source of a value: a field, or the contract that logged (`emitter`), the account that signed the transaction (`sender`),
 * the coin (`native`), the token of which that amount came to or left the emitter (`moved`).
 */
export type FieldSource = FieldPosition | "emitter" | "sender" | "native" | "moved";

interface TokenSide {
  readonly token: FieldSource;
  readonly amount: FieldPosition;
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
export interface ActEventOf<Type extends string> {
  readonly event: string;
  /** Repository and file of the layout. */
  readonly source: string;
  readonly type: Type;
  readonly protocol: string | null;
  /** Topics that the log must have, and words of data: exactly, or at least when a part is dynamic. */
  readonly topics: number;
  readonly words: number;
  readonly is_dynamic?: boolean;
  readonly actor: FieldSource;
  readonly given?: readonly TokenSide[];
  readonly received?: readonly TokenSide[];
}

/** A token minted for the actor, or one that it gives burnt. */
export type IssueNeed = "minted" | "burnt";

/** Signatures that mean the same act. */
export interface ActSignaturesOf<Type extends string> {
  readonly type: Type;
  /** Null where contracts of several protocols have them. `Name` or `Name vN`. */
  readonly protocol: string | null;
  readonly events?: readonly string[];
  readonly functions?: readonly string[];
  /** Where its events name the account whose act it is. */
  readonly actor?: FieldPosition;
  /** Its functions are the protocol's own, however short. */
  readonly is_known?: boolean;
  /** Only where the issue of tokens is this. */
  readonly needs?: IssueNeed;
  /** Counts only at a contract of the protocol itself. */
  readonly is_own?: boolean;
  /** A more telling act of the same transaction comes first. */
  readonly is_minor?: boolean;
}

/**
 * emission: a token that only this protocol pays out as a reward; shares: a token of savings; envelope: a contract that carries out
 * calls for others; messenger: it carries messages between chains; router: trades go through it; bridge: coins leave or come
 * through it; relayer: an account that pays out for a bridge; market: everything else.
 */
export type Role = "router" | "bridge" | "relayer" | "market" | "shares" | "emission" | "envelope" | "messenger";

export interface KnownContracts {
  readonly name: string;
  readonly version: string | null;
  readonly role: Role;
  /** `evm`: the same on every network. */
  readonly at: Readonly<Record<string, readonly Hex[]>>;
}

export interface KnownLabel {
  readonly label: string;
  readonly category: string;
  readonly entity: string;
  /** Where the address was read. */
  readonly evidence: string;
  /** `''`: every network. */
  readonly network: string;
  readonly address: Hex;
}

/** A factory whose pools are of a known family. Of Balancer the vault, of Curve the registry. */
export interface KnownPools {
  readonly venue: string;
  /** In labels. */
  readonly entity: string;
  readonly family: PoolFamily;
  readonly network: string;
  readonly factory: Hex;
  /** Swap fee in millionths; null where each pool has its own. */
  readonly fee_ppm: number | null;
  /** Holds the tokens of all of its pools; left out where each pool holds its own, or the factory does. */
  readonly vaults?: Hex;
}

/** A token that is minted for a staked coin, or for another such token, and burnt when it is withdrawn. */
export interface StakingReceipt {
  readonly network: string;
  readonly token: Hex;
}

/** A market whose events do not name its asset. */
export interface LendingMarket {
  readonly market: Hex;
  /** `''` is the native coin. */
  readonly asset: Hex;
}

export type ProtocolMark = readonly [name: string, events: readonly string[]];
