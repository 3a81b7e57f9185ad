/** Finds the instructions of known pools in a transaction (pool_programs.ts). */
import { toHex } from "../../lib/bytes.ts";
import { type PoolAccountIndexes, type PoolInstruction, poolInstruction, poolProgram } from "./pool_programs.ts";
import type { RawTransaction, SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

/** Length of Anchor's tags, the longest of all. */
const TAG_BYTES = 8;
/** Pool, vaults, parties. Events have one account and long data, and need not be decoded. */
const ACCOUNTS_MIN = 7;

export interface PoolCall {
  readonly does: PoolInstruction["does"];
  readonly accounts: readonly number[];
  readonly places: readonly PoolAccountIndexes[];
  readonly is_curve: boolean;
  /** Position within the transaction of the token that a curve trades against; null for SOL. */
  readonly quote: number | null;
}

/** Null for an instruction of another program, or one that Assay does not follow. */
export const poolCall = ({ accounts }: RawTransaction, { program, call }: SolanaInstruction): PoolCall | null => {
  const pools = poolProgram(accounts.hex(program));
  if (pools === null || "type" in call || call.accounts.length < ACCOUNTS_MIN) return null;
  const data = typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
  const found = poolInstruction(pools, toHex(data.subarray(0, TAG_BYTES)));
  if (found === null) return null;
  const { is_curve } = pools;
  const quote = found.quote_at === undefined ? null : (call.accounts[found.quote_at] ?? null);
  return { does: found.does, accounts: call.accounts, places: found.places(call.accounts.length), is_curve, quote };
};
