import type { Hex } from "../../lib/bytes.ts";

/** What a transaction was for the wallet, judged by what moved of it alone. */
export type MovedType =
  | "swap"
  | "wrap"
  | "unwrap"
  | "add_liquidity"
  | "remove_liquidity"
  | "deposit"
  | "withdraw"
  | "nft_trade"
  | "mint"
  | "burn"
  | "receive"
  | "send"
  | "self"
  | "call"
  | "other";

/** What a transaction changed, net; the native coin and its wrapped form are one. */
export interface Net {
  readonly gained: ReadonlyMap<Hex, bigint>;
  readonly lost: ReadonlyMap<Hex, bigint>;
  /** All that was gained was created for it; all that was lost was destroyed. */
  readonly is_minted: boolean;
  readonly is_burned: boolean;
  readonly has_collectible: boolean;
  /** 1: the wrapped coin came, -1: it left, 0: neither. */
  readonly wrapped: number;
  /** Something moved between the wallet and others; the wallet paid itself. */
  readonly is_moved: boolean;
  readonly is_self: boolean;
}

/** A transaction in which the wallet gained one kind of token and lost another: several for one is liquidity. */
const exchangeType = ({ gained, lost, is_minted, is_burned, has_collectible }: Net): MovedType => {
  if (has_collectible) return "nft_trade";
  if (lost.size > 1 && gained.size === 1) return "add_liquidity";
  if (gained.size > 1 && lost.size === 1) return "remove_liquidity";
  if (is_minted) return "deposit";
  return is_burned ? "withdraw" : "swap";
};

/** Judged without decoding any protocol. */
export const txTypeOf = (net: Net): MovedType => {
  const { gained, lost } = net;
  if (!net.is_moved) return net.is_self ? "self" : "call";
  if (gained.size > 0 && lost.size > 0) return exchangeType(net);
  if (gained.size > 0) return net.is_minted ? "mint" : "receive";
  if (lost.size > 0) return net.is_burned ? "burn" : "send";
  if (net.wrapped !== 0) return net.wrapped > 0 ? "wrap" : "unwrap";
  return "other";
};

/** What a listed transaction is called. */
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
export type ListedType = (typeof TX_TYPES)[number];

/** Receipts and payments are transfers in a list, whose rows say the direction. */
export const listedTypeOf = (type: MovedType): ListedType => {
  const is_transfer = type === "receive" || type === "send" || type === "self" || type === "other" || type === "call";
  return is_transfer ? "transfer" : type;
};
