import type { Hex } from "../../../lib/bytes.ts";
import type { Row } from "../../../store/facts.ts";
import type { HeldFacts } from "../../context.ts";

/** The net issuance of a token up to a block, and the mints after it, base units; null without any. */
export const readIssued = async (
  { facts, snapshot }: HeldFacts,
  token: Hex,
  after_block: number,
): Promise<Row<"developer/issued"> | null> => {
  const [issued] = await facts.ask(snapshot, "developer/issued", { token, after_block });
  return issued ?? null;
};
