import { fieldsOf } from "../api/answer.ts";
import type { RowValue } from "./rows.ts";

/** A cell as a file has it: the exact value, or the text of a list or an object. */
export const plainValue = (value: unknown): RowValue => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => plainValue(one) ?? "").join(", ");
  if (typeof value !== "object") return typeof value === "number" || typeof value === "boolean" ? value : String(value);
  const { address, label, ref } = fieldsOf(value);
  if (typeof ref === "string") return ref;
  if (typeof address !== "string") return JSON.stringify(value);
  return typeof label === "string" ? `${address} ${label}` : address;
};
