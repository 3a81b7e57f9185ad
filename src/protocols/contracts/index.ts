import { type Hex, hex } from "../../lib/bytes.ts";
import { BRIDGE_CONTRACTS } from "./bridges.ts";
import { COMMUNITIES } from "./communities.ts";
import type { ContractGroup, ContractName, WrittenGroup } from "./contract.ts";
import { EMISSIONS } from "./emissions.ts";
import { EXCHANGES } from "./exchanges.ts";
import { MARKETS } from "./markets.ts";
import { PARTS } from "./parts.ts";
import { ROUTERS } from "./routers.ts";

const WRITTEN: readonly WrittenGroup[] = [
  ...EXCHANGES,
  ...ROUTERS,
  ...BRIDGE_CONTRACTS,
  ...MARKETS,
  ...COMMUNITIES,
  ...EMISSIONS,
  ...PARTS,
];

/** Every contract known by its address. A fork, or a deployment on another network, is an entry. */
export const CONTRACTS: readonly ContractGroup[] = WRITTEN.map((group) => ({
  ...group,
  at: Object.fromEntries(Object.entries(group.at).map(([network, addresses]) => [network, addresses.map(hex)])),
}));

const EVERYWHERE = "evm";

const byPlace = new Map<string, ContractName>(
  CONTRACTS.flatMap(({ name, version, role, at }) =>
    Object.entries(at).flatMap(([network, addresses]) =>
      addresses.map((address) => [`${network}:${address}`, { name, version, role }] as const),
    ),
  ),
);

/** Whose contract stands at an address of an EVM network; null when it is not listed. */
export const contractAt = (network: string, address: Hex): ContractName | null =>
  byPlace.get(`${network}:${address}`) ?? byPlace.get(`${EVERYWHERE}:${address}`) ?? null;
