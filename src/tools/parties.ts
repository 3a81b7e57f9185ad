import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import type { Facts, Snapshot } from "../store/facts.ts";

/** Who an address is, as far as labels say. */
export interface Party {
  readonly label: string | null;
  /** Categories, most trusted first. */
  readonly tags: string[] | null;
}

export const UNKNOWN_PARTY: Party = { label: null, tags: null };

/** The most trusted label and all categories of addresses; an address without a label is absent. */
export const labelsOf = async (
  facts: Facts,
  snapshot: Snapshot,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> => {
  const known = [...new Set(addresses)].filter((address) => address !== "").sort();
  if (known.length === 0) return new Map();
  const rows = await facts.ask(snapshot, "labels_among", { addresses: known });
  const parties = new Map<Hex, { label: string; tags: string[] }>();
  for (const { address, label, category } of rows) {
    const party = parties.get(address) ?? { label, tags: [] };
    if (category !== "" && !party.tags.includes(category)) party.tags.push(category);
    parties.set(address, party);
  }
  return new Map(
    [...parties].map(([address, { label, tags }]) => [address, { label, tags: tags.length === 0 ? null : tags }]),
  );
};

/** An address as shown. The void ('') is written as the address of zeros that token contracts use for it. */
export const formatParty = (chain: Chain, party: Hex, sibling: Hex): string =>
  chain.formatAddress(party === "" ? "0".repeat(sibling.length) : party);
