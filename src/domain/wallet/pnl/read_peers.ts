import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { labelsOf, type Party } from "../../address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import { addressLists } from "./address_lists.ts";
import type { PeerKind } from "./ledger.ts";

/** Limit of peers whose code is read from a node because the index did not see their creation. */
const CODE_READS_MAX = 100;

/**
 * Contracts whose creation is indexed. When one list does not hold the wallet's peers, the engine finds them itself;
 * those of several wallets (null) are sent in several lists.
 */
const indexedContracts = async (
  { facts, snapshot }: SnapshotContext,
  wallet: Hex | null,
  peers: readonly Hex[],
): Promise<Set<Hex>> => {
  const lists = addressLists(peers);
  const found =
    wallet !== null && lists.length > 1
      ? await facts.ask(snapshot, "contract_peers", { wallet })
      : (
          await Promise.all(lists.map((part) => facts.ask(snapshot, "contracts_among", { addresses: [...part] })))
        ).flat();
  const asked = new Set(peers);
  return new Set(found.flatMap(({ address }) => (asked.has(address) ? [address] : [])));
};

/** Labels of the wallet's peers, found in the same way. */
const labelledPeers = async (
  { facts, snapshot }: SnapshotContext,
  wallet: Hex | null,
  peers: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> => {
  if (addressLists(peers).length <= 1) return labelsOf(facts, snapshot, peers);
  const among = new Set(peers);
  const found = wallet === null ? [] : await facts.ask(snapshot, "pnl/labelled_peers", { wallet });
  const labelled = found.map(({ address }) => address).filter((address) => among.has(address));
  const addresses = wallet === null ? peers : labelled;
  const parts = await Promise.all(addressLists(addresses).map((part) => labelsOf(facts, snapshot, part)));
  return new Map(parts.flatMap((part) => [...part]));
};

export interface PeerKinds {
  readonly kindOf: (address: Hex) => PeerKind;
  readonly warnings: readonly Warning[];
}

/** Kinds by label; any other label makes an address a plain counterparty. */
const KIND_OF_TAG: Readonly<Record<string, PeerKind>> = {
  exchange: "exchange",
  exchange_deposit: "exchange",
  distributor: "distributor",
  bridge: "bridge",
};

/** Counterparties of a wallet. */
export interface WalletPeers {
  readonly all: ReadonlySet<Hex>;
  /** Those that received something. */
  readonly paid: ReadonlySet<Hex>;
}

/** The addresses with code among the first `CODE_READS_MAX`; null when no node has the state of the block. */
const liveContracts = async (scope: SnapshotContext, addresses: readonly Hex[]): Promise<Hex[] | null> => {
  const { chain, signal } = scope;
  const asked = addresses.slice(0, CODE_READS_MAX);
  try {
    const at = await nodeStateBlock(scope);
    if (at === null) return null;
    const states = await Promise.all(asked.map((address) => chain.account(address, signal, at)));
    return asked.filter((_, i) => (states[i]?.code.length ?? 0) > 0);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

const unknownPeers = (count: number): readonly Warning[] =>
  count === 0
    ? []
    : [
        {
          code: "PEER_KIND_UNKNOWN",
          message: `${count} counterparties whose creation is not indexed were treated as plain accounts; tokens sent to a contract among them left with their cost.`,
        },
      ];

/**
 * Kinds of a wallet's counterparties, or of those of several wallets (null). Contracts are addresses whose creation is
 * indexed and, for those older than the index, addresses with code; only paid peers need the distinction.
 */
export const readPeers = async (
  scope: SnapshotContext,
  wallet: Hex | null,
  { all, paid }: WalletPeers,
): Promise<PeerKinds> => {
  const payees = [...paid].filter((peer) => peer !== wallet).sort();
  const [labelled, indexed] = await Promise.all([
    labelledPeers(scope, wallet, [...all].sort()),
    indexedContracts(scope, wallet, payees),
  ]);
  const kinds = new Map<Hex, PeerKind>();
  for (const [address, { tags }] of labelled) {
    kinds.set(address, (tags ?? []).map((tag) => KIND_OF_TAG[tag]).find((kind) => kind !== undefined) ?? "other");
  }
  const unknown = payees.filter((address) => !kinds.has(address) && !indexed.has(address));
  const live = await liveContracts(scope, unknown);
  const contracts = new Set([...indexed, ...(live ?? [])]);
  return {
    kindOf: (address) => kinds.get(address) ?? (contracts.has(address) ? "contract" : "other"),
    warnings: unknownPeers(live === null ? unknown.length : Math.max(0, unknown.length - CODE_READS_MAX)),
  };
};
