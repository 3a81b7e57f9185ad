import { isRecord } from "../lib/record.ts";
import { sha256Text } from "../lib/sha256.ts";

/**
 * Serializes JSON by RFC 8785 (JCS): no white space, members sorted by the UTF-16 units of their names, numbers as ECMAScript writes them.
 * Equal values have equal text. `value` is a result of JSON.parse.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
};

/** Identifies an answer: SHA-256 of its canonical JSON. */
export const answerHash = (answer: unknown): string => sha256Text(canonicalJson(answer));
