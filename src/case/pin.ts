/** Turns a call and its answer into an entry of a case. */
import { isRecord } from "../lib/record.ts";
import { answerHash } from "./canonical.ts";
import type { AsOf, CaseResult, JsonMembers } from "./format.ts";

/** A call and its answer. */
export interface PinnedCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonMembers;
  readonly answer: JsonMembers;
  readonly request_id: string | null;
  readonly credits: number | null;
  readonly asked_at: string;
  readonly catalog_version: string | null;
}

const asOf = (network: unknown, block: unknown): readonly AsOf[] => {
  if (typeof network !== "string" || !isRecord(block)) return [];
  const { block_number, block_hash, timestamp } = block;
  if (typeof block_number !== "number" || typeof block_hash !== "string" || typeof timestamp !== "string") return [];
  return [{ network, block_number, block_hash, timestamp }];
};

/** The block or blocks that an answer states; empty when it states none. */
export const blocksOf = (answer: JsonMembers): readonly AsOf[] => {
  const { metadata } = answer;
  if (!isRecord(metadata)) return [];
  if (!Array.isArray(metadata.networks)) return asOf(metadata.chain, metadata.as_of);
  return metadata.networks.filter(isRecord).flatMap((part) => asOf(part.network, part.as_of));
};

/** Only results can be pinned: data, or proven absence. An error was refunded and states nothing. */
export const canBePinned = (answer: JsonMembers): boolean =>
  answer.status !== "error" && !Object.hasOwn(answer, "error") && !Object.hasOwn(answer, "detail");

export const caseResultOf = (asked: PinnedCall): CaseResult => ({
  id: asked.id,
  tool: asked.tool,
  arguments: asked.arguments,
  network: typeof asked.arguments.network === "string" ? asked.arguments.network : null,
  as_of: blocksOf(asked.answer),
  request_id: asked.request_id,
  credits: asked.credits,
  asked_at: asked.asked_at,
  catalog_version: asked.catalog_version,
  answer: asked.answer,
  answer_sha256: answerHash(asked.answer),
});

/** The arguments that repeat the call at the same block, which a date does not name for ever; null when the answer has no single block. */
export const replayArguments = (entry: CaseResult): JsonMembers | null => {
  if (typeof entry.arguments.as_of_block === "number") return entry.arguments;
  const [block, ...others] = entry.as_of;
  if (block === undefined || others.length > 0 || (entry.network !== null && entry.network !== block.network))
    return null;
  return { ...entry.arguments, as_of_block: block.block_number };
};
