/**
 * The event in which a bonding curve of Pump.fun tells a trade: an inner instruction that only the program itself can make
 * (Anchor's `emit_cpi!`). Layout: sevenlabs-hq/carbon, pumpfun-decoder, trade_event.rs.
 */
import { type Bytes, toHex } from "../../lib/bytes.ts";
import { squareRoot } from "../../lib/square_root.ts";
import { u64At } from "./integers.ts";
import type { Instruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

export interface CurveTrade {
  readonly is_buy: boolean;
  /** Without fees; 0 for a curve that trades against a token. */
  readonly lamports: bigint;
  /** What the trader paid, or got, with the fees of the program and of the coin's creator. */
  readonly lamports_of_trader: bigint;
  /** What the curve holds after it, without rent. */
  readonly lamports_held: bigint;
  /** By the virtual reserves, which is what the next trade is made at. `is_turned`: SOL is the first token. */
  readonly priceOf: (is_turned: boolean) => { readonly sqrt_price_x96: bigint; readonly liquidity: bigint };
}

/** sha256("anchor:event") and sha256("event:TradeEvent"), eight bytes each. */
const TAG = "e445a52e51cb9a1dbddb7fd34ee661ee";
const TAG_BYTES = 16;
/**
 * Behind the tag: mint, lamports, tokens, is it a buy, user, time, virtual lamports and tokens, real ones; since 2025 who is
 * paid which fee, and the same of the creator.
 */
const AT = { lamports: 48, is_buy: 64, virtual_lamports: 105, virtual_tokens: 113, lamports_held: 121 };
const FEES_AT = [177, 225] as const;
/** A square root of a price in Q64.96 is taken of the price shifted by twice that. */
const SHIFT = 192n;

/** Null when none of the instructions is such an event of `program` (a position), or it is cut off. */
export const curveTradeOf = (instructions: readonly Instruction[], program: number): CurveTrade | null => {
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
