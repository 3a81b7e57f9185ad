/**
 * The event with which a bonding curve of Pump.fun reports a trade: an inner instruction that only the program itself
 * can make (Anchor's `emit_cpi!`). Layout: sevenlabs-hq/carbon, pumpfun-decoder, trade_event.rs.
 */
import { type Bytes, toHex } from "../../lib/bytes.ts";
import { squareRoot } from "../../lib/square_root.ts";
import { u64At } from "./integers.ts";
import type { SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

export interface CurveTrade {
  readonly is_buy: boolean;
  /** Without fees; 0 for a curve that trades against a token. */
  readonly lamports: bigint;
  /** Paid or received by the trader, including the fees of the program and of the coin's creator. */
  readonly lamports_of_trader: bigint;
  /** Lamports of the curve after the trade, without rent. */
  readonly lamports_held: bigint;
  /** By the virtual reserves, which set the price of the next trade. `is_turned`: SOL is the first token. */
  readonly priceOf: (is_turned: boolean) => { readonly sqrt_price_x96: bigint; readonly liquidity: bigint };
}

/** sha256("anchor:event") and sha256("event:TradeEvent"), eight bytes each. */
const TAG = "e445a52e51cb9a1dbddb7fd34ee661ee";
const TAG_BYTES = 16;
/**
 * Fields after the tag: mint, lamports, tokens, whether it is a buy, user, time, virtual lamports and tokens, real
 * ones; since 2025 recipient and amount of the fee, and of the creator's fee.
 */
const AT = { lamports: 48, is_buy: 64, virtual_lamports: 105, virtual_tokens: 113, lamports_held: 121 };
const FEES_AT = [177, 225] as const;
/** The square root of a price in Q64.96 is the root of the price shifted by twice that. */
const SHIFT = 192n;

/** Null if none of the instructions is such an event of `program` (a position), or if it is truncated. */
export const curveTradeOf = (instructions: readonly SolanaInstruction[], program: number): CurveTrade | null => {
  for (const one of instructions) {
    if (one.program !== program || "type" in one.call) continue;
    const { data: told } = one.call;
    const data = typeof told === "string" ? dataOf(told, "data") : told;
    if (toHex(data.subarray(0, TAG_BYTES)) === TAG) return readTrade(data);
  }
  return null;
};

const readTrade = (data: Bytes): CurveTrade | null => {
  const lamports = u64At(data, AT.lamports);
  const lamports_held = u64At(data, AT.lamports_held);
  const virtual_lamports = u64At(data, AT.virtual_lamports);
  const virtual_tokens = u64At(data, AT.virtual_tokens);
  if (lamports === null || lamports_held === null || virtual_lamports === null || virtual_tokens === null) return null;
  const is_buy = data[AT.is_buy] === 1;
  const fees = FEES_AT.reduce((sum, at) => sum + (u64At(data, at) ?? 0n), 0n);
  return {
    is_buy,
    lamports,
    lamports_of_trader: is_buy ? lamports + fees : lamports - fees,
    lamports_held,
    priceOf(is_turned) {
      const [first, second] = is_turned ? [virtual_lamports, virtual_tokens] : [virtual_tokens, virtual_lamports];
      if (first === 0n || second === 0n) return { sqrt_price_x96: 0n, liquidity: 0n };
      return { sqrt_price_x96: squareRoot((second << SHIFT) / first), liquidity: squareRoot(first * second) };
    },
  };
};
