import { expect, test } from "vitest";
import { BadAnswer } from "./answer.ts";
import { integerOf, parseLossless } from "./lossless_json.ts";

test("an integer beyond 2^53 keeps its last digit, and a smaller one is a number", () => {
  // 2^63 - 1, the largest int64.
  const read = parseLossless('{"amount":9223372036854775807,"height":56804500,"below":-9223372036854775807}');
  expect(read).toEqual({ amount: "9223372036854775807", height: 56804500, below: "-9223372036854775807" });
  expect(integerOf("9223372036854775807", "amount")).toBe(9_223_372_036_854_775_807n);
  expect(integerOf(7, "amount")).toBe(7n);
});

test("digits inside strings and fractions stay unchanged", () => {
  const text = '{"a":"x:1234567890123456789,","b":"\\"[12345678901234567890","c":[1234567890123456789],"d":0.25}';
  expect(parseLossless(text)).toEqual({
    a: "x:1234567890123456789,",
    b: '"[12345678901234567890',
    c: ["1234567890123456789"],
    d: 0.25,
  });
});

test("a long fraction or exponent beside a long integer stays a number", () => {
  const text = '{"a":12345678901234567,"b":0.30000000000000004,"c":-1.5000000000000000e-0000000000000001}';
  expect(parseLossless(text)).toEqual({ a: "12345678901234567", b: 0.1 + 0.2, c: -0.15 });
});

test.each([[1.5], [2 ** 53], ["12a"], [""], [null], [undefined]])("rejects %j as an integer", (value) => {
  expect(() => integerOf(value, "amount")).toThrow(BadAnswer);
});
