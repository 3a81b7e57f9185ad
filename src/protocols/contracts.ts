import type { KnownContracts, Role } from "../knowledge/protocol_row.ts";
import { KNOWN_CONTRACTS } from "../knowledge/protocols.gen.ts";
import type { Hex } from "../lib/bytes.ts";

export interface ContractName {
  readonly name: string;
  readonly version: string | null;
  readonly role: Role;
}

/** Every contract known by its address, as `knowledge/protocols` lists it. */
export const CONTRACTS: readonly KnownContracts[] = KNOWN_CONTRACTS;

const EVERYWHERE = "evm";

const byPlace = new Map<string, ContractName>(
  CONTRACTS.flatMap(({ name, version, role, at }) =>
    Object.entries(at).flatMap(([network, addresses]) =>
      addresses.map((address) => [`${network}:${address}`, { name, version, role }] as const),
    ),
  ),
);

/** The protocol of a contract of an EVM network; null when it is not listed. */
export const contractAt = (network: string, address: Hex): ContractName | null =>
  byPlace.get(`${network}:${address}`) ?? byPlace.get(`${EVERYWHERE}:${address}`) ?? null;

/** Whether a protocol has a listed contract on an EVM network. */
export const isListedOn = (network: string, protocol: string): boolean =>
  CONTRACTS.some(({ name, at }) => name === protocol && (network in at || EVERYWHERE in at));
