import { isRecord } from "../lib/record.ts";
import { sha256Text } from "../lib/sha256.ts";

/**
 * JSON by RFC 8785 (JCS): no space, members in the order of their names' UTF-16 units, numbers as ECMAScript writes them.
 * Equal values have equal text. `value` is what JSON.parse gives.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
};

/** How an answer is told from every other: SHA-256 of its canonical JSON. */
export const answerHash = (answer: unknown): string => sha256Text(canonicalJson(answer));
