/**
 * Events with which Jupiter's router reports the hops of a route; only the program itself can make them (Anchor's
 * `emit_cpi!`). Layouts: sevenlabs-hq/carbon, jupiter-swap-decoder, swap_event.rs and swaps_event.rs.
 */
import { type Bytes, toHex } from "../../lib/bytes.ts";
import { keyAt, u32At, u64At } from "./integers.ts";
import type { SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

export interface RouteLeg {
  /** The venue's program; null if the event does not name it. */
  readonly program: Bytes | null;
  readonly paid: Bytes;
  readonly amount_in: bigint;
  readonly got: Bytes;
  readonly amount_out: bigint;
}

/** sha256("anchor:event"), then sha256("event:SwapEvent") and sha256("event:SwapsEvent"): eight bytes each. */
const EVENT = "e445a52e51cb9a1d";
const ONE = `${EVENT}40c6cde8260871e2`;
const MANY = `${EVENT}982f4eebc0606e6a`;
const TAG_BYTES = 16;
const COUNT_BYTES = 4;
const KEY_BYTES = 32;
const LEG_BYTES = 80;
/** More than a transaction can hold. */
const LEGS_MAX = 64;

/** The hops in events of `program` (a position), in order; truncated ones are skipped. */
export const routeLegsOf = (instructions: readonly SolanaInstruction[], program: number): readonly RouteLeg[] =>
  instructions.flatMap((one) => {
    if (one.program !== program || "type" in one.call) return [];
    const { data: told } = one.call;
    const data = typeof told === "string" ? dataOf(told, "data") : told;
    const tag = toHex(data.subarray(0, TAG_BYTES));
    if (tag === ONE) return legAt(data, TAG_BYTES + KEY_BYTES, keyAt(data, TAG_BYTES));
    return tag === MANY ? legsOf(data) : [];
  });

const legsOf = (data: Bytes): readonly RouteLeg[] => {
  const count = u32At(data, TAG_BYTES) ?? 0;
  if (count > LEGS_MAX) return [];
  const first = TAG_BYTES + COUNT_BYTES;
  return Array.from({ length: count }, (_, i) => legAt(data, first + i * LEG_BYTES, null)).flat();
};

const legAt = (data: Bytes, at: number, program: Bytes | null): readonly RouteLeg[] => {
  const [paid, got] = [keyAt(data, at), keyAt(data, at + KEY_BYTES + 8)];
  const [amount_in, amount_out] = [u64At(data, at + KEY_BYTES), u64At(data, at + 2 * KEY_BYTES + 8)];
  if (paid === null || got === null || amount_in === null || amount_out === null) return [];
  return [{ program, paid, amount_in, got, amount_out }];
};
