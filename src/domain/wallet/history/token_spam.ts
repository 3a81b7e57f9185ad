import type { Hex } from "../../../lib/bytes.ts";
import type { SpamReason } from "../../token/metadata/spam.ts";
import type { ValuedHistory } from "./history.ts";
import { spamReasonsOf } from "./movement_flags.ts";

/** Flags of tokens whose every movement in the history is flagged; a token that never moved has none. */
export const spamTokens = (
  { movements, spam, first, end }: Pick<ValuedHistory, "movements" | "spam" | "first" | "end">,
  tokens: readonly Hex[],
): ReadonlyMap<Hex, readonly SpamReason[]> => {
  const wanted = new Map(tokens.map((token) => [movements.tokens.find(token), token]));
  const bits = new Map<number, number>();
  const clean = new Set<number>();
  for (let row = first; row < end; row += 1) {
    const code = movements.token[row] ?? 0;
    if (!wanted.has(code)) continue;
    const flags = spam[row] ?? 0;
    if (flags === 0) clean.add(code);
    bits.set(code, (bits.get(code) ?? 0) | flags);
  }
  return new Map(
    [...bits].flatMap(([code, flags]) => {
      const token = wanted.get(code);
      return token === undefined || clean.has(code) ? [] : [[token, spamReasonsOf(flags)]];
    }),
  );
};
