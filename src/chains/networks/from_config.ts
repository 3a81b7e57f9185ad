import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Network } from "../chain.ts";
import { parseAddress } from "../evm/address.ts";
import { defineEvm } from "./define.ts";
import { networkById } from "./index.ts";

/** Addresses are `0x…` in any case, or bare hex. An omitted field keeps what is known about the network. */
export interface NetworkSettings {
  readonly id: string;
  readonly family?: "evm" | undefined;
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

const FINALITY_BLOCKS_DEFAULT = 64;
const BLOCK_SECONDS_DEFAULT = 12;

const refuse = (id: string, problem: string): never => {
  const message = `Network "${id}": ${problem}.`;
  throw new AssayError({ code: "CONFIG_INVALID", message, public: message });
};

/**
 * A known network with some of its facts replaced, or any other EVM chain (which needs `chain_id` and `native`).
 * @throws AssayError CONFIG_INVALID when a field is missing or is no address.
 */
export const networkFromConfig = (settings: NetworkSettings): Network => {
  const { id } = settings;
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(id)) refuse(id, "an id is a lower-case word of at most 32 characters");
  const known = networkById(id);
  const plain = known ?? unknownNetwork(settings);
  if (settings.chain_id !== undefined && settings.chain_id !== plain.chain_id)
    refuse(id, `chain_id is ${plain.chain_id}; another chain needs another id`);
  return defineEvm({
    ...plain,
    name: settings.name ?? plain.name,
    native: settings.native ?? plain.native,
    wrapped_native: pick(id, settings.wrapped_native, plain.wrapped_native),
    stablecoins:
      settings.stablecoins?.map((coin) => ({
        symbol: coin.symbol,
        address: address(id, coin.address),
        peg: coin.peg ?? "USD",
      })) ?? plain.stablecoins,
    ...(settings.freezes === undefined
      ? {}
      : {
          freezes: settings.freezes.map((coin) => ({
            symbol: coin.symbol,
            address: address(id, coin.address),
            families: coin.families,
            decimals: coin.decimals ?? null,
            start_block: coin.start_block ?? null,
          })),
        }),
    finality_blocks: settings.finality_blocks ?? plain.finality_blocks,
    block_seconds: settings.block_seconds ?? plain.block_seconds,
    multicall: pick(id, settings.multicall, plain.multicall),
    ens: ensOf(settings, plain),
  });
};

const unknownNetwork = (settings: NetworkSettings): Network => {
  const { id, chain_id, native } = settings;
  if (chain_id === undefined || !Number.isSafeInteger(chain_id) || chain_id < 1)
    return refuse(id, "a network that is not known by name needs its chain_id");
  if (native === undefined)
    return refuse(id, 'a network that is not known by name needs native: {"symbol", "decimals"}');
  return defineEvm({
    id,
    name: settings.name ?? id,
    chain_id,
    native,
    wrapped_native: null,
    stablecoins: [],
    finality_blocks: FINALITY_BLOCKS_DEFAULT,
    block_seconds: BLOCK_SECONDS_DEFAULT,
    multicall: null,
  });
};

const address = (id: string, text: string): Hex =>
  parseAddress(text.startsWith("0x") ? text : `0x${text}`) ?? refuse(id, `"${text}" is no address`);

const pick = (id: string, setting: string | null | undefined, known: Hex | null): Hex | null => {
  if (setting === undefined) return known;
  return setting === null ? null : address(id, setting);
};

const ensOf = ({ id, ens }: NetworkSettings, plain: Network): Network["ens"] => {
  if (ens === undefined) return plain.ens;
  if (ens === null) return null;
  return { registry: address(id, ens.registry), universal_resolver: pick(id, ens.universal_resolver, null) };
};
