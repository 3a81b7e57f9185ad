import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { BadAnswer } from "../node/answer.ts";
import { authorizationsOf } from "./authorizations.ts";

const ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;
const account = privateKeyToAccount(`0x${"4c".repeat(32)}`);
const DELEGATE = `0x${"a7".repeat(20)}` as const;
const quantity = (value: bigint | number): string => `0x${value.toString(16)}`;

const signed = async (nonce: number, chainId = 1) => {
  const { r, s, yParity } = await account.signAuthorization({ contractAddress: DELEGATE, chainId, nonce });
  const told = { address: DELEGATE, chainId: quantity(chainId), nonce: quantity(nonce) };
  return { ...told, r: quantity(BigInt(r)), s: quantity(BigInt(s)), yParity: quantity(yParity ?? 2) };
};
const authorities = (list: readonly object[]): (string | null)[] =>
  authorizationsOf(list).map(({ authority }) => authority && `0x${Buffer.from(authority).toString("hex")}`);

describe("an authorization", () => {
  test("has the authority that signed it", async () => {
    const list = await Promise.all([0, 1, 127, 128, 255, 256, 2 ** 40].map((nonce) => signed(nonce)));
    const everywhere = await signed(7, 0);
    const mine = account.address.toLowerCase();
    expect(authorities([...list, everywhere])).toEqual(Array.from({ length: 8 }, () => mine));
    const [first] = list;
    expect(authorities([{ ...first, yParity: undefined, v: first?.yParity }])).toEqual([mine]);
    expect(authorizationsOf([everywhere])[0]).toMatchObject({ chain_id: 0n, nonce: 7n });
  });

  test("has no authority if the chain rejects the signature", async () => {
    const one = await signed(3);
    const other_s = { ...one, s: quantity(ORDER - BigInt(one.s)), yParity: quantity(1 - Number(one.yParity)) };
    const faulty = [other_s, { ...one, r: "0x0" }, { ...one, s: "0x0" }, { ...one, yParity: "0x2" }];
    faulty.push({ ...one, r: quantity(ORDER) });
    expect(authorities(faulty)).toEqual(faulty.map(() => null));
  });

  test("with changed fields has another authority", async () => {
    const one = await signed(3);
    for (const changed of [{ nonce: "0x4" }, { chainId: "0x2" }, { address: `0x${"a8".repeat(20)}` }])
      expect(authorities([{ ...one, ...changed }])).not.toContain(account.address.toLowerCase());
  });

  test("is rejected if it is malformed", async () => {
    expect(authorizationsOf(undefined)).toEqual([]);
    const one = await signed(3);
    for (const told of [
      "x",
      [null],
      [{ ...one, nonce: "3" }],
      [{ ...one, r: undefined }],
      [{ ...one, r: quantity(2n ** 256n) }],
    ])
      expect(() => authorizationsOf(told)).toThrow(BadAnswer);
    expect(() => authorizationsOf(Array.from({ length: 4_097 }, () => one))).toThrow(BadAnswer);
  });
});
