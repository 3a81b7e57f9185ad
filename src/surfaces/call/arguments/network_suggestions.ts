import { nearest } from "../../../lib/nearest.ts";
import { quoteText } from "../../http/quoted_text.ts";

/** The names of an enabled network. */
export interface NamedNetwork {
  readonly id: string;
  readonly name: string;
  readonly chain_id: number;
  readonly caip2: string;
}

/**
 * Canonical ids behind the words and numbers that people use elsewhere (chainid.network short names, CAIP-2, exchanges),
 * so that the right id can be named even when its network is not enabled here.
 */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ethereum: ["eth", "mainnet", "ethereum mainnet", "eth-mainnet", "ether", "homestead", "erc20", "1"],
  bsc: ["bnb", "binance", "bnb chain", "bnb smart chain", "binance smart chain", "bep20", "56"],
  polygon: ["matic", "pol", "137"],
  base: ["base mainnet", "8453"],
  arbitrum: ["arb", "arb1", "arbitrum one", "arbitrum-one", "42161"],
  optimism: ["op", "oeth", "op mainnet", "10"],
  avalanche: ["avax", "avalanche c-chain", "c-chain", "43114"],
  gnosis: ["xdai", "gno", "100"],
  linea: ["59144"],
  scroll: ["scr", "534352"],
  zksync: ["zksync era", "324"],
  fantom: ["ftm", "250"],
  solana: ["sol", "mainnet-beta", "spl", "solana:5eykt4usfv8p8njdtrepy1vzqkqzkvdp"],
  tron: ["trx", "trc20", "728126428"],
  demo: ["anvil", "hardhat", "localhost", "local", "31337"],
};

/** The canonical network id that `text` probably stands for, enabled or not. Null when it resembles nothing. */
const suggestNetwork = (text: string, enabled: readonly NamedNetwork[]): string | null => {
  const word = text.trim().toLowerCase();
  for (const { id, name, chain_id, caip2 } of enabled)
    if ([id, name.toLowerCase(), caip2.toLowerCase(), String(chain_id)].includes(word)) return id;
  const plain = word.replace(/^(?:eip155|tron):/, "").replace(/^0x[0-9a-f]{1,8}$/, (hex) => String(Number(hex)));
  for (const [id, words] of Object.entries(WORDS)) if (id === plain || words.includes(plain)) return id;
  for (const { id, chain_id } of enabled) if (String(chain_id) === plain) return id;
  const ids = enabled.map(({ id }) => id);
  return nearest(word, ids) ?? nearest(word, Object.keys(WORDS));
};

/** The sentence for a text that names no allowed network. */
export const networkError = (
  { field, value }: { readonly field: string; readonly value: string },
  allowed: readonly string[],
  enabled: readonly NamedNetwork[],
): string => {
  const meaning = suggestNetwork(value, enabled);
  const lower = value.trim().toLowerCase();
  const hint = allowed.includes(lower)
    ? ` Did you mean '${lower}'?`
    : meaning === null
      ? ""
      : allowed.includes(meaning)
        ? ` Did you mean '${meaning}'?`
        : ` '${meaning}' is not enabled here for this tool.`;
  return `field '${field}' must be one of ${allowed.join(", ") || "(no network is enabled)"}, not ${quoteText(value)}.${hint}`;
};
