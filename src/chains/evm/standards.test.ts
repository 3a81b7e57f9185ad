import { describe, expect, test } from "vitest";
import { EMPTY, fromHex, type Hex, hex } from "../../lib/bytes.ts";
import type { CallResult, ContractCall } from "../chain.ts";
import { SELECTORS } from "./abi.ts";
import { readMetadata } from "./metadata.ts";

const TOKEN = hex("aa".repeat(20));
const word = (value: bigint | number): Hex => hex(value.toString(16).padStart(64, "0"));
const bytes = (text: string): Uint8Array => fromHex(hex(text)) ?? EMPTY;

/** `PUSH4 ownerOf EQ`, as dispatchers compare; `PUSH4 ownerOf PUSH1 e0 SHL`, as callers of another contract encode. */
const OWN_FUNCTION = `8063${SELECTORS.ownerOf}14610055575b`;
const CALL_OF_OTHER = `63${SELECTORS.ownerOf}60e01b8152`;
const PROXY = "363d3d373d3d3d363d73bebebebebebebebebebebebebebebebebebebebe5af43d82803e903d91602b57fd5bf3"; // EIP-1167
const claim = (id: string) => SELECTORS.supportsInterface + id;

interface TestContract {
  readonly code?: string;
  /** Return value by the beginning of the call data; an absent function reverts without data. */
  readonly returns: Readonly<Record<string, Hex>>;
  readonly reverts?: Readonly<Record<string, string>>;
}

const standardOf = async ({ code = "", returns, reverts = {} }: TestContract) => {
  const answer = ({ data }: ContractCall): CallResult => {
    const found = Object.keys(returns).find((start) => data.startsWith(start));
    if (found !== undefined) return { ok: true, data: bytes(returns[found] ?? "") };
    return { ok: false, data: bytes(reverts[data.slice(0, 8)] ?? "") };
  };
  const [metadata] = await readMetadata([TOKEN], {
    call: async (calls) => calls.map(answer),
    codes: async () => [bytes(code)],
  });
  return metadata;
};

const SUPPLY = { [SELECTORS.totalSupply]: word(900), [SELECTORS.balanceOf]: word(0) };
const COIN = { ...SUPPLY, [SELECTORS.decimals]: word(6) };
const YES = word(1);

describe("the standard of a token follows from what its contract is and does", () => {
  const cases: readonly (readonly [string, TestContract, string | null])[] = [
    ["a coin", { returns: COIN }, "erc20"],
    ["a coin without decimals", { returns: SUPPLY }, "erc20"],
    ["a coin that asks a collection for owners", { code: CALL_OF_OTHER, returns: COIN }, "erc20"],
    ["a hybrid", { code: OWN_FUNCTION, returns: COIN }, "erc404"],
    ["a hybrid behind a proxy", { code: PROXY, returns: { ...COIN, [SELECTORS.ownerOf]: word(0) } }, "erc404"],
    ["a collection by ERC-165", { returns: { ...SUPPLY, [claim("80ac58cd")]: YES } }, "erc721"],
    ["a collection by the draft's id", { returns: { ...SUPPLY, [claim("9a20483d")]: YES } }, "erc721"],
    ["a collection without ERC-165", { code: OWN_FUNCTION, returns: SUPPLY }, "erc721"],
    [
      "a collection behind a proxy, whose ids revert with a reason",
      { code: PROXY, returns: SUPPLY, reverts: { [SELECTORS.ownerOf]: "ceea21b6" } },
      "erc721",
    ],
    [
      "a coin behind a proxy that reverts with a reason for every unknown function",
      { code: PROXY, returns: SUPPLY, reverts: { [SELECTORS.ownerOf]: "ceea21b6", ffffffff: "ceea21b6" } },
      "erc20",
    ],
    ["many collections in one", { returns: { [claim("d9b67a26")]: YES } }, "erc1155"],
    ["a contract that says yes to everything", { returns: { [SELECTORS.supportsInterface]: YES } }, null],
    ["a registry of owners without balances", { code: OWN_FUNCTION, returns: {} }, null],
  ];
  test.each(cases)("%s", async (_, contract, want) => {
    expect((await standardOf(contract))?.standard).toBe(want);
  });

  test("an account that runs a token's code is no token", async () => {
    const found = await standardOf({ code: `ef0100${"be".repeat(20)}`, returns: COIN });
    expect(found).toEqual({
      ...{ token: TOKEN, standard: null, name: null, symbol: null, decimals: null, total_supply: null },
      is_account: true,
    });
  });
});
