import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";

/** The earliest block where a chain was seen to have the contract. */
const known = new WeakMap<object, Map<Hex, number>>();

/**
 * The Universal Resolver where it is deployed at a block. Null leaves the registry: a fork or a past block from before
 * the contract.
 */
export const deployedUniversal = async (
  chain: Pick<Chain, "account">,
  resolver: Hex | null,
  { at, signal }: { readonly at: number; readonly signal: AbortSignal },
): Promise<Hex | null> => {
  if (resolver === null) return null;
  const seen = known.get(chain) ?? new Map<Hex, number>();
  known.set(chain, seen);
  if ((seen.get(resolver) ?? Number.POSITIVE_INFINITY) <= at) return resolver;
  const { code } = await chain.account(resolver, signal, at);
  if (code.length === 0) return null;
  seen.set(resolver, Math.min(at, seen.get(resolver) ?? at));
  return resolver;
};
