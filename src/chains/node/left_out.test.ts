import { expect, test } from "vitest";
import { LeftOut } from "./left_out.ts";
import { RpcError } from "./refusal.ts";

const signal = new AbortController().signal;
const failure = (message: string) => new RpcError(-32000, message, undefined);

test("an endpoint whose member lacks a block gets one more request, and no third one", async () => {
  const left_out = new LeftOut(new Set(["outvoted"]));
  expect(left_out.lacks("late", failure("header not found"))).toBe(true);
  expect(left_out.lacks("pruned", failure("missing trie node 0a"))).toBe(true);
  expect(await left_out.again(signal)).toBe(true);
  expect([...left_out.slots]).toEqual(["outvoted", "pruned"]);
  expect(left_out.lacks("late", failure("header not found"))).toBe(true);
  expect(await left_out.again(signal)).toBe(false);
  expect([...left_out.slots]).toEqual(["outvoted", "pruned", "late"]);
});

test("an endpoint that failed otherwise is not left out", async () => {
  const left_out = new LeftOut<string>(new Set());
  expect(left_out.lacks("ill", failure("internal error"))).toBe(false);
  expect(left_out.lacks("ill", new Error("header not found"))).toBe(false);
  expect([left_out.slots.size, await left_out.again(signal)]).toEqual([0, false]);
});
