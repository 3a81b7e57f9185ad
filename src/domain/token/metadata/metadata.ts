import type { Chain, LiveTokenMetadata } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { ACCOUNT_STANDARD } from "../../../protocols/token_kinds.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { readingAt } from "./history.ts";

/** Metadata of a token: its name, symbol, decimals and standard. */
export interface TokenMetadata {
  readonly token: Hex;
  /** `native`, `erc20`, `erc721`, `erc1155`, `erc404`; null when its contract answers like none of them. */
  readonly standard: string | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** The raw name or symbol contained characters that are not shown. */
  readonly has_hidden: boolean;
  /** An account that runs foreign code (EIP-7702), never a token. Omitted means no. */
  readonly is_account?: boolean;
}

const nativeMetadata = ({ network }: Chain): TokenMetadata => ({
  token: "",
  standard: "native",
  name: network.native.symbol,
  symbol: network.native.symbol,
  decimals: network.native.decimals,
  has_hidden: false,
});

/** Metadata of a token without any description. */
const unknownMetadata = (token: Hex): TokenMetadata => ({
  ...{ token, standard: null, name: null, symbol: null, decimals: null },
  has_hidden: false,
});

/** Reads tokens that the index has not described yet from their contracts; without a node they stay undescribed. */
const readLive = async (
  { chain, signal }: SnapshotContext,
  tokens: readonly Hex[],
): Promise<readonly LiveTokenMetadata[]> => {
  try {
    return tokens.length === 0 ? [] : await chain.tokenMetadata(tokens, signal);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return [];
    throw error;
  }
};

/** The standard by which movements of the token are read (`settleMove`). */
export const settlingStandard = ({ standard, is_account }: TokenMetadata): string =>
  is_account === true ? ACCOUNT_STANDARD : (standard ?? "");

/** A stored standard. */
export const standardIn = (stored: string): string | null =>
  stored === "" || stored === ACCOUNT_STANDARD ? null : stored;

/** Metadata of tokens ('' is the native coin) at the block of the snapshot; see `metadataAt`. */
export const metadataOf = (scope: SnapshotContext, tokens: readonly Hex[]): Promise<ReadonlyMap<Hex, TokenMetadata>> =>
  metadataAt(scope, tokens, scope.snapshot.block.number);

/** Readings of tokens whose metadata changed, by token, oldest first. */
export const readingsOf = async (
  { facts, snapshot }: Pick<SnapshotContext, "facts" | "snapshot">,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, readonly QueryRow<"token_readings_among">[]>> => {
  const readings = new Map<Hex, QueryRow<"token_readings_among">[]>();
  if (tokens.length === 0) return readings;
  for (const reading of await facts.ask(snapshot, "token_readings_among", { tokens })) {
    const own = readings.get(reading.token);
    if (own === undefined) readings.set(reading.token, [reading]);
    else own.push(reading);
  }
  return readings;
};

/** Descriptions of tokens in the index as of a block; a token without one is absent. */
export const storedFaces = async (
  scope: Pick<SnapshotContext, "facts" | "snapshot">,
  tokens: readonly Hex[],
  block = scope.snapshot.block.number,
): Promise<readonly QueryRow<"tokens_among">[]> => {
  if (tokens.length === 0) return [];
  const [stored, readings] = await Promise.all([
    scope.facts.ask(scope.snapshot, "tokens_among", { tokens }),
    readingsOf(scope, tokens),
  ]);
  return stored.map((row) => {
    const reading = readingAt(readings.get(row.token) ?? [], block);
    return reading === null ? row : { ...row, ...reading, read_at_block: row.read_at_block };
  });
};

/**
 * Metadata of tokens as of a block. A token without a description is present with nulls. Names before the first reading
 * of a token are those of that reading.
 */
export const metadataAt = async (
  scope: SnapshotContext,
  tokens: readonly Hex[],
  block: number,
): Promise<ReadonlyMap<Hex, TokenMetadata>> => {
  const wanted = [...new Set(tokens)].filter((token) => token !== "").sort();
  const stored = await storedFaces(scope, wanted, block);
  const faces = new Map<Hex, TokenMetadata>([["", nativeMetadata(scope.chain)]]);
  for (const token of wanted) faces.set(token, unknownMetadata(token));
  for (const row of stored) {
    const { standard, name, symbol, decimals, has_hidden: hidden } = row;
    const has_hidden = hidden === 1;
    const is_account = standard === ACCOUNT_STANDARD;
    faces.set(row.token, {
      ...{ token: row.token, standard: standardIn(standard), name, symbol, decimals, has_hidden },
      is_account,
    });
  }
  const described = new Set(stored.map(({ token }) => token));
  const live = await readLive(
    scope,
    wanted.filter((token) => !described.has(token)),
  );
  for (const { token, standard, name, symbol, decimals, has_hidden = false, is_account = false } of live) {
    faces.set(token, { token, standard, name, symbol, decimals, has_hidden, is_account });
  }
  return faces;
};

/** The metadata of this token from a map that was read for it. */
export const metadataIn = (faces: ReadonlyMap<Hex, TokenMetadata>, token: Hex): TokenMetadata =>
  faces.get(token) ?? unknownMetadata(token);

/** True for the token that represents the coin of the network, one for one. */
export const isWrapped = ({ network }: Chain, token: Hex): boolean => token !== "" && token === network.wrapped_native;

/** A symbol that distinguishes the wrapped coin from the coin itself, where both use the same one (SOL). */
export const symbolOf = (chain: Chain, { token, symbol }: Pick<TokenMetadata, "token" | "symbol">): string | null =>
  symbol === chain.network.native.symbol && isWrapped(chain, token) ? `W${symbol}` : symbol;

/** A token's address as shown: `native` for the coin of the network. */
export const formatToken = (chain: Chain, token: Hex): string => (token === "" ? "native" : chain.formatAddress(token));
