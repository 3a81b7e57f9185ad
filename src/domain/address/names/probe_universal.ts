import type { Chain } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { readEns } from "./ens.ts";

/**
 * Test of the Universal Resolver by the name that ENS keeps for it (docs.ens.domains/resolvers/universal): the name
 * leads to one address through the contract, and to another for a reader of the registry alone.
 */
export const PROBE_NAME = "ur.gtest.eth";
const THROUGH_UNIVERSAL = hex("ee".repeat(20));
const BY_REGISTRY = hex("11".repeat(20));

/** `unanswered`: no answer of its interface, for example because no contract is there. */
export interface UniversalProbe {
  readonly resolver: Hex;
  readonly status: "works" | "registry_only" | "another_address" | "no_address" | "unanswered";
}

type ProbedChain = Pick<Chain, "call" | "network">;

const statusOf = async (chain: ProbedChain, signal: AbortSignal): Promise<UniversalProbe["status"]> => {
  const { ens } = chain.network;
  if (ens === null) return "unanswered";
  try {
    // No gateway: the name is kept on the chain.
    const records = await readEns({ chain, ...ens, signal, gateway: null }, PROBE_NAME);
    if (records.kind !== "found" || records.address === null) return "no_address";
    if (records.address === THROUGH_UNIVERSAL) return "works";
    return records.address === BY_REGISTRY ? "registry_only" : "another_address";
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return "unanswered";
    throw error;
  }
};

/** Null for a network without a Universal Resolver. */
export const probeUniversal = async (chain: ProbedChain, signal: AbortSignal): Promise<UniversalProbe | null> => {
  const resolver = chain.network.ens?.universal_resolver ?? null;
  return resolver === null ? null : { resolver, status: await statusOf(chain, signal) };
};
