/** The holdings of an address before its first transaction. */
import type { HeldAmount } from "../../chains/account_history.ts";
import { EMPTY, fromHex, type Hex } from "../../lib/bytes.ts";
import type { TableRows } from "../../store/tables.gen.ts";
import type { BatchOptions } from "./write_batch.ts";

const bytesOf = (hex: Hex) => fromHex(hex) ?? EMPTY;

interface Openings {
  readonly subject: Hex;
  readonly block_number: number;
  readonly openings: readonly HeldAmount[];
}

/** Instead of those of an earlier search, which may have begun elsewhere. */
export const writeOpenings = async (
  { chain, writer, store }: Pick<BatchOptions, "chain" | "writer" | "store">,
  { subject, block_number, openings }: Openings,
): Promise<void> => {
  await store.dropOpeningsOf(subject);
  const holder = bytesOf(subject);
  const rows = openings.map(({ token, amount }): TableRows["openings"] => {
    return { network: chain.network.id, holder, token: bytesOf(token), amount, block_number };
  });
  const held = rows.filter(({ amount }) => amount > 0n);
  if (held.length > 0) await writer.insert("openings", held);
};
