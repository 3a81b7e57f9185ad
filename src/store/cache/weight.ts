/** Approximate bytes in V8: 8 for a pointer, 16 for a string header, 16 for a boxed double. */
const HEAD = 24;
const BOX = 16;

/** About how many bytes of memory a value takes. */
export const weightOf = (value: unknown): number => {
  if (typeof value === "string") return HEAD + value.length;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return BOX;
  if (typeof value === "bigint") return HEAD + Math.ceil(value.toString(16).length / 2);
  if (typeof value !== "object") return BOX;
  // Columns of an answer (columns.ts).
  if ("byteLength" in value && typeof value.byteLength === "number") return HEAD + value.byteLength;
  return Object.values(value).reduce<number>((sum, inner) => sum + 8 + weightOf(inner), HEAD);
};
