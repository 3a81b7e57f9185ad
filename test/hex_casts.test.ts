import { describe, expect, test } from "vitest";
import { hexCastsIn } from "./hex_casts.ts";

const IMPORT = 'import { type Hex, hex } from "../lib/bytes.ts";\n';

describe("a cast to hex is found", () => {
  test.each([
    ["of a text", "const a = text as Hex;"],
    ["by way of unknown", "const a = text as unknown as Hex;"],
    ["of a list", "const a = texts as readonly Hex[];"],
    ["within an object", "const a = row as { readonly token: Hex | null };"],
    ["of a tuple that is written down", 'const a = ["alice", "bob"] as [Hex, Hex];'],
    ["in angle brackets", "const a = <Hex>text;"],
  ])("%s", (_, text) => {
    expect(hexCastsIn("a.ts", IMPORT + text)).toEqual([2]);
  });

  test("under another name", () => {
    expect(hexCastsIn("a.ts", 'import type { Hex as Raw } from "./bytes.ts";\nconst a = text as Raw;')).toEqual([2]);
  });
});

test("ignores a tuple of hex, a type without a cast, and another Hex", () => {
  expect(hexCastsIn("a.ts", `${IMPORT}const a = ["aa"].map(hex) as [Hex];\nconst b: Hex = hex("aa");`)).toEqual([]);
  expect(hexCastsIn("a.ts", 'import type { Hex } from "viem";\nconst a = text as Hex;')).toEqual([]);
});
