import { expect, test } from "vitest";
import { dangersOf } from "./dangers.ts";
import { leadOf } from "./lead.ts";
import { at } from "./read.ts";

test("grave findings of a transaction come first, the gravest before the others; lesser ones do not", () => {
  const risk_flags = [
    { code: "mixer_party", severity: "high", description: "A is a mixer." },
    { code: "approval_to_fresh_contract", severity: "medium", description: "B." },
    { code: "drain_pattern", severity: "critical", description: "V lost all." },
  ];
  expect(dangersOf("analyze_transaction", { risk_flags })).toEqual([
    { title: "The wallet was drained", text: "V lost all." },
    { title: "A mixer takes part", text: "A is a mixer." },
  ]);
  expect(dangersOf("get_wallet_stats", { risk_flags })).toEqual([]);
});

test("marks a copied token even with a published source", () => {
  const [danger] = dangersOf("get_token_info", {
    is_verified: true,
    impersonates: {
      canonical_address: "0xc0de",
      reason: "its symbol looks like USDC, which belongs to another address",
    },
  });
  expect(danger?.title).toBe("This token pretends to be another one");
  expect(danger?.text).toBe(
    "Its symbol looks like USDC, which belongs to another address. The token that it copies is 0xc0de. That its source is published proves nothing.",
  );
  expect(dangersOf("get_token_info", { is_verified: true, impersonates: null })).toEqual([]);
});

test("tokens in the sentence about a transaction have their symbol beside the address", () => {
  const token = `0x${"27".repeat(20)}`;
  const body = { transfers: [{ token, symbol: "JUN" }], asset_changes: [] };
  expect(leadOf(`0x${"3c".repeat(20)} swapped 5 ${token} for 3 USDC.`, body)).toBe(
    `0x${"3c".repeat(20)} swapped 5 JUN (0x272727…272727) for 3 USDC.`,
  );
});

test("a figure in parts is their sum, and not known where one part is not", () => {
  const body = { a: 71_146.5, left_out: { mints: 40_000, rewards: null } };
  expect(at(body, "a+left_out.mints")).toBe(111_146.5);
  expect(at(body, "a+left_out.mints+left_out.rewards")).toBeNull();
});
