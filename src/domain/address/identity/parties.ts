import type { Chain } from "../../../chains/chain.ts";
import { type Bytes, EMPTY, type Hex, padHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { Facts, QueryRow, Snapshot } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import { delegateOf } from "../code/account_code.ts";
import { primaryNames } from "../names/primary_names.ts";

/** Identity of an address by labels. */
export interface Party {
  readonly label: string | null;
  /** Categories, most trusted first. */
  readonly tags: string[] | null;
  /** Its owner. */
  readonly entity: string | null;
  /** The list or rule of the label; `ens` or `sns` for a verified name. */
  readonly source: string | null;
}

export const UNKNOWN_PARTY: Party = { label: null, tags: null, entity: null, source: null };

/** A party as answers show it next to its address. */
export interface ShownParty {
  label: string | null;
  category: string | null;
  label_source: string | null;
}

/** The label, the most trusted category and its source; all null for an unknown address. */
export const shownParty = ({ label, tags, source }: Party = UNKNOWN_PARTY): ShownParty => ({
  label,
  category: tags?.[0] ?? null,
  label_source: source,
});

interface PartyLabelRow {
  readonly source?: string;
  readonly address: Hex;
  readonly label: string;
  readonly category: string;
  readonly entity: string;
}

/** Identities of addresses by their labels, the most certain first. */
export const partiesIn = (rows: readonly PartyLabelRow[]): ReadonlyMap<Hex, Party> => {
  const parties = new Map<Hex, { label: string; tags: string[]; entity: string | null; source: string | null }>();
  for (const { address, label, category, entity, source = null } of rows) {
    const party = parties.get(address) ?? { label, tags: [], entity: null, source };
    if (entity !== "") party.entity ??= entity;
    if (category !== "" && !party.tags.includes(category)) party.tags.push(category);
    parties.set(address, party);
  }
  return new Map(
    [...parties].map(([address, { label, tags, entity, source }]) => [
      address,
      { label, tags: tags.length === 0 ? null : tags, entity, source },
    ]),
  );
};

/** Labels of addresses, the most certain first. */
export const labelRowsOf = async (
  facts: Facts,
  snapshot: Snapshot,
  addresses: readonly Hex[],
): Promise<readonly QueryRow<"labels_among">[]> => {
  const known = [...new Set(addresses)].filter((address) => address !== "").sort();
  return known.length === 0 ? [] : facts.ask(snapshot, "labels_among", { addresses: known });
};

/** The most trusted label and all categories of addresses; an address without a label is absent. */
export const labelsOf = async (
  facts: Facts,
  snapshot: Snapshot,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> => partiesIn(await labelRowsOf(facts, snapshot, addresses));

/**
 * Adds names of addresses without a label: a list's label takes precedence over a name, which owners choose themselves.
 * @param shown addresses of the answer
 */
export const withNames = async (
  scope: Pick<SnapshotContext, "chain" | "signal">,
  parties: ReadonlyMap<Hex, Party>,
  shown: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> => {
  const open = shown.filter((address) => (parties.get(address)?.label ?? null) === null);
  const names = open.length === 0 ? new Map() : await primaryNames(scope, open);
  const named = [...names].map(([address, { name, source }]): readonly [Hex, Party] => {
    return [address, { ...(parties.get(address) ?? UNKNOWN_PARTY), label: name, source }];
  });
  return new Map([...parties, ...named]);
};

/** Identities of addresses by labels, or by their own names without one. */
export const namedParties = async (
  scope: SnapshotContext,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> =>
  withNames(scope, await labelsOf(scope.facts, scope.snapshot, addresses), addresses);

/** An address as shown. The void ('') is written as the zero address of token contracts. */
export const formatParty = (chain: Chain, party: Hex, sibling: Hex): string =>
  chain.formatAddress(party === "" ? padHex("", sibling.length / 2) : party);

/** A delegating account (EIP-7702) is no contract. */
const isContractCode = (code: Bytes): boolean => code.length > 0 && delegateOf(code) === null;

/** Which addresses have code: their creation is indexed, or a node reports it. Null without either. */
export const contractsAmong = async (
  scope: SnapshotContext,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, boolean | null>> => {
  const { facts, chain, snapshot, signal } = scope;
  const wanted = [...new Set(addresses)].filter((address) => address !== "").sort();
  if (wanted.length === 0) return new Map();
  const seen = await facts.ask(snapshot, "contracts_among", { addresses: wanted });
  const known = new Map<Hex, boolean | null>(seen.map(({ address }) => [address, true]));
  const strangers = wanted.filter((address) => !known.has(address));
  try {
    const at = await nodeStateBlock(scope);
    if (at === null) return new Map([...known, ...strangers.map((address) => [address, null] as const)]);
    const states = await Promise.all(strangers.map((address) => chain.account(address, signal, at)));
    for (const [i, address] of strangers.entries()) known.set(address, isContractCode(states[i]?.code ?? EMPTY));
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    for (const address of strangers) known.set(address, null);
  }
  return known;
};
