import { describe, expect, test } from "vitest";
import { BadAnswer } from "../node/answer.ts";
import { parseLossless } from "../node/lossless_json.ts";
import { LazyJson, parseBlockAnswer } from "./long_answer.ts";

/** Makes an answer long without changing its content. */
const PADDING = " ".repeat(70_000);
const answer = (list: string): string =>
  `{"jsonrpc":"2.0",${PADDING}"id":1,"result":{"a":[1],"transactions":${list},"b":{"c":2}}}`;

const read = (text: string): unknown => {
  const { result, ...rest } = Object(parseBlockAnswer(Buffer.from(text)));
  const transactions = result.transactions.map((item: unknown) => (item instanceof LazyJson ? item.parse() : item));
  return { ...rest, result: { ...result, transactions } };
};

describe("a long answer", () => {
  test("equals the answer parsed at once, integers of any size included", () => {
    const lists = [
      "[]",
      "[ ]",
      "[1]",
      '[{"x":[1,[2,{}]],"y":"]},{"},{"x":"\\\\\\"],[" , "n":12345678901234567890},"t",null,-3.5e2]',
      `[${Array.from({ length: 500 }, (_, i) => `{"i":${i}}`).join(" , ")}]`,
    ];
    for (const list of lists) expect(read(answer(list))).toEqual(parseLossless(answer(list)));
    expect(Object(parseBlockAnswer(Buffer.from(answer("[1]")))).result.transactions[0]).toBeInstanceOf(LazyJson);
  });

  test("is parsed at once if the first list of that name is not the block's", () => {
    const text = `{${PADDING}"other":{"transactions":[1,2]},"result":{"transactions":[3]}}`;
    expect(parseBlockAnswer(Buffer.from(text))).toEqual({
      other: { transactions: [1, 2] },
      result: { transactions: [3] },
    });
  });

  test("is rejected if it is not JSON, is cut off or nested too deeply", () => {
    for (const list of ["[,]", "[1,,2]", "[1,]", "[{]", "[}1]", '["a]', "[1"])
      expect(() => read(answer(list)), list).toThrow(BadAnswer);
    expect(() => read(answer(`[${"1,".repeat(65_536)}1]`))).toThrow("more transactions than a block may have");
    expect(() => read(answer(`[${"[".repeat(5_000)}${"]".repeat(5_000)}]`))).toThrow("nested too deeply");
  });
});
