import type { Hex } from "../../lib/bytes.ts";
import type { Row } from "../../store/facts.ts";
import type { HeldFacts } from "../context.ts";

/** A holder of a token, with what all of them hold together. */
export type LargestHolder = Row<"holders/largest">;

/** Who is wanted of each token: the `limit` largest, and of all others these addresses and those with a label of these categories. */
export interface Wanted {
  readonly limit: number;
  readonly kept?: readonly Hex[];
  readonly categories?: readonly string[];
}

/** Holders of some tokens, by token, the largest of each first: one question for all of them. */
export const largestHolders = (
  { facts, snapshot }: HeldFacts,
  tokens: readonly Hex[],
  { limit, kept = [], categories = [] }: Wanted,
): Promise<readonly LargestHolder[]> =>
  facts.ask(snapshot, "holders/largest", { tokens: [...tokens], limit, kept: [...kept], categories: [...categories] });
