import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { IndexedFacts } from "../../context.ts";

/** The net issuance of a token up to a block, and the mints after it, base units; null without any. */
export const readIssuance = async (
  { facts, snapshot }: IndexedFacts,
  token: Hex,
  after_block: number,
): Promise<QueryRow<"developer/issued"> | null> => {
  const [issued] = await facts.ask(snapshot, "developer/issued", { token, after_block });
  return issued ?? null;
};
