import type { Hex } from "../../lib/bytes.ts";
import type { Row } from "../../store/facts.ts";
import { isApproval } from "../readings/methods.ts";

export type ProtocolEvents = Row<"wallet_history/protocol_events">;
export type Side = Row<"wallet_history/sides">;

/** What a transaction was for the wallet. */
export const TX_TYPES = [
  "transfer",
  "swap",
  "wrap",
  "unwrap",
  "add_liquidity",
  "remove_liquidity",
  "deposit",
  "withdraw",
  "nft_trade",
  "mint",
  "burn",
  "approval",
  "call",
  "deploy",
  "reward",
  "withdrawal",
] as const;
export type TxType = (typeof TX_TYPES)[number];

const without = (tokens: readonly Hex[], others: readonly Hex[]): readonly Hex[] =>
  tokens.filter((token) => !others.includes(token));

/** A transaction in which the wallet gained one kind of token and lost another. */
const exchangeType = (side: Side, gained: readonly Hex[], lost: readonly Hex[]): TxType => {
  if (side.collectibles > 0) return "nft_trade";
  if (lost.length === 1 && gained.length === 1) {
    const [gave, got] = [lost[0] ?? "", gained[0] ?? ""];
    if (gave === "" && side.tokens_wrapped.includes(got)) return "wrap";
    if (got === "" && side.tokens_wrapped.includes(gave)) return "unwrap";
  }
  if (lost.length > 1 && gained.length === 1) return "add_liquidity";
  if (gained.length > 1 && lost.length === 1) return "remove_liquidity";
  if (gained.every((token) => side.tokens_minted.includes(token))) return "deposit";
  return lost.every((token) => side.tokens_burned.includes(token)) ? "withdraw" : "swap";
};

/**
 * Judged by the wallet's own gains and losses, without decoding any protocol: several tokens for one is liquidity, one
 * for a freshly minted one a deposit.
 */
export const txTypeOf = (deed: ProtocolEvents, side: Side | undefined): TxType => {
  if (deed.created !== "") return "deploy";
  if (side === undefined || side.movements === 0) {
    if (isApproval(deed.selector)) return "approval";
    return deed.selector === "" ? "transfer" : "call";
  }
  const gained = without(side.tokens_in, side.tokens_out);
  const lost = without(side.tokens_out, side.tokens_in);
  if (gained.length > 0 && lost.length > 0) return exchangeType(side, gained, lost);
  if (gained.length > 0 && gained.every((token) => side.tokens_minted.includes(token))) return "mint";
  return lost.length > 0 && lost.every((token) => side.tokens_burned.includes(token)) ? "burn" : "transfer";
};
