/**
 * EIP-20 and EIP-721 share one event, and contracts differ in what they index: the layout of a log suggests the kind of
 * its token, and only the token's standard decides it.
 */
export interface SuggestedMove {
  readonly kind: string;
  readonly token_id: bigint | null;
  readonly amount: bigint;
  /** The log indexes nothing. */
  readonly is_bare?: true;
}

/** The right kind of a movement. `token_id` is null for coins. */
export interface SettledMove {
  readonly kind: "erc20" | "trc20" | "erc721";
  readonly token_id: bigint | null;
  readonly amount: bigint;
}

const ONE_PIECE = 1n;
/** Stored as the standard of an account that runs foreign code (EIP-7702). */
export const ACCOUNT_STANDARD = "account";

/** Kinds of coins that move by the event of EIP-20. */
const coinOf = (text: string): "erc20" | "trc20" | null => (text === "erc20" || text === "trc20" ? text : null);

/**
 * How the token's standard reads a movement: as it is (`keep`), as nothing (`drop`), or as another one. The pieces of an
 * ERC-404 token repeat its coins, an account is no token, and an event without indexed parts of a contract of unknown
 * kind may mean anything.
 * @param standard '' for a contract of unknown kind
 */
export const settleMove = (move: SuggestedMove, standard: string): "keep" | "drop" | SettledMove => {
  if (standard === ACCOUNT_STANDARD) return "drop";
  if (standard === "") return move.is_bare === true ? "drop" : "keep";
  if (coinOf(move.kind) !== null)
    return standard === "erc721" ? { kind: "erc721", token_id: move.amount, amount: ONE_PIECE } : "keep";
  if (move.kind !== "erc721") return "keep";
  if (standard === "erc404") return "drop";
  const coin = coinOf(standard);
  return coin === null ? "keep" : { kind: coin, token_id: null, amount: move.token_id ?? 0n };
};
