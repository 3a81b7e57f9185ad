import { describe, expect, test } from "vitest";
import { base58Length, recognise } from "./recognise.ts";

const EVM = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
// USDT on Tron, and the token program and a signature of Solana.
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const SOLANA = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

describe("what was pasted is recognised by its form", () => {
  test.each([
    [EVM, "address", ["evm"]],
    [`  ${EVM.toLowerCase()}\n`, "address", ["evm"]],
    [`https://explorer.example/address/${EVM}?tab=tokens`, "address", ["evm"]],
    [TRON, "address", ["tron"]],
    ["41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "address", ["tron"]],
    [SOLANA, "address", ["solana"]],
    ["11111111111111111111111111111111", "address", ["solana"]],
    [SIGNATURE, "transaction", ["solana"]],
    [`0x${"ab".repeat(32)}`, "transaction", ["evm", "tron"]],
    ["ab".repeat(32), "transaction", ["tron", "evm"]],
  ])("%s", (text, kind, families) => {
    expect(recognise(text)).toEqual({ kind, families, text: expect.any(String) });
  });

  test.each([
    ["alice.eth", "name", "alice.eth"],
    ["jesse.base.eth", "name", "jesse.base.eth"],
    ["bonfida.sol", "name", "bonfida.sol"],
    ["USDC", "symbol", "USDC"],
    ["$PEPE", "symbol", "PEPE"],
    ["柴犬", "symbol", "柴犬"],
  ])("%s", (text, kind, found) => {
    expect(recognise(text)).toEqual({ kind, text: found });
  });

  test("what can be nothing is nothing: an address cut short, several words, an endless name", () => {
    for (const text of ["", "   ", EVM.slice(0, -1), "two words", "$", "x".repeat(33), `${"a".repeat(255)}.eth`])
      expect([text, recognise(text)]).toEqual([text, null]);
  });

  test("decodes leading ones of base58 as zero bytes and rejects other characters", () => {
    // 58 = "21" is one byte, 256 = "5R" (4 × 58 + 24) two; "1" is a zero byte.
    expect(["21", "5R", "111", "15R", "0", "l", ""].map(base58Length)).toEqual([1, 2, 3, 3, null, null, null]);
  });
});
