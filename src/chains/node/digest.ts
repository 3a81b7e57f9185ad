/** One hash for equal values, however they were sent: what endpoints are compared by. */
import { createHash, type Hash } from "node:crypto";

/** Of plain objects, lists, bytes and simple values; members in the order of their names, undefined ones left out. */
export const digestOf = (value: unknown): string => {
  const hash = createHash("sha256");
  write(hash, value);
  return hash.digest("hex");
};

/** Each value begins with its kind and, where it is not told by itself, its length. */
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
