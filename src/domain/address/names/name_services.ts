import { ADDRESSES } from "../../../knowledge/names.gen.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";

/** A name service that is built like ENS: a registry on one network. */
export interface RegistryService {
  readonly service: "ens" | "basenames" | "linea" | "space_id";
  /** Names right below it are registered: `base.eth`. */
  readonly top: string;
  /** Network id; null = the network whose own data names an ENS registry. */
  readonly network: string | null;
  /** Null = the one in the network's data. */
  readonly registry: Hex | null;
  /** Where addresses have their names. */
  readonly reverse: string;
}

/**
 * The longest ending first. Basenames: base/basenames README, reverse names by ENSIP-19 (coin type 0x80000000 | 8453).
 * Linea: viem's chain data. SPACE ID: its registries as its own SDK and wallets name them.
 */
export const REGISTRY_SERVICES: readonly RegistryService[] = [
  {
    service: "basenames",
    top: "base.eth",
    network: "base",
    registry: ADDRESSES.base_name_registry,
    reverse: "80002105.reverse",
  },
  {
    service: "linea",
    top: "linea.eth",
    network: "linea",
    registry: ADDRESSES.linea_name_registry,
    reverse: "addr.reverse",
  },
  { service: "ens", top: "eth", network: null, registry: null, reverse: "addr.reverse" },
  {
    service: "space_id",
    top: "bnb",
    network: "bsc",
    registry: hex("08ced32a7f3eec915ba84415e9c07a7286977956"),
    reverse: "addr.reverse",
  },
  {
    service: "space_id",
    top: "arb",
    network: "arbitrum",
    registry: hex("4a067ee58e73ac5e4a43722e008dfdf65b2bf348"),
    reverse: "addr.reverse",
  },
];

/** Endings of Unstoppable Domains. Its names may live on any of its networks. */
const UNSTOPPABLE_TOPS: readonly string[] =
  "crypto nft x wallet polygon dao 888 blockchain bitcoin go klever hi kresus anime manga binanceus".split(" ");

/** ProxyReader contracts by network id, newest home first (unstoppabledomains/uns, uns-config.json). */
export const UNSTOPPABLE_READERS: readonly (readonly [network: string, reader: Hex])[] = [
  ["base", hex("78c4b414e1abdf0de267deda01dffd4cd0817a16")],
  ["polygon", hex("91edd8708062bd4233f4dd0fce15a7cb4d500091")],
  ["ethereum", hex("578853aa776eef10cee6c4dd2b5862bdce767a8b")],
];

/** A name service that a network keeps in accounts of its own (`Chain.names`). */
export interface ChainService {
  readonly service: "sns";
  readonly tops: readonly string[];
  /** Network ids. */
  readonly networks: readonly string[];
}

export const CHAIN_SERVICES: readonly ChainService[] = [
  { service: "sns", tops: ["sns", "sol"], networks: ["solana", "demo-solana"] },
];

/** The service that keeps a name in accounts of a network; null when none does. */
export const chainServiceOf = (name: string): ChainService | null =>
  CHAIN_SERVICES.find(({ tops }) => tops.some((top) => name.endsWith(`.${top}`))) ?? null;

/** The registry services whose names end so, longest ending first. */
export const servicesOf = (name: string): readonly RegistryService[] =>
  REGISTRY_SERVICES.filter(({ top }) => name.endsWith(`.${top}`));

export const isUnstoppable = (name: string): boolean => UNSTOPPABLE_TOPS.includes(name.split(".").at(-1) ?? "");
