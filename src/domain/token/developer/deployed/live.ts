import { type Bytes, EMPTY, type Hex, keccak256, toHex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import { readImplementation } from "../../../address/code/account_code.ts";
import type { SnapshotContext } from "../../../context.ts";
import type { Deployment } from "./read.ts";

/** State of a contract at the snapshot's block, from a node. */
export interface LiveContract {
  readonly code: Bytes;
  /** Null where contracts run no code of others. */
  readonly is_proxy: boolean | null;
  /** Null where the state does not show it: a program without code is still an account. */
  readonly is_gone: boolean | null;
}

/** Maps addresses to states; empty when no node answers. */
export const readLive = async (
  scope: SnapshotContext,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, LiveContract>> => {
  const { chain, snapshot, signal } = scope;
  const at = snapshot.block.number;
  const read = async (address: Hex): Promise<readonly [Hex, LiveContract]> => {
    if (!chain.can.contract_calls) return [address, await readDescribedState(scope, address)];
    const { code } = await chain.account(address, signal, at);
    const implementation = await readImplementation({ chain, address, code, at, signal });
    return [address, { code, is_proxy: implementation !== null, is_gone: code.length === 0 }];
  };
  try {
    return new Map(await Promise.all([...new Set(addresses)].map(read)));
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return new Map();
    throw error;
  }
};

/** Where contracts answer no calls, an account's code is not what it runs, and tokens have no code. */
const readDescribedState = async (
  { chain, snapshot, signal }: SnapshotContext,
  address: Hex,
): Promise<LiveContract> => {
  const state = await chain.describe?.(address, signal, snapshot.block.number);
  const is_gone = state === undefined || state.kind === "program" ? null : !state.exists;
  return { code: EMPTY, is_proxy: null, is_gone };
};

/** Hash of the code that a creation left: from the index, or of the code that is still deployed. */
export const codeHashOf = (found: Deployment, live: ReadonlyMap<Hex, LiveContract>): Hex | null => {
  if (found.code_hash !== "") return found.code_hash;
  const code = found.is_replaced ? undefined : live.get(found.address)?.code;
  return code === undefined || code.length === 0 ? null : toHex(keccak256(code));
};

export const isDestroyed = (found: Deployment, live: ReadonlyMap<Hex, LiveContract>): boolean | null => {
  if (found.is_replaced) return true;
  return live.get(found.address)?.is_gone ?? null;
};

export interface Census {
  readonly countOf: (hash: Hex) => number;
  /** Null where contracts have no code to compare. */
  readonly distinct_code: number | null;
  readonly destroyed: number | null;
}

/** Counts over every contract; null when that needs more codes than one call may read. */
export const takeCensus = (all: readonly Deployment[] | null, live: ReadonlyMap<Hex, LiveContract>): Census | null => {
  if (all === null || live.size === 0) return null;
  const counts = new Map<Hex, number>();
  for (const found of all) {
    const hash = codeHashOf(found, live);
    if (hash !== null) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const fates = all.map((found) => isDestroyed(found, live));
  const has_code = [...live.values()].some(({ is_proxy }) => is_proxy !== null);
  return {
    countOf: (hash) => counts.get(hash) ?? 0,
    distinct_code: has_code ? counts.size : null,
    destroyed: fates.includes(null) ? null : fates.filter((is_gone) => is_gone === true).length,
  };
};
