/** Networks as reads beside the tools name them. */
import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { Facts, Snapshot } from "../store/facts.ts";

/** A refusal of something that a caller sent. */
export const badField = (message: string): AssayError =>
  new AssayError({ code: "BAD_FIELD", message, public: message });

/** @throws AssayError BAD_FIELD */
export const chainNamed = (id: string, chains: readonly Chain[]): Chain => {
  const chain = chains.find(({ network }) => network.id === id);
  if (chain !== undefined) return chain;
  const ids = chains.map(({ network }) => network.id).join(", ");
  throw badField(`'${id}' is not a network of this service; these are: ${ids}.`);
};

/** @throws AssayError BAD_FIELD */
export const addressNamed = (text: string, chain: Chain): Hex => {
  const address = chain.parseAddress(text);
  if (address !== null) return address;
  throw badField(`'${text}' is not an address of ${chain.network.id}.`);
};

/** A read whose blocks changed meanwhile is repeated at most this often. */
const ATTEMPTS_MAX = 3;

/**
 * Reads at the newest block, again if it was reorganised or became final meanwhile: some rows may then be missing, or there twice.
 * @throws AssayError COVERAGE_INCOMPLETE
 */
export const readAtNewest = async <T>(
  facts: Facts,
  network: string,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const snapshot = await facts.snapshot(network, null);
    const found = await read(snapshot);
    if (await facts.isCurrent(snapshot)) return found;
  }
  const message = "The newest blocks changed each time they were read. Try again in a few seconds.";
  throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message });
};
