/** The families of networks, and the opener of each. A new family is its folder and a line here. */
import { setMaxListeners } from "node:events";
import { AssayError } from "../lib/errors.ts";
import type { Family } from "./chain.ts";
import type { ChainOpener } from "./open_chain.ts";

/** Each is loaded with its first network. */
const OPENERS: ReadonlyMap<Family, () => Promise<ChainOpener>> = new Map([
  ["evm", async () => (await import("./evm/chain.ts")).openEvmChain],
  ["solana", async () => (await import("./solana/chain.ts")).openSolanaChain],
  ["tron", async () => (await import("./tron/chain.ts")).openTronChain],
]);

/**
 * Opens a network and probes its endpoints once. An endpoint that does not answer yet is no error: the pool probes it
 * again on demand.
 * @throws AssayError CONFIG_INVALID for an address that is no http(s) URL
 */
export const openChain: ChainOpener = async (network, options, signal) => {
  // One stop of a process ends the calls of all its networks, and each of them adds a listener.
  setMaxListeners(0, signal);
  const load = OPENERS.get(network.family);
  if (load !== undefined) return (await load())(network, options, signal);
  const message = `Network "${network.id}": networks of the family ${network.family} cannot be read.`;
  throw new AssayError({ code: "CONFIG_INVALID", message, public: message });
};
