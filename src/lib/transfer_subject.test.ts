import { expect, test } from "vitest";
import { hex } from "./bytes.ts";
import { readTransferSubject, transferSubject } from "./transfer_subject.ts";

const transfer = { tx_hash: hex("1d".repeat(32)), asset: hex(""), direction: "out" as const };

test("a transfer keeps its method", () => {
  for (const method of ["haircut", "fifo", "poison"] as const)
    expect(readTransferSubject(transferSubject({ ...transfer, method }))).toEqual({ ...transfer, method });
});

test("a subject of before the choice is the haircut's, and one with the haircut is the same text", () => {
  const early = `${"1d".repeat(32)}::out`;
  expect(readTransferSubject(early)).toEqual({ ...transfer, method: "haircut" });
  expect(transferSubject({ ...transfer, method: "haircut" })).toBe(early);
});
