/** Random edits of the text of answers. */
import fc from "fast-check";

/** Characters inserted anywhere, and values and members inserted where values and members are. */
const PIECES = [...'"\\,:[]{}019-.eE+u \n', "null", "A", "z", "00", "41", "\u00e9", "[]", "\u0000", "1234567890123456"];
const VALUES = [
  "null",
  "-1",
  "1.5",
  "0",
  "7",
  '""',
  '"zz"',
  '"41"',
  "[]",
  "[{}]",
  "{}",
  "true",
  '"FAILED"',
  '"SUCCESS"',
  "1234567890123456",
  '"\\u0041"',
];
const NAMES = [
  "txID",
  "ret",
  "contractRet",
  "fee",
  "signature",
  "id",
  "log",
  "result",
  "blockNumber",
  "transactions",
  "constructor",
];
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
export const EDITS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("text"), where: place, put: fc.constantFrom(...PIECES) }),
    fc.record({ kind: fc.constant("value"), where: place, put: fc.constantFrom(...VALUES) }),
    fc.record({ kind: fc.constant("member"), where: place, put: fc.constantFrom(...NAMES) }),
  ),
  { maxLength: 2 },
);
type Edit = typeof EDITS extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

export const edited = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((now, { kind, where, put }) => {
    if (kind === "text") {
      const at = Math.floor(where * now.length);
      return now.slice(0, at) + put + now.slice(at + (where > 0.5 ? 1 : 0));
    }
    const places = [...now.matchAll(kind === "value" ? /(?<=[:[,])(?:"[^"]*"(?!:)|\d+)/g : /"[^"]*"(?=:)/g)];
    const found = places[Math.floor(where * places.length)];
    if (found === undefined) return now;
    const after = now.slice(found.index + found[0].length);
    return now.slice(0, found.index) + (kind === "value" ? put : `"${put}":${VALUES[put.length]},${found[0]}`) + after;
  }, text);
