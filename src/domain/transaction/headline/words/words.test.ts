import { describe, expect, test } from "vitest";
import { type Bytes, type Hex, hex, keccak256, toHex } from "../../../../lib/bytes.ts";
import { nameOf, signatureOf } from "../methods.ts";
import { EVENTS, eventWords, FUNCTIONS, functionWords, WORD_GROUPS } from "./index.ts";
import { signaturesOf } from "./vocabulary.ts";

const hashOf = (signature: string): Bytes => keccak256(new TextEncoder().encode(signature));
const selectorOf = (signature: string): Hex => toHex(hashOf(signature).subarray(0, 4));

describe("words are found by their hashes", () => {
  test("every event, and by its whole topic alone", () => {
    const missing = [...signaturesOf(EVENTS)].filter(
      (signature) => !eventWords(hashOf(signature)).some((word) => word.signature === signature),
    );
    expect(missing).toEqual([]);
    const near = hashOf("Staked(address,uint256)").slice();
    near[31] = (near[31] ?? 0) ^ 1;
    expect(eventWords(near)).toEqual([]);
  });

  test("every function", () => {
    const missing = [...signaturesOf(FUNCTIONS)].filter(
      (signature) => !functionWords(selectorOf(signature)).some((word) => word.signature === signature),
    );
    expect(missing).toEqual([]);
  });

  test("a listed word wins over a family, and stays with all its groups", () => {
    // Both groups list it for Uniswap v4.
    const words = functionWords(selectorOf("modifyLiquidities(bytes,uint256)"));
    expect(words.map(({ type }) => type)).toEqual(["add_liquidity", "remove_liquidity"]);
    // `deposit` is a family too.
    expect(functionWords(selectorOf("deposit(uint256,address)")).some(({ is_family }) => is_family)).toBe(false);
    expect(functionWords(selectorOf("deposit(uint256)")).map(({ is_family }) => is_family)).toEqual([true]);
  });

  test("half a selector finds nothing", () => {
    expect([functionWords(""), functionWords(hex("a9"))]).toEqual([[], []]);
    expect(eventWords(new Uint8Array(0))).toEqual([]);
  });
});

describe("a function that makes a headline", () => {
  test("has a name wherever calls are listed", () => {
    const functions = WORD_GROUPS.flatMap((group) => group.functions ?? []);
    expect(functions.filter((signature) => signatureOf(selectorOf(signature)) === null)).toEqual([]);
    expect(nameOf(selectorOf("swapCompact()"))).toBe("swapCompact");
    // A family's name is a guess of what it takes, and is not shown.
    expect(nameOf(selectorOf("zapOutETH(uint256,address)"))).toBeNull();
  });
});
