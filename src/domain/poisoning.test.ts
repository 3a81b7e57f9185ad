import { describe, expect, test } from "vitest";
import { ADDRESSES } from "../chains/addresses.ts";
import { hex } from "../lib/bytes.ts";
import { comparedOn, facesOf, type LureFacts, likenessOf, lureOf, poisonConfidence } from "./poisoning.ts";

describe("likeness", () => {
  test("needs three and four characters, or two and six, and counts all that are shared", () => {
    expect(likenessOf("abc00000001234", "abc99999991234")).toBe(7);
    expect(likenessOf("ab000000123456", "ab999999123456")).toBe(8);
    expect(likenessOf("abcd0000001234", "abcd9999991234")).toBe(8);
    expect(likenessOf("ab000000012345", "ab999999912345")).toBe(0);
    expect(likenessOf("abc00000000234", "abc99999999234")).toBe(0);
    expect(likenessOf("abc", "abc")).toBe(0);
  });

  test("holds exactly where a face is common", () => {
    expect(facesOf("abcdef0123456789")).toEqual(["3:abc6789", "2:ab456789"]);
  });

  test("of Tron and Solana is that of the written address, of EVM that of the bytes", () => {
    const tron = ADDRESSES.tron.parseAddress("TCFLL5dx5ZJdKnWuesXxi1VPwjLVmWZZy9");
    if (tron === null) throw new Error("no address");
    const on_tron = comparedOn(ADDRESSES.tron, tron);
    expect([on_tron.is_hex, on_tron.textOf(tron)]).toEqual([false, "CFLL5dx5ZJdKnWuesXxi1VPwjLVmWZZy9"]);
    const evm = hex("ab".repeat(20));
    expect(comparedOn(ADDRESSES.evm, evm).textOf(evm)).toBe(evm);
    expect(comparedOn(ADDRESSES.solana, hex("00".repeat(32))).textOf(hex("00".repeat(32)))).toBe("1".repeat(32));
  });
});

test("a lure moves nothing of worth and is not signed by the wallet", () => {
  const moved: LureFacts = {
    ...{ is_incoming: true, is_sent_by_wallet: false, is_token: true, amount: 5n, value_usd: 0.5, is_copy: false },
  };
  const lures = (more: Partial<LureFacts>) => lureOf({ ...moved, ...more });
  expect(lures({})).toBe("dust");
  expect(lures({ value_usd: 1 })).toBeNull();
  expect(lures({ is_incoming: false })).toBeNull();
  expect(lures({ amount: 0n, is_incoming: false })).toBe("zero_value");
  expect(lures({ is_copy: true, value_usd: 900 })).toBe("fake_asset");
  expect(lures({ value_usd: null, is_incoming: false })).toBe("unpriced_token");
  // Coins without a price may be a fortune.
  expect(lures({ value_usd: null, is_token: false })).toBeNull();
  expect(lures({ amount: 0n, is_sent_by_wallet: true })).toBeNull();
});

test("each further shared character halves the doubt, and one percent remains", () => {
  expect([7, 8, 9].map((likeness) => poisonConfidence("dust", likeness))).toEqual([0.9, 0.95, 0.975]);
  expect([poisonConfidence("zero_value", 7), poisonConfidence("unpriced_token", 7)]).toEqual([0.95, 0.8]);
  expect(poisonConfidence("fake_asset", 20)).toBe(0.99);
});
