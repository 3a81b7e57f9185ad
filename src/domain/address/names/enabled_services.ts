import type { BlockRef, Chain } from "../../../chains/chain.ts";
import type { ChainNames } from "../../../chains/chain_names.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { CallContext } from "../../context.ts";
import type { GatewayClient } from "./ccip.ts";
import { deployedUniversal } from "./deployed_universal.ts";
import { gatewaysOver } from "./gateways.ts";
import {
  CHAIN_SERVICES,
  chainServiceOf,
  isUnstoppable,
  REGISTRY_SERVICES,
  type RegistryService,
  servicesOf,
  UNSTOPPABLE_READERS,
} from "./name_services.ts";
import type { EnsReader } from "./records.ts";
import type { UnstoppableReader } from "./unstoppable.ts";

/** A name service on an enabled network, before its first call. */
export type NameService =
  | {
      readonly kind: "registry";
      readonly chain: Chain;
      readonly registry: Hex;
      readonly universal_resolver: Hex | null;
      readonly service: RegistryService;
    }
  | { readonly kind: "unstoppable"; readonly chain: Chain; readonly proxy: Hex }
  | { readonly kind: "accounts"; readonly chain: Chain; readonly names: ChainNames };

/** A name service at one block. */
export type PinnedNameService = { readonly block: BlockRef } & (
  | {
      readonly kind: "registry";
      readonly service: RegistryService;
      readonly reader: EnsReader & { readonly chain: Chain };
    }
  | { readonly kind: "unstoppable"; readonly reader: UnstoppableReader }
  | { readonly kind: "accounts"; readonly reader: AccountNames }
);

/** Names in accounts of a network, read at one block. */
export interface AccountNames {
  readonly chain: Chain;
  readonly names: ChainNames;
  readonly at: number;
  readonly signal: AbortSignal;
}

export type ServiceId = RegistryService["service"] | "unstoppable" | ChainNames["service"];

/** Networks with an ENS-like registry for other names than ENS. */
const OTHER_REGISTRIES: readonly string[] = ["linea", "berachain"];

const registryServices = (service: RegistryService, context: CallContext): readonly NameService[] => {
  const ids = service.network === null ? context.networks : context.networks.filter((id) => id === service.network);
  for (const id of ids) {
    const chain = context.chain(id);
    const own = service.registry === null && !OTHER_REGISTRIES.includes(id) ? chain.network.ens : null;
    const registry = service.registry ?? own?.registry ?? null;
    const universal_resolver = own?.universal_resolver ?? null;
    if (registry !== null) return [{ kind: "registry", chain, registry, universal_resolver, service }];
  }
  return [];
};

/** Every available service; with a `network`, only those on it. */
export const nameServicesOf = (context: CallContext, network: string | null): readonly NameService[] => {
  const registries = REGISTRY_SERVICES.flatMap((service) => registryServices(service, context));
  const unstoppable = UNSTOPPABLE_READERS.filter(([id]) => context.networks.includes(id)).map(
    ([id, proxy]): NameService => ({ kind: "unstoppable", chain: context.chain(id), proxy }),
  );
  const accounts = CHAIN_SERVICES.flatMap(({ networks }) => networks)
    .filter((id) => context.networks.includes(id))
    .flatMap((id): readonly NameService[] => {
      const chain = context.chain(id);
      return chain.names === undefined ? [] : [{ kind: "accounts", chain, names: chain.names }];
    });
  return [...registries, ...unstoppable, ...accounts].filter(
    ({ chain }) => network === null || chain.network.id === network,
  );
};

/** The services that may have a name, most specific first. */
export const nameServicesFor = (name: string, doors: readonly NameService[]): readonly NameService[] => {
  const services = servicesOf(name);
  const kept = chainServiceOf(name);
  return doors.filter((door) => {
    if (door.kind === "accounts") return door.names.service === kept?.service;
    return door.kind === "registry" ? services.includes(door.service) : services.length === 0 && isUnstoppable(name);
  });
};

/** The services that may have a name for an address of `chain`: those of networks with its address format. */
export const nameServicesOfAddress = (
  { chain, address }: { readonly chain: Chain; readonly address: Hex },
  doors: readonly NameService[],
): readonly NameService[] => {
  const text = chain.formatAddress(address);
  return doors.filter((door) => door.chain.parseAddress(text) !== null);
};

export const serviceOf = (door: NameService | PinnedNameService): ServiceId => {
  if (door.kind === "registry") return door.service.service;
  if (door.kind === "unstoppable") return "unstoppable";
  return ("names" in door ? door : door.reader).names.service;
};

const heads = new WeakMap<CallContext, Map<Chain, Promise<BlockRef>>>();

/** One block per network and call, so that a whole answer has one block. */
const headOf = (chain: Chain, context: CallContext): Promise<BlockRef> => {
  const known = heads.get(context) ?? new Map<Chain, Promise<BlockRef>>();
  heads.set(context, known);
  const head = known.get(chain) ?? chain.head(context.signal);
  known.set(chain, head);
  return head;
};

/** Fixes the block for reading a service. */
export const pinNameService = async (door: NameService, context: CallContext): Promise<PinnedNameService> => {
  const { chain } = door;
  const { signal } = context;
  const block = await headOf(chain, context);
  if (door.kind === "unstoppable") {
    return { kind: "unstoppable", block, reader: { chain, proxy: door.proxy, at: block.number, signal } };
  }
  if (door.kind === "accounts") {
    return { kind: "accounts", block, reader: { chain, names: door.names, at: block.number, signal } };
  }
  const gateway: GatewayClient | null = gatewaysOver(context.operator.web, signal);
  const { registry, service } = door;
  const at = { at: block.number, signal };
  const universal_resolver = await deployedUniversal(chain, door.universal_resolver, at);
  const reader = { chain, registry, universal_resolver, reverse: service.reverse, ...at, gateway };
  return { kind: "registry", block, service, reader };
};

/** Reason why a name's ending cannot be resolved with these networks; null when it can. */
export const refusalOfEnding = (
  name: string,
  { networks, network }: { readonly networks: readonly string[]; readonly network: string | null },
): string | null => {
  const ending = name.split(".").at(-1) ?? "";
  const services = servicesOf(name);
  const homes: readonly (string | null)[] =
    chainServiceOf(name)?.networks ??
    (services.length > 0
      ? services.map((service) => service.network)
      : isUnstoppable(name)
        ? UNSTOPPABLE_READERS.map(([id]) => id)
        : []);
  if (homes.length === 0) return `names that end in '.${ending}' belong to no name service that is read here.`;
  const open = homes.filter((home) => home === null || networks.includes(home));
  if (open.length === 0)
    return `names that end in '.${ending}' are kept on ${homes.join(", ")}, which is not enabled here.`;
  if (network === null || open.some((home) => home === null || home === network)) return null;
  return `names that end in '.${ending}' are not kept on ${network}.`;
};
