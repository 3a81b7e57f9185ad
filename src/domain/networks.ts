import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { ErrorCode } from "../lib/outcome.ts";
import type { ParsedByNetwork } from "../lib/parsed.ts";
import type { Basis, CallContext, Warning } from "./context.ts";

/** The networks that a caller requested: `network` is an id, `all` or `evm`. */
export interface NetworkQuery {
  readonly network: string;
  readonly address: ParsedByNetwork;
}

export interface NetworkAnswer<T> {
  readonly chain: Chain;
  readonly basis: Basis;
  readonly value: T;
}

interface NetworkFailure {
  readonly chain: Chain;
  readonly error: AssayError;
}

/** Answers of the networks that answered, in configuration order, and the networks that failed. */
export interface NetworkAnswers<T> {
  readonly answered: readonly NetworkAnswer<T>[];
  readonly failed: readonly NetworkFailure[];
  readonly warnings: readonly Warning[];
}

export const isMany = (network: string): boolean => network === "all" || network === "evm";

/** The networks that an id, `all` or `evm` means. */
export const chainsOfNetwork = (network: string, context: CallContext): readonly Chain[] =>
  isMany(network)
    ? context.networks
        .map((id) => context.chain(id))
        // The other word for several networks is the name of their family.
        .filter((chain) => network === "all" || chain.network.family === network)
    : [context.chain(network)];

/** Failures of one network that leave the answers of the others valid. Any other error is a defect and is rethrown. */
const PASSING: readonly string[] = [
  "UPSTREAM_UNAVAILABLE",
  "COVERAGE_INCOMPLETE",
  "TIMEOUT",
  "READING",
  "NOT_ON_DEMAND",
  "SUBJECT_LIMIT",
] satisfies readonly ErrorCode[];

/**
 * Queries each network that `network` means. If one of several networks fails, the answer has a warning
 * `NETWORK_UNAVAILABLE`; a failure of the only network is thrown.
 */
export const queryNetworks = async <T>(
  network: string,
  chains: readonly Chain[],
  ask: (chain: Chain) => Promise<{ basis: Basis; value: T }>,
): Promise<NetworkAnswers<T>> => {
  const results = await Promise.all(
    chains.map(async (chain): Promise<NetworkAnswer<T> | NetworkFailure> => {
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

/** Queries every network of the call about one address; `all` and `evm` mean those whose address format matches. */
export const queryEachNetwork = async <T>(
  { network, address }: NetworkQuery,
  context: CallContext,
  ask: (chain: Chain, address: Hex) => Promise<{ basis: Basis; value: T }>,
): Promise<NetworkAnswers<T>> => {
  const chains = chainsOfNetwork(network, context).filter((chain) => address.by_network.has(chain.network.id));
  return queryNetworks(network, chains, (chain) => ask(chain, address.by_network.get(chain.network.id) ?? ""));
};
