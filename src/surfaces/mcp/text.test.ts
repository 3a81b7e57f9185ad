import fc from "fast-check";
import { expect, test } from "vitest";
import { tokensAtMost } from "../view/token_count.ts";
import { fitText, TEXT_TOKENS_MAX } from "./text.ts";

test("the estimate is above what o200k and cl100k count", () => {
  // Counted with gpt-tokenizer 3 (o200k_base, cl100k_base); the larger of the two.
  expect(tokensAtMost(`0x${"ab12cd".repeat(7)}`)).toBeGreaterThanOrEqual(22);
  // A signature and an address of Solana, with more letters in a row than digits keep apart.
  expect(
    tokensAtMost("5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"),
  ).toBeGreaterThanOrEqual(62);
  expect(tokensAtMost("AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9")).toBeGreaterThanOrEqual(30);
  expect(tokensAtMost("1234567890123456789012345678")).toBeGreaterThanOrEqual(10);
  expect(tokensAtMost("😀🎉🧿🪬".repeat(5))).toBeGreaterThanOrEqual(55);
  expect(tokensAtMost("ℌ𝔢𝔩𝔩𝔬 𝕎𝕠𝕣𝕝𝕕")).toBeGreaterThanOrEqual(30);
  expect(tokensAtMost("ꙮꙮꙮꙮ꙰")).toBeGreaterThanOrEqual(15);
  expect(tokensAtMost('{"a":[[],[],[{}]],"b":null}')).toBeGreaterThanOrEqual(13);
});

test("what fits is whole, raw amounts as text", () => {
  expect(fitText({ amount_raw: 7n, rows: [1, 2] }, 100)).toEqual({
    text: '{"amount_raw":"7","rows":[1,2]}',
    is_whole: true,
  });
});

test("lists keep as many rows as fit and say how many are missing", () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ n, address: "ab".repeat(20) }));
  const { text, is_whole } = fitText({ type: "rows", rows }, 600);
  expect(is_whole).toBe(false);
  const shown = JSON.parse(text);
  // A row is 40 hex digits at 1.55 a token, and 6 to 8 more: 15 are some 500 tokens, 20 would be 650 and more.
  expect(shown.rows.slice(0, -1)).toEqual(rows.slice(0, 15));
  expect(shown.rows.at(-1)).toBe("… 985 more");
});

test("long texts are cut at a character, deep members at a level", () => {
  const text = fitText({ source: `${"x".repeat(399)}é${"y".repeat(9_000)}` }, 500).text;
  expect(JSON.parse(text).source).toBe(`${"x".repeat(399)}…`);
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`member_${n}`, { deep: "z".repeat(90) }]));
  expect(JSON.parse(fitText({ wide }, 1_000).text).wide.member_0).toBe("…");
});

test("whatever the value, the text is JSON within its tokens", () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }), { maxKeys: 400 });
  fc.assert(
    fc.property(values, fc.integer({ min: 20, max: TEXT_TOKENS_MAX }), (value, tokens) => {
      const { text, is_whole } = fitText(value, tokens);
      expect(tokensAtMost(text)).toBeLessThanOrEqual(tokens);
      if (is_whole) expect(text).toBe(JSON.stringify(value));
      else JSON.parse(text);
    }),
    { numRuns: 200 },
  );
});
