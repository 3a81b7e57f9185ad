import type { Role } from "../../../knowledge/protocol_row.ts";
import { type PackLabel, packLabel } from "../../../labels/pack/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { type ContractName, contractAt } from "../../../protocols/contracts.ts";

/** A label of an address from the operator, a list or an importer. */
export interface AssignedLabel {
  readonly entity: string | null;
  readonly label: string | null;
  readonly tags: readonly string[] | null;
}

export type NameOf = (address: Hex) => ContractName | null;

/** Categories of parties that are no protocol, whatever their names. */
const NO_PROTOCOL: readonly string[] = [
  ...["exchange", "fund", "market_maker", "miner_validator", "oracle", "smart_account", "stablecoin_contract"],
  ...["sanctioned", "scam", "exploit", "ponzi", "burn", "mixer"],
];

const ROLES: Readonly<Record<string, Role>> = { dex: "router", bridge: "bridge" };

const alphanumericsOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Compares names regardless of their spelling: `LI.FI`, `LiFi`. */
export const isSameName = (a: string, b: string): boolean => alphanumericsOf(a) === alphanumericsOf(b);

const versionIn = (label: string): string | null => /\bv(\d+)\b/i.exec(label)?.[0].toLowerCase() ?? null;

/** Some entities contain the version: `Uniswap v2`. */
const named = (entity: string, label: string, category: string): ContractName | null => {
  if (NO_PROTOCOL.includes(category)) return null;
  const found = /^(.+) (v\d+)$/i.exec(entity);
  const version = found?.[2]?.toLowerCase() ?? versionIn(label);
  return { name: found?.[1] ?? entity, version, role: ROLES[category] ?? "market" };
};

const ofPack = ({ entity, label, category }: PackLabel): ContractName | null => named(entity, label, category);

const ofAssignedLabel = ({ entity, label, tags }: AssignedLabel): ContractName | null =>
  entity === null ? null : named(entity, label ?? "", tags?.[0] ?? "");

/**
 * The protocol of a contract: by the labels of this instance, else by the list of known contracts, else by the label
 * pack. Null without any of them.
 */
export const protocolAt = (network: string, address: Hex, given: AssignedLabel | null): ContractName | null => {
  const named = given === null ? null : ofAssignedLabel(given);
  // The pack is among the labels too, and adds nothing there.
  const own = named === null || given?.entity === packLabel(network, address)?.entity ? null : named;
  const listed = contractAt(network, address);
  // The list has more details about the same owner: version and part.
  if (own !== null) return listed !== null && isSameName(own.name, listed.name) ? listed : own;
  if (listed !== null) return listed;
  const packed = packLabel(network, address);
  return packed === null ? null : ofPack(packed);
};
