import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { ErrorCode } from "../lib/outcome.ts";
import type { ParsedByNetwork } from "../lib/parsed.ts";
import type { Basis, CallContext, Warning } from "./context.ts";

/** Networks that a caller requested: `network` is an id, `all` or `evm`. */
export interface Asked {
  readonly network: string;
  readonly address: ParsedByNetwork;
}

export interface Answered<T> {
  readonly chain: Chain;
  readonly basis: Basis;
  readonly value: T;
}

interface Failed {
  readonly chain: Chain;
  readonly error: AssayError;
}

/** Answers of the networks that answered, in configuration order, and the failures. */
export interface Spread<T> {
  readonly answered: readonly Answered<T>[];
  readonly failed: readonly Failed[];
  readonly warnings: readonly Warning[];
}

export const isMany = (network: string): boolean => network === "all" || network === "evm";

/** The networks of an id, `all` or `evm`. */
export const askedChains = (network: string, context: CallContext): readonly Chain[] =>
  isMany(network)
    ? context.networks
        .map((id) => context.chain(id))
        .filter((chain) => network === "all" || chain.network.family === "evm")
    : [context.chain(network)];

/** Failures of one network that do not affect the other networks' answers. Other errors are thrown. */
const PASSING: readonly string[] = [
  "UPSTREAM_UNAVAILABLE",
  "COVERAGE_INCOMPLETE",
  "TIMEOUT",
] satisfies readonly ErrorCode[];

/**
 * Queries each network of `network`. If one of several fails, its failure becomes a warning `NETWORK_UNAVAILABLE`; the
 * failure of a single network is thrown.
 */
export const askNetworks = async <T>(
  network: string,
  chains: readonly Chain[],
  ask: (chain: Chain) => Promise<{ basis: Basis; value: T }>,
): Promise<Spread<T>> => {
  const results = await Promise.all(
    chains.map(async (chain): Promise<Answered<T> | Failed> => {
      try {
        return { chain, ...(await ask(chain)) };
      } catch (error) {
        if (!isMany(network) || !(error instanceof AssayError) || !PASSING.includes(error.code)) throw error;
        return { chain, error };
      }
    }),
  );
  const failed = results.filter((result) => "error" in result);
  return {
    answered: results.filter((result) => "value" in result),
    failed,
    warnings: failed.map(({ chain, error }) => ({
      code: "NETWORK_UNAVAILABLE",
      message: `${chain.network.id} could not be read (${error.code}) and is missing from this answer.`,
    })),
  };
};

/** Queries every network of the call about one address; `all` and `evm` mean those with its address format. */
export const askEach = async <T>(
  { network, address }: Asked,
  context: CallContext,
  ask: (chain: Chain, address: Hex) => Promise<{ basis: Basis; value: T }>,
): Promise<Spread<T>> => {
  const chains = askedChains(network, context).filter((chain) => address.by_network.has(chain.network.id));
  return askNetworks(network, chains, (chain) => ask(chain, address.by_network.get(chain.network.id) ?? ""));
};
