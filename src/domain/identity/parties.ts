import type { Chain } from "../../chains/chain.ts";
import { type Bytes, EMPTY, type Hex, padHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Facts, Row, Snapshot } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { delegateOf } from "../contracts/account_code.ts";

/** Who an address is, as far as labels say. */
export interface Party {
  readonly label: string | null;
  /** Categories, most trusted first. */
  readonly tags: string[] | null;
  /** Who stands behind it. */
  readonly entity: string | null;
}

export const UNKNOWN_PARTY: Party = { label: null, tags: null, entity: null };

interface LabelRow {
  readonly address: Hex;
  readonly label: string;
  readonly category: string;
  readonly entity: string;
}

/** Who addresses are by their labels, the surest of each first. */
export const partiesIn = (rows: readonly LabelRow[]): ReadonlyMap<Hex, Party> => {
  const parties = new Map<Hex, { label: string; tags: string[]; entity: string | null }>();
  for (const { address, label, category, entity } of rows) {
    const party = parties.get(address) ?? { label, tags: [], entity: null };
    if (entity !== "") party.entity ??= entity;
    if (category !== "" && !party.tags.includes(category)) party.tags.push(category);
    parties.set(address, party);
  }
  return new Map(
    [...parties].map(([address, { label, tags, entity }]) => [
      address,
      { label, tags: tags.length === 0 ? null : tags, entity },
    ]),
  );
};

/** Labels of addresses, the surest of each first. */
export const labelRowsOf = async (
  facts: Facts,
  snapshot: Snapshot,
  addresses: readonly Hex[],
): Promise<readonly Row<"labels_among">[]> => {
  const known = [...new Set(addresses)].filter((address) => address !== "").sort();
  return known.length === 0 ? [] : facts.ask(snapshot, "labels_among", { addresses: known });
};

/** The most trusted label and all categories of addresses; an address without a label is absent. */
export const labelsOf = async (
  facts: Facts,
  snapshot: Snapshot,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> => partiesIn(await labelRowsOf(facts, snapshot, addresses));

/** An address as shown. The void ('') is written as the address of zeros that token contracts use for it. */
export const formatParty = (chain: Chain, party: Hex, sibling: Hex): string =>
  chain.formatAddress(party === "" ? padHex("", sibling.length / 2) : party);

/** An account that only delegates (EIP-7702) is none. */
const isContractCode = (code: Bytes): boolean => code.length > 0 && delegateOf(code) === null;

/**
 * Which addresses have code: the index saw them being created, or a node says so. Null where the index did not and no
 * node answers.
 */
export const contractsAmong = async (
  { facts, chain, snapshot, signal }: SnapshotContext,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, boolean | null>> => {
  const wanted = [...new Set(addresses)].filter((address) => address !== "").sort();
  if (wanted.length === 0) return new Map();
  const seen = await facts.ask(snapshot, "contracts_among", { addresses: wanted });
  const known = new Map<Hex, boolean | null>(seen.map(({ address }) => [address, true]));
  const strangers = wanted.filter((address) => !known.has(address));
  // Without old states the newest block has to do: code hardly ever changes.
  const at = chain.can.archive ? snapshot.block.number : undefined;
  try {
    const states = await Promise.all(strangers.map((address) => chain.account(address, signal, at)));
    for (const [i, address] of strangers.entries()) known.set(address, isContractCode(states[i]?.code ?? EMPTY));
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    for (const address of strangers) known.set(address, null);
  }
  return known;
};
