import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "./bytes.ts";
import { addressAt, intAt, uintAt } from "./words.ts";

const wordOf = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, "0"), "hex"));

test("reads unsigned and signed words as they were written", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n }), (value) => {
      const data = new Uint8Array([...wordOf(1n), ...wordOf(value)]);
      expect(uintAt(data, 1)).toBe(BigInt.asUintN(256, value));
      expect(intAt(data, 1)).toBe(BigInt.asIntN(256, value));
    }),
  );
});

test("counts bytes beyond the end as zero", () => {
  expect(uintAt(Uint8Array.of(1), 0)).toBe(1n << 248n);
  expect(uintAt(Uint8Array.of(1), 1)).toBe(0n);
});

test("takes the last twenty bytes of a complete word as an address", () => {
  const word = Uint8Array.from({ length: 32 }, (_, at) => at);
  expect(toHex(addressAt(word, 0))).toBe("0c0d0e0f101112131415161718191a1b1c1d1e1f");
  expect(addressAt(word.subarray(0, 31), 0).length).toBe(0);
  expect(addressAt(word, 1).length).toBe(0);
});
