/** One hash for equal values, in whatever form they were sent; endpoints are compared by it. */
import { createHash, type Hash } from "node:crypto";

/**
 * Digest of plain objects, lists, bytes and simple values; members in the order of their names, undefined ones omitted.
 */
export const digestOf = (value: unknown): string => {
  const hash = createHash("sha256");
  write(hash, value);
  return hash.digest("hex");
};

/** Each value begins with its kind and, unless its end is implied, its length. */
const write = (hash: Hash, value: unknown): void => {
  if (value instanceof Uint8Array) {
    hash.update(`b${value.length}:`).update(value);
  } else if (Array.isArray(value)) {
    hash.update(`l${value.length}:`);
    for (const item of value) write(hash, item);
  } else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    hash.update(`o${members.length}:`);
    for (const [name, member] of members.sort(([one], [other]) => (one < other ? -1 : 1))) {
      write(hash, name);
      write(hash, member);
    }
  } else {
    const text = String(value);
    hash.update(`${typeof value}${Buffer.byteLength(text)}:`).update(text);
  }
};
