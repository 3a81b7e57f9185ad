import type { Network, TokenAlias } from "../chains/network.ts";
import type { Hex } from "../lib/bytes.ts";

/** Contracts that share one balance are one holding; knowledge names the known ones by network. */
type AliasNetwork = Pick<Network, "aliases">;

const tables = new WeakMap<readonly TokenAlias[], ReadonlyMap<Hex, Hex>>();

const tableOf = (aliases: readonly TokenAlias[]): ReadonlyMap<Hex, Hex> => {
  const known = tables.get(aliases);
  if (known !== undefined) return known;
  const table = new Map(aliases.map(({ token, same_as }) => [token, same_as]));
  tables.set(aliases, table);
  return table;
};

/** The token whose balance this contract reports: itself, unless it is an alias. '' is the native coin. */
export const sharedToken = ({ aliases }: AliasNetwork, token: Hex): Hex =>
  aliases === undefined ? token : (tableOf(aliases).get(token) ?? token);

export const isAlias = (network: AliasNetwork, token: Hex): boolean => sharedToken(network, token) !== token;

/** A balance, and the other contracts that report it too. */
export type SharedBalance<B> = B & { readonly aliases: readonly Hex[] };

/** Counts a balance that several contracts report once, under the token that owns it. Keeps the order of the first rows. */
export const countedOnce = <B extends { readonly token: Hex }>(
  network: AliasNetwork,
  held: readonly B[],
): readonly SharedBalance<B>[] => {
  const counted = new Map<Hex, SharedBalance<B>>();
  for (const one of held) {
    const token = sharedToken(network, one.token);
    const known = counted.get(token);
    const aliases = [...(known?.aliases ?? []), ...(token === one.token ? [] : [one.token])];
    // The owner's own row states the balance, and an alias's row does only while the owner has none.
    const row = known === undefined || token === one.token ? { ...one, token } : known;
    counted.set(token, { ...row, aliases });
  }
  return [...counted.values()];
};

/** The token that pools hold for this one: the wrapped form of the native coin, the owner of an alias's balance. */
export const tradedToken = (network: AliasNetwork & Pick<Network, "wrapped_native">, token: Hex): Hex => {
  const { wrapped_native } = network;
  const owner = token === wrapped_native ? token : sharedToken(network, token);
  return owner === "" ? (wrapped_native ?? "") : owner;
};
