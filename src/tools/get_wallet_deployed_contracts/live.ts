import { readImplementation } from "../../analysis/account_code.ts";
import { type Bytes, type Hex, keccak256, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Row } from "../../store/facts.ts";
import type { Place } from "../token_faces.ts";

export type Found = Row<"get_wallet_deployed_contracts/rows">;

/** What a node says of a contract at the snapshot's block. */
export interface Live {
  readonly code: Bytes;
  readonly is_proxy: boolean;
}

/** By address; empty when no node answers. */
export const readLive = async (place: Place, addresses: readonly Hex[]): Promise<ReadonlyMap<Hex, Live>> => {
  const { chain, snapshot, signal } = place;
  const at = snapshot.block.number;
  const read = async (address: Hex): Promise<readonly [Hex, Live]> => {
    const { code } = await chain.account(address, signal, at);
    const implementation = await readImplementation({ chain, address, code, at, signal });
    return [address, { code, is_proxy: implementation !== null }];
  };
  try {
    return new Map(await Promise.all([...new Set(addresses)].map(read)));
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return new Map();
    throw error;
  }
};

/** Hash of the code that a creation left: from the index, or of the code that still stands there. */
export const codeHashOf = (found: Found, live: ReadonlyMap<Hex, Live>): Hex | null => {
  if (found.code_hash !== "") return found.code_hash;
  const code = found.is_replaced === 1 ? undefined : live.get(found.address)?.code;
  return code === undefined || code.length === 0 ? null : toHex(keccak256(code));
};

export const isDestroyed = (found: Found, live: ReadonlyMap<Hex, Live>): boolean | null => {
  if (found.is_replaced === 1) return true;
  const state = live.get(found.address);
  return state === undefined ? null : state.code.length === 0;
};

export interface Census {
  readonly countOf: (hash: Hex) => number;
  readonly distinct_code: number;
  readonly destroyed: number;
}

/** Counts over every contract; null when a node would have to be asked for more codes than one call may read. */
export const takeCensus = (all: readonly Found[] | null, live: ReadonlyMap<Hex, Live>): Census | null => {
  if (all === null || live.size === 0) return null;
  const counts = new Map<Hex, number>();
  for (const found of all) {
    const hash = codeHashOf(found, live);
    if (hash !== null) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return {
    countOf: (hash) => counts.get(hash) ?? 0,
    distinct_code: counts.size,
    destroyed: all.filter((found) => isDestroyed(found, live) === true).length,
  };
};
