import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { BlockRef, EventLog } from "./chain.ts";

/** Base units of a token; the native coin has an empty one. */
export interface HeldAmount {
  readonly token: Hex;
  readonly amount: bigint;
}

/** A log of an old block, as a node reports it. */
export interface PastLog extends EventLog {
  readonly block: number;
  readonly tx_index: number;
  readonly tx_hash: Hex;
  /** Unix seconds of its block; null where the node does not repeat it in its logs. */
  readonly time: number | null;
}

export interface PastLogsQuery {
  /** The contracts that emitted them. */
  readonly addresses: readonly Hex[];
  /** Their first topics. */
  readonly events: readonly Hex[];
  readonly from: number;
  readonly to: number;
}

export interface HistorySearch {
  readonly address: Hex;
  /** Blocks above `after` up to `to` are searched. */
  readonly after: number;
  /** The search goes on from an earlier one, which ended with `after`. */
  readonly is_followed: boolean;
  /** A final block, or one near the head where `reaches_head` says so. */
  readonly to: number;
  /** The search ends when there are more blocks; left out: it finds all. */
  readonly blocks_max?: number | undefined;
  /** Called when more blocks are known. */
  readonly onFound?: (blocks: number) => void;
}

/** The account has more blocks than its search may find. */
export class TooManyBlocks extends AssayError {
  /** Calls that the search took. */
  readonly requests: number;

  constructor(blocks_max: number, requests: number) {
    super({ code: "TOO_MANY_BLOCKS", message: `it has more than ${blocks_max} blocks` });
    this.requests = requests;
  }
}

/** `requests`: calls that the search took so far. @throws TooManyBlocks */
export const checkBlocks = (
  found: number,
  { blocks_max }: Pick<HistorySearch, "blocks_max">,
  requests: number,
): void => {
  if (blocks_max !== undefined && found > blocks_max) throw new TooManyBlocks(blocks_max, requests);
};

/** The blocks that concern an account. */
export interface FoundHistory {
  /** Ascending. */
  readonly blocks: readonly number[];
  /** Blocks above this one were searched, because nodes may list late; omitted: above `after`. */
  readonly again_after?: number;
  /** A later final block that the search reached; omitted: it ended with `to`. */
  readonly reached?: BlockRef;
  /** First block of which nodes know the account's history; null if they know it from `after` on. */
  readonly lost_before: number | null;
  /** Its holdings after `after`, or before the first block that is known. Zeros may be omitted. */
  readonly openings: readonly HeldAmount[];
  /** Its holdings after `to`, or `reached`, by the node: the sums of its movements must equal them. */
  readonly ends: readonly HeldAmount[];
  /** Nothing can be missing between `after`, or `lost_before`, and `to`. */
  readonly is_proven: boolean;
  /** It is proven only if the sums of its movements equal `ends`. */
  readonly needs_sums?: boolean;
  /** Calls that this took. */
  readonly requests: number;
}

/** An account whose history is known up to block `after`. */
export interface KnownAccount {
  readonly address: Hex;
  readonly after: number;
  /** Its state after that block, as an earlier look returned it. */
  readonly mark: string | null;
  /** Near the head a node may lack the newest logs: a look includes those above this block again, except those in known blocks. */
  readonly again?: { readonly after: number; readonly known: readonly number[] };
}

/** Nothing that concerns the account happened in the blocks of a look. */
export interface UnchangedAccount {
  /** Its state after the last of them. */
  readonly mark: string;
  /** As of `FoundHistory`. */
  readonly is_proven: boolean;
  /** Calls that this took. */
  readonly requests: number;
}

/** The past of single accounts as nodes know it, without an index. Each family finds it in its own way. */
export interface AccountHistory {
  /** The warning of answers about an account whose history is not proven. */
  readonly doubt: { readonly code: string; readonly message: (network: string) => string };
  /** The blocks of a token's contract are all in which someone moves the token. Omitted: a token moves in others as well. */
  readonly finds_tokens?: true;
  /** Blocks above the final one can be searched as well. Omitted: they cannot. */
  readonly reaches_head?: true;
  /** @throws AssayError UPSTREAM_UNAVAILABLE; TooManyBlocks */
  find(search: HistorySearch, signal: AbortSignal): Promise<FoundHistory>;
  /**
   * Those of many accounts that a search up to block `to` would find unchanged, by fewer requests. Omitted where one account takes no more.
   * @throws AssayError UPSTREAM_UNAVAILABLE
   */
  unchanged?(
    look: { readonly accounts: readonly KnownAccount[]; readonly to: number },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Hex, UnchangedAccount>>;
  /** Logs of some contracts in the order of the chain. `requests`: calls that this took. Omitted where contracts emit none. */
  logs?(
    asked: PastLogsQuery,
    signal: AbortSignal,
  ): Promise<{ readonly logs: readonly PastLog[]; readonly requests: number }>;
}
