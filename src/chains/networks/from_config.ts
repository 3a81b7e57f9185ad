import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { ADDRESSES } from "../addresses.ts";
import type { Family, Network } from "../chain.ts";
import { TRON_FACTS } from "./define.ts";
import { networkById } from "./index.ts";

/** Addresses are in the form of the family; on EVM also bare hex. An omitted field keeps what is known about the network. */
export interface NetworkSettings {
  readonly id: string;
  readonly family?: Family | undefined;
  readonly name?: string | undefined;
  readonly chain_id?: number | undefined;
  readonly native?: { readonly symbol: string; readonly decimals: number } | undefined;
  readonly wrapped_native?: string | null | undefined;
  readonly stablecoins?:
    | readonly { readonly symbol: string; readonly address: string; readonly peg?: string | undefined }[]
    | undefined;
  readonly freezes?:
    | readonly {
        readonly symbol: string;
        readonly address: string;
        readonly families: readonly string[];
        readonly decimals?: number | null | undefined;
        readonly start_block?: number | null | undefined;
      }[]
    | undefined;
  readonly finality_blocks?: number | undefined;
  readonly block_seconds?: number | undefined;
  readonly multicall?: string | null | undefined;
  readonly ens?:
    | { readonly registry: string; readonly universal_resolver?: string | null | undefined }
    | null
    | undefined;
}

/** CAIP-2 (chainagnostic.org). */
const CAIP2_NAMESPACES: Readonly<Record<Family, string>> = { evm: "eip155", tron: "tron", solana: "solana" };
const FINALITY_BLOCKS_DEFAULT = 64;
const BLOCK_SECONDS_DEFAULT = 12;

const refuse = (id: string, problem: string): never => {
  const message = `Network "${id}": ${problem}.`;
  throw new AssayError({ code: "CONFIG_INVALID", message, public: message });
};

/**
 * A known network with some of its facts replaced, or any other chain of a family (which needs `chain_id` and
 * `native`).
 * @throws AssayError CONFIG_INVALID if a field is missing or is no address
 */
export const networkFromConfig = (settings: NetworkSettings): Network => {
  const { id } = settings;
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(id)) refuse(id, "an id is a lower-case word of at most 32 characters");
  const known = networkById(id);
  const plain = known ?? unknownNetwork(settings);
  if (settings.chain_id !== undefined && settings.chain_id !== plain.chain_id)
    refuse(id, `chain_id is ${plain.chain_id}; another chain needs another id`);
  if (settings.family !== undefined && settings.family !== plain.family)
    refuse(id, `family is ${plain.family}; another chain needs another id`);
  const address = (text: string) => addressIn(plain, text);
  const pick = (setting: string | null | undefined, known: Hex | null): Hex | null =>
    setting === undefined ? known : setting === null ? null : address(setting);
  return {
    ...plain,
    name: settings.name ?? plain.name,
    native: settings.native ?? plain.native,
    wrapped_native: pick(settings.wrapped_native, plain.wrapped_native),
    stablecoins:
      settings.stablecoins?.map((coin) => ({
        symbol: coin.symbol,
        address: address(coin.address),
        peg: coin.peg ?? "USD",
      })) ?? plain.stablecoins,
    ...(settings.freezes === undefined
      ? {}
      : {
          freezes: settings.freezes.map((coin) => ({
            symbol: coin.symbol,
            address: address(coin.address),
            families: coin.families,
            decimals: coin.decimals ?? null,
            start_block: coin.start_block ?? null,
          })),
        }),
    finality_blocks: settings.finality_blocks ?? plain.finality_blocks,
    block_seconds: settings.block_seconds ?? plain.block_seconds,
    multicall: pick(settings.multicall, plain.multicall),
    ens: ensOf(settings, plain),
  };
};

const unknownNetwork = (settings: NetworkSettings): Network => {
  const { id, chain_id, native } = settings;
  if (chain_id === undefined || !Number.isSafeInteger(chain_id) || chain_id < 1)
    return refuse(id, "a network that is not known by name needs its chain_id");
  if (native === undefined)
    return refuse(id, 'a network that is not known by name needs native: {"symbol", "decimals"}');
  const family = settings.family ?? "evm";
  return {
    id,
    name: settings.name ?? id,
    family,
    chain_id,
    caip2: `${CAIP2_NAMESPACES[family]}:${chain_id}`,
    native,
    wrapped_native: null,
    stablecoins: [],
    finality_blocks: FINALITY_BLOCKS_DEFAULT,
    block_seconds: BLOCK_SECONDS_DEFAULT,
    multicall: null,
    ens: null,
    ...(family === "tron" ? TRON_FACTS : {}),
  };
};

/** Bytes of an address of the configuration. @throws AssayError CONFIG_INVALID */
export const addressIn = ({ id, family }: Pick<Network, "id" | "family">, text: string): Hex =>
  ADDRESSES[family].parseAddress(family === "evm" && !text.startsWith("0x") ? `0x${text}` : text) ??
  refuse(id, `"${text}" is no address`);

const ensOf = ({ ens }: NetworkSettings, plain: Network): Network["ens"] => {
  if (ens === undefined) return plain.ens;
  if (ens === null) return null;
  const { universal_resolver: resolver } = ens;
  const registry = addressIn(plain, ens.registry);
  // Left out beside the network's own registry, it is the network's own.
  const usual = registry === plain.ens?.registry ? plain.ens.universal_resolver : null;
  if (resolver === undefined) return { registry, universal_resolver: usual };
  return { registry, universal_resolver: resolver === null ? null : addressIn(plain, resolver) };
};
