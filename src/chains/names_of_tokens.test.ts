import fc from "fast-check";
import { describe, expect, test } from "vitest";
import "../../test/draw.ts";
import { fromHex, type Hex, hex, toHex } from "../lib/bytes.ts";
import type { CallResult } from "./chain.ts";
import { numberIn, SELECTORS } from "./evm/abi.ts";
import { readMetadata } from "./evm/metadata.ts";
import { assetMetadata } from "./tron/state.ts";

const word = (value: bigint | number): Hex => hex(value.toString(16).padStart(64, "0"));
const bytes = (text: Hex): Uint8Array => fromHex(text) ?? new Uint8Array(0);

const asString = (text: string): Hex => {
  const written = Buffer.from(text, "utf8").toString("hex");
  return hex(word(32) + word(written.length / 2) + written.padEnd(Math.ceil(written.length / 64) * 64, "0"));
};

/** A contract defined by its return value of each function; an omitted function fails. */
const contractOf = async (returns: Readonly<Record<string, Hex>>) => {
  const answer = ({ data }: { readonly data: Hex }): CallResult => {
    const found = returns[data.slice(0, 8)];
    return found === undefined ? { ok: false, data: bytes("") } : { ok: true, data: bytes(found) };
  };
  const [metadata] = await readMetadata([hex("aa".repeat(20))], {
    call: async (calls) => calls.map(answer),
    codes: async () => [],
  });
  return metadata;
};

const HONEST = {
  [SELECTORS.name]: asString("Coin"),
  [SELECTORS.symbol]: asString("COIN"),
  [SELECTORS.decimals]: word(6),
  [SELECTORS.totalSupply]: word(10n ** 12n),
  [SELECTORS.balanceOf]: word(0),
};

describe("a token's name", () => {
  const HIDDEN = ["\u200b", "\u202e", "\u2066", "\u{e0041}", "\u00ad", "\ufeff"];

  test("with hidden characters is marked, from a string, bytes32 or a TRC-10 token, in name or symbol", async () => {
    const drawn = fc.stringMatching(/^[A-Z]{2,8}$/);
    const property = fc.asyncProperty(drawn, fc.constantFrom("", ...HIDDEN), async (text, hidden) => {
      const raw = text.slice(0, 1) + hidden + text.slice(1);
      const short = hex(Buffer.from(raw, "utf8").toString("hex").padEnd(64, "0"));
      const asset = { id: "1000001", precision: 0, total_supply: 1 };
      const utf8 = (value: string): Hex => toHex(Buffer.from(value, "utf8"));
      const tokens = [
        await contractOf({ ...HONEST, [SELECTORS.symbol]: asString(raw) }),
        await contractOf({ ...HONEST, [SELECTORS.symbol]: short }),
        await contractOf({ ...HONEST, [SELECTORS.name]: asString(raw) }),
        assetMetadata({ ...asset, name: utf8("Coin"), abbr: utf8(raw) }, utf8("1000001")),
        assetMetadata({ ...asset, name: utf8(raw), abbr: utf8("COIN") }, utf8("1000001")),
      ];
      expect(tokens.map((token) => token?.has_hidden)).toEqual(tokens.map(() => hidden !== ""));
      expect(tokens.map((token) => [token?.name, token?.symbol].includes(text))).toEqual(tokens.map(() => true));
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

describe("decimals and supply", () => {
  test("are the contract's values, up to the largest number", async () => {
    for (const places of [0, 6, 18, 32, 77, 255])
      expect((await contractOf({ ...HONEST, [SELECTORS.decimals]: word(places) }))?.decimals).toBe(places);
    const largest = (1n << 256n) - 1n;
    expect((await contractOf({ ...HONEST, [SELECTORS.totalSupply]: word(largest) }))?.total_supply).toBe(largest);
  });

  test("are unknown if the contract returns more than a uint8, less than a word, or a string", async () => {
    for (const garbage of [
      word(256),
      word((1n << 256n) - 1n),
      hex("20"),
      "",
      asString("18"),
      hex(word(32) + word(0)),
    ] as const) {
      const token = await contractOf({ ...HONEST, [SELECTORS.decimals]: garbage });
      expect(token, garbage).toMatchObject({ decimals: null, symbol: "COIN", standard: "erc20" });
    }
    expect((await contractOf({ ...HONEST, [SELECTORS.totalSupply]: asString("1000") }))?.total_supply).toBeNull();
  });

  test("are unknown for a contract that returns the same to every call", async () => {
    for (const said of [word(32), word(18), hex(word(32) + word(0)), asString("yes")]) {
      const every = Object.fromEntries(Object.values(SELECTORS).map((selector) => [selector, said]));
      expect(await contractOf(every), said).toMatchObject({
        ...{ standard: null, name: null, symbol: null, decimals: null, total_supply: null },
      });
    }
  });

  test("rejects a balance that is the beginning of a string", () => {
    expect(numberIn(bytes(word(32)))).toBe(32n);
    expect(numberIn(bytes(hex(word(32) + word(0))))).toBeNull();
    expect(numberIn(bytes(hex(word(7) + word(0))))).toBe(7n);
  });
});
