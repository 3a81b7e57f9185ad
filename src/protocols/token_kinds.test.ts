import { expect, test } from "vitest";
import { settleMove } from "./token_kinds.ts";

const coin = { kind: "erc20", token_id: 0n, amount: 50_002n };
const piece = { kind: "erc721", token_id: 50_002n, amount: 1n };

test("the standard decides whether the number of a Transfer is an amount or an id", () => {
  // Axie Infinity indexes both sides and not the id; coins of phishers index their value, to look like collections.
  expect(settleMove(coin, "erc721")).toEqual({ kind: "erc721", token_id: 50_002n, amount: 1n });
  expect(settleMove(piece, "erc20")).toEqual({ kind: "erc20", token_id: null, amount: 50_002n });
  expect(settleMove({ ...piece }, "trc20")).toEqual({ kind: "trc20", token_id: null, amount: 50_002n });
  expect([settleMove(coin, "erc20"), settleMove(piece, "erc721")]).toEqual(["keep", "keep"]);
});

test("the pieces of a hybrid repeat its coins, and an account moves nothing", () => {
  expect([settleMove(coin, "erc404"), settleMove(piece, "erc404")]).toEqual(["keep", "drop"]);
  expect([settleMove(coin, "account"), settleMove(piece, "account")]).toEqual(["drop", "drop"]);
});

test("of a contract of unknown kind, only a log without indexed parts is no movement", () => {
  expect([settleMove(coin, ""), settleMove(piece, "")]).toEqual(["keep", "keep"]);
  expect(settleMove({ ...coin, is_bare: true }, "")).toBe("drop");
  expect(settleMove({ ...coin, is_bare: true }, "erc20")).toBe("keep");
  expect(settleMove({ ...coin, is_bare: true }, "erc721")).toEqual({ kind: "erc721", token_id: 50_002n, amount: 1n });
});

test("movements of other kinds are as the chain says", () => {
  for (const kind of ["native", "wrap", "erc1155", "spl"])
    for (const standard of ["erc20", "erc721", "erc404", ""])
      expect(settleMove({ ...coin, kind }, standard)).toBe("keep");
});
