import { describe, expect, test } from "vitest";
import { functionsIn } from "./function_limits.ts";

const body = Array.from({ length: 61 }, (_, i) => `  call(${i});`).join("\n");
const longest = (text: string): number => Math.max(...functionsIn("a.ts", text).map(({ lines }) => lines));
const most = (text: string): number => Math.max(...functionsIn("a.ts", text).map(({ parameters }) => parameters));

// 61 lines of calls between the first and the last line.
describe("finds a function of 63 lines", () => {
  test.each([
    ["declaration", `function a() {\n${body}\n}`],
    ["exported default declaration", `export default function () {\n${body}\n}`],
    ["arrow", `const a = () => {\n${body}\n};`],
    ["arrow whose type has arrows", `const a: () => () => void = () => () => {\n${body}\n};`],
    ["argument of a call", `run("a", async () => {\n${body}\n});`],
    ["method of an object literal", `const a = { async b() {\n${body}\n} };`],
    ["arrow of an object literal", `const a = { b: () => {\n${body}\n} };`],
    ["method of a returned object", `const a = () => ({ b() {\n${body}\n} });`],
    ["method of a class", `class A { static async *#b() {\n${body}\n} }`],
    ["field of a class", `class A { readonly b = () => {\n${body}\n}; }`],
    ["constructor", `class A { constructor() {\n${body}\n} }`],
    ["getter", `class A { get b() {\n${body}\n} }`],
    ["setter of an object literal", `const a = { set b(c: number) {\n${body}\n} };`],
    ["nested arrow", `class A { b() { return [1].map((one) => {\n${body}\n}); } }`],
  ])("%s", (_, text) => {
    expect(longest(text)).toBe(63);
  });
});

test("counts a method's lines from its name, over parameters on separate lines", () => {
  expect(
    functionsIn("a.ts", "const a = {\n  b(\n    c: number,\n    d: number,\n  ) {\n    return c + d;\n  },\n};"),
  ).toEqual([{ line: 2, lines: 6, parameters: 2 }]);
});

describe("finds four parameters", () => {
  test.each([
    ["declaration", "function a(b, c, d, e) {}"],
    ["arrow", "const a = (b, c, d, e) => b;"],
    ["types with commas", "const a = (b: Map<A, B>, { c, d }: C, [e]: D, f: (g: E, h: F) => G) => b;"],
    ["defaults and rest", "const a = (b = [1, 2], c = {}, d?: number, ...e: number[]) => b;"],
    ["method of an object literal", "const a = { b(c, d, e, f) {} };"],
    ["method of a class", "class A { #b<T>(c: T, d, e, f) {} }"],
    ["constructor with fields", "class A { constructor(private b: B, readonly c: C, d: D, e: E) {} }"],
    ["nested arrow", "const a = () => [].map((b) => [].reduce((c, d, e, f) => c));"],
    ["behind a type of this", "function a(this: A, b, c, d, e) {}"],
  ])("%s", (_, text) => {
    expect(most(text)).toBe(4);
  });
});

test("ignores parameters without a body", () => {
  const typesOnly = "interface A { b(c: 1, d: 2, e: 3, f: 4): void } type G = (c: 1, d: 2, e: 3, f: 4) => void;";
  expect(functionsIn("a.ts", typesOnly)).toEqual([]);
  expect(most("function a(this: A, b, { c, d, e, f }, g) {}")).toBe(3);
});

test("ignores the words of functions in texts and comments", () => {
  expect(functionsIn("a.ts", "// function a(b, c, d, e) {}\nconst a = `(b, c, d, e) => {}`;")).toEqual([]);
});

test("throws at a source that cannot be parsed, instead of finding no functions", () => {
  expect(() => functionsIn("a.ts", "const a = (")).toThrow("a.ts");
});
