import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../lib/bytes.ts";
import { mayDelegate, selectorsIn } from "./code_scan.ts";

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, "hex"));

describe("selectors", () => {
  test("are what the code compares with the called one, ascending", () => {
    // DUP1 PUSH4 a9059cbb EQ PUSH2 0010 JUMPI, DUP1 PUSH4 06fdde03 EQ …
    expect(selectorsIn(bytes("8063a9059cbb1461001057806306fdde031461002057"))).toEqual(["06fdde03", "a9059cbb"]);
  });

  test("are found where the called one is fetched to the front first", () => {
    expect(selectorsIn(bytes("63a9059cbb8114610010"))).toEqual(["a9059cbb"]); // PUSH4 DUP2 EQ
  });

  test("are not what the code only passes on, a mask, or bytes inside a longer push", () => {
    expect(selectorsIn(bytes("6370a0823160e01b5f52"))).toEqual([]); // PUSH4 PUSH1 SHL PUSH0 MSTORE: a call of balanceOf
    expect(selectorsIn(bytes("63ffffffff1614"))).toEqual([]);
    expect(selectorsIn(bytes(`68${"63a9059cbb14"}000000`))).toEqual([]); // PUSH9
  });

  test("end with the code, also in the middle of a push", () => {
    expect(selectorsIn(bytes("8063a905"))).toEqual([]);
    expect(selectorsIn(new Uint8Array(0))).toEqual([]);
  });
});

describe("code", () => {
  test("may delegate only by the instruction, not by its byte in a constant", () => {
    expect(mayDelegate(bytes("5b5af4"))).toBe(true);
    expect(mayDelegate(bytes("60f45b"))).toBe(false);
    expect(mayDelegate(bytes("7ff4"))).toBe(false);
  });
});
