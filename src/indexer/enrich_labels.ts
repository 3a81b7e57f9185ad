import type { Network } from "../chains/chain.ts";
import { KNOWN_POOLS } from "../knowledge/protocols.gen.ts";
import { DERIVED, NETWORK_SOURCE } from "../labels/derived_labels.ts";
import { labelsFor } from "../labels/index.ts";
import { type Bytes, EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { traitsOf } from "../protocols/pool_families.ts";
import type { Venue } from "../protocols/venues.ts";
import type { LabelsRow } from "../store/tables.gen.ts";
import type { PoolsRow } from "./rows.ts";

/** Sources of labels that follow from the indexed blocks, beside those of `labels/`. */
const POOL_SOURCE = DERIVED.pools;

/** Labels are written again at every start; the same time makes the same row. */
const WRITTEN_AT = 0;

/** By the first word of a venue. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  KNOWN_POOLS.map(({ venue, entity }) => [venue.split("_")[0] ?? venue, entity]),
);

/** `uniswap_v2` -> Uniswap, `Uniswap v2`. A venue of the configuration is named by its id. */
const namesOf = (venue: string): { readonly entity: string; readonly name: string } => {
  const [first = "", ...rest] = venue.split("_");
  const entity = ENTITIES.get(first) ?? first;
  return { entity, name: [entity, ...rest].join(" ") };
};

const ADDRESS_BYTES = 20;

/** Pools that a known factory announced. */
export const poolLabelRows = (pools: readonly PoolsRow[]): readonly LabelsRow[] =>
  pools
    // A pool inside another contract has no address.
    .filter(
      ({ venue, pool, family }) =>
        venue !== "" && (pool.length === ADDRESS_BYTES || traitsOf(family)?.place === "chain"),
    )
    .map(({ network, pool, venue, tx_hash }) => {
      const { entity, name } = namesOf(venue);
      const said = { label: `${name} pool`, category: "dex", entity, confidence: 1 };
      return row(network, pool, { ...said, source: POOL_SOURCE, evidence: `0x${toHex(tx_hash)}` });
    });

/** Labels of a network from the start: sources of `labels/`, its listed coins, its factories. */
export const networkLabelRows = (network: Network, venues: ReadonlyMap<Hex, Venue>): readonly LabelsRow[] => {
  const listed = { source: NETWORK_SOURCE, confidence: 1, evidence: "the network's list in this project" };
  const coins = network.stablecoins.map(({ symbol, address }) =>
    row(network.id, bytesOf(address), { ...listed, label: symbol, category: "stablecoin_contract", entity: "" }),
  );
  const wrapped = network.wrapped_native === null ? [] : [bytesOf(network.wrapped_native)];
  const native = wrapped.map((address) =>
    row(network.id, address, {
      ...listed,
      label: `Wrapped ${network.native.symbol}`,
      category: "token_contract",
      entity: "",
    }),
  );
  const burns = (network.burn_addresses ?? []).map((address) =>
    row(network.id, bytesOf(address), { ...listed, label: "Burn address", category: "burn", entity: "" }),
  );
  const factories = [...venues.values()].map(({ factory, venue, family }) => {
    const { entity, name } = namesOf(venue);
    return row(network.id, bytesOf(factory), {
      ...listed,
      label: `${name} ${traitsOf(family)?.role ?? "factory"}`,
      category: "dex",
      entity,
    });
  });
  const vaults = [...venues.values()].flatMap(({ vaults: address, venue }) => {
    const { entity, name } = namesOf(venue);
    const said = { ...listed, label: `${name} vaults`, category: "dex", entity };
    return address === undefined ? [] : [row(network.id, bytesOf(address), said)];
  });
  // Rows that hold on every network are stored under each one, so that queries name one network only.
  const sources = labelsFor(network.id).map(({ network: _, address, ...said }) =>
    row(network.id, bytesOf(address), said),
  );
  return [...sources, ...burns, ...coins, ...native, ...factories, ...vaults];
};

const bytesOf = (address: Hex): Bytes => fromHex(address) ?? EMPTY;

const row = (
  network: string,
  address: Bytes,
  said: Pick<LabelsRow, "source" | "label" | "category" | "entity" | "confidence" | "evidence">,
): LabelsRow => ({ network, address, ...said, licence: "", published_on: "", valid_from: 0, written_at: WRITTEN_AT });
