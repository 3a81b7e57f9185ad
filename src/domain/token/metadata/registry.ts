/** Tokens whose symbols and names others copy: coins of the network, well-known tokens, tokens of imported lists. */
import type { Network } from "../../../chains/chain.ts";
import { KNOWN_TOKENS } from "../../../knowledge/tokens.gen.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { skeletonOf } from "../../lookalikes.ts";

export interface TokenWords {
  /** '' is the native coin. */
  readonly token: Hex;
  readonly name: string | null;
  readonly symbol: string | null;
}

/** The token that another one imitates. */
export interface Impersonation {
  /** '' when the native coin is imitated. */
  readonly canonical: Hex;
  readonly symbol: string;
  readonly name: string | null;
  /** The word of the copy that imitates the original's. */
  readonly copied: "symbol" | "name";
}

interface Original extends Omit<Impersonation, "copied"> {
  /** A coin of the network: issuers' coins, native and wrapped coin. A copied symbol needs nothing else. */
  readonly is_coin: boolean;
}

type Looks = ReadonlyMap<string, readonly Original[]>;

export interface TokenRegistry {
  readonly originals: ReadonlySet<Hex>;
  readonly by_symbol: Looks;
  readonly by_name: Looks;
}

/** Shorter symbols are of several honest tokens, and shorter names are everyday words. */
const [SYMBOL_MIN, NAME_MIN] = [3, 5];

/** No honest symbol or name of a Latin original needs other letters. */
const IS_PLAIN = /^[\x20-\x7e]*$/;

const bare = (text: string): string => skeletonOf(text).replace(/[\s$]/gu, "");

const looksOf = (originals: readonly Original[], wordOf: (one: Original) => string | null): Looks => {
  const looks = new Map<string, Original[]>();
  for (const one of originals) {
    const look = bare(wordOf(one) ?? "");
    if (look === "") continue;
    const same = looks.get(look);
    if (same === undefined) looks.set(look, [one]);
    else same.push(one);
  }
  return looks;
};

const openRegistry = (all: readonly Original[], aliases: readonly Hex[]): TokenRegistry => ({
  originals: new Set([...all.map(({ canonical }) => canonical), ...aliases]),
  by_symbol: looksOf(all, ({ symbol }) => symbol),
  by_name: looksOf(all, ({ name }) => name),
});

const NATIVE: Hex = "";

const coinsOf = ({ native, wrapped_native, stablecoins }: Network): readonly Original[] =>
  [
    { canonical: NATIVE, symbol: native.symbol },
    ...(wrapped_native === null ? [] : [{ canonical: wrapped_native, symbol: `W${native.symbol}` }]),
    ...stablecoins.map(({ address, symbol }) => ({ canonical: address, symbol })),
  ].map((coin) => ({ ...coin, name: null, is_coin: true }));

const knownOf = ({ id }: Network): readonly Original[] =>
  (KNOWN_TOKENS[id] ?? []).map(([canonical, symbol, name]) => ({ canonical, symbol, name, is_coin: false }));

const aliasesOf = ({ aliases = [] }: Network): readonly Hex[] => aliases.map(({ token }) => token);

interface BuiltIn {
  readonly coins: ReadonlySet<Hex>;
  readonly originals: readonly Original[];
  readonly registry: TokenRegistry;
}

const built = new WeakMap<Network, BuiltIn>();

const builtIn = (network: Network): BuiltIn => {
  const known = built.get(network);
  if (known !== undefined) return known;
  const coins = coinsOf(network);
  const originals = [...coins, ...knownOf(network)];
  const found: BuiltIn = {
    coins: new Set(coins.map(({ canonical }) => canonical)),
    originals,
    registry: openRegistry(originals, aliasesOf(network)),
  };
  built.set(network, found);
  return found;
};

/** The network's coins and its well-known tokens. */
export const knownRegistry = (network: Network): TokenRegistry => builtIn(network).registry;

/** A coin of the network: native coin, wrapped native coin, or a coin of an issuer. */
export const isCanonical = (network: Network, token: Hex): boolean => builtIn(network).coins.has(token);

/** By the rows of the lists, which the store keeps until a list changes. */
const extended = new WeakMap<readonly object[], TokenRegistry>();

/** The registry with the tokens of imported lists. Lists apply to every block. */
export const registryOf = async ({
  facts,
  chain,
  snapshot,
}: Pick<SnapshotContext, "facts" | "chain" | "snapshot">): Promise<TokenRegistry> => {
  const rows = await facts.ask(snapshot, "metadata/listed_names", {});
  const { network } = chain;
  if (rows.length === 0) return knownRegistry(network);
  const made = extended.get(rows);
  if (made !== undefined) return made;
  const { originals, registry } = builtIn(network);
  const listed = rows
    .filter(({ token }) => !registry.originals.has(token))
    .map(({ token, symbol, name }): Original => ({ canonical: token, symbol, name, is_coin: false }));
  const found = openRegistry([...originals, ...listed], aliasesOf(network));
  extended.set(rows, found);
  return found;
};

/** Originals with a symbol that looks like this one. */
export const originalsWith = ({ by_symbol }: TokenRegistry, symbol: string): readonly Hex[] => [
  ...new Set((by_symbol.get(bare(symbol)) ?? []).map(({ canonical }) => canonical)),
];

/** A token with a market of medium depth may share one word with another by coincidence. */
export interface CopyEvidence {
  readonly is_traded: boolean;
}

/**
 * The original that this token imitates by the look of its symbol or its name, without being one. Null without one. A
 * coin's symbol suffices at any depth. Another token's symbol or name alone counts for a token without a market, or
 * with letters that look like others; both count at any depth.
 */
export const impersonated = (
  { originals, by_symbol, by_name }: TokenRegistry,
  { token, symbol, name }: TokenWords,
  { is_traded }: CopyEvidence,
): Impersonation | null => {
  if (originals.has(token)) return null;
  const [sign, title] = [bare(symbol ?? ""), bare(name ?? "")];
  const same_symbol = by_symbol.get(sign) ?? [];
  const same_name = by_name.get(title) ?? [];
  const mayBeChance = (word: string | null): boolean => is_traded && IS_PLAIN.test(word ?? "");
  const coin = same_symbol.find(({ is_coin }) => is_coin);
  const both = same_symbol.find((one) => same_name.includes(one));
  const by_sign = mayBeChance(symbol) || sign.length < SYMBOL_MIN ? undefined : same_symbol[0];
  const by_title = mayBeChance(name) || title.length < NAME_MIN ? undefined : same_name[0];
  const found = coin ?? both ?? by_sign;
  if (found !== undefined) return copyOf(found, "symbol");
  return by_title === undefined ? null : copyOf(by_title, "name");
};

const copyOf = ({ canonical, symbol, name }: Original, copied: Impersonation["copied"]): Impersonation => ({
  ...{ canonical, symbol, name, copied },
});
