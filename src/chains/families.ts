/** The families of networks, and how one of each is opened. A new family is its folder and a line here. */
import { AssayError } from "../lib/errors.ts";
import type { Family } from "./chain.ts";
import { openEvmChain } from "./evm/chain.ts";
import type { ChainOpener } from "./open_chain.ts";
import { openSolanaChain } from "./solana/chain.ts";
import { openTronChain } from "./tron/chain.ts";

const OPENERS: ReadonlyMap<Family, ChainOpener> = new Map([
  ["evm", openEvmChain],
  ["solana", openSolanaChain],
  ["tron", openTronChain],
]);

/**
 * Opens a network and probes its endpoints once. An endpoint that does not answer yet is no error: it is probed again
 * when it is needed.
 * @throws AssayError CONFIG_INVALID for an address that is no http(s) URL
 */
export const openChain: ChainOpener = (network, options, signal) => {
  const open = OPENERS.get(network.family);
  if (open !== undefined) return open(network, options, signal);
  const message = `Network "${network.id}": networks of the family ${network.family} cannot be read.`;
  return Promise.reject(new AssayError({ code: "CONFIG_INVALID", message, public: message }));
};
