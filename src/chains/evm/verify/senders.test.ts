import { getAddress, numberToHex, recoverAddress } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { keccak256, toHex } from "../../../lib/bytes.ts";
import { BadAnswer } from "../../node/answer.ts";
import { type Senders, sendersIn, signerOf } from "./senders.ts";
import { SIGNATURE } from "./signatures.ts";
import { OWN_THREAD } from "./signer_threads.ts";

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const P = 2n ** 256n - 2n ** 32n - 977n;
/** x of the base point (SEC 2, 2.4.1); its y is even. */
const GX = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
/** Addresses of the keys 1 and 2: of the base point and of twice it. */
const OF_KEY_1 = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
const OF_KEY_2 = "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF";

interface SignedHash {
  readonly hash: bigint;
  readonly r: bigint;
  readonly s: bigint;
  readonly odd: number;
}

const bytesOf = ({ hash, r, s, odd }: SignedHash): Buffer => {
  const bytes = Buffer.alloc(SIGNATURE.length);
  for (const [i, value] of [hash, r, s].entries())
    bytes.set(Buffer.from(value.toString(16).padStart(64, "0"), "hex"), 32 * i);
  bytes.writeUInt32LE(odd, 96);
  return bytes;
};

const recoverSenders = async (signatures: Buffer): Promise<Senders> =>
  sendersIn(signatures, await OWN_THREAD.recover(signatures));

const signer = (signed: SignedHash): string | null => {
  const bytes = bytesOf(signed);
  const found = signerOf(bytes.subarray(0, 32), { rs: bytes.subarray(32, 96), odd: signed.odd });
  return found === null ? null : getAddress(`0x${toHex(found)}`);
};

/** Numbers from a hash of their name: the same in every run. */
const numberOf = (name: string): bigint => BigInt(`0x${toHex(keccak256(Buffer.from(name)))}`);

const random = async (place: number) => {
  const key = numberToHex((numberOf(`key ${place % 7}`) % (N - 1n)) + 1n, { size: 32 });
  const hash = numberToHex(numberOf(`hash ${place}`), { size: 32 });
  const { r, s, yParity = 0 } = await sign({ hash, privateKey: key });
  const low = { hash: BigInt(hash), r: BigInt(r), s: BigInt(s), odd: yParity };
  // Before Homestead s might be high: the other root with the other sign is the same key.
  const signed = place % 3 === 0 ? { ...low, s: N - low.s, odd: 1 - yParity } : low;
  return { signed, address: privateKeyToAddress(key) };
};

describe("who signed", () => {
  test("the example of EIP-155 was signed by the key 0x46…46", () => {
    const signed = {
      hash: 0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53n,
      r: 0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276n,
      s: 0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83n,
      odd: 0,
    };
    expect(signer(signed)).toBe("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F");
  });

  test("recovers many signers at once, and each of them alone", async () => {
    const all = await Promise.all(Array.from({ length: 300 }, (_, place) => random(place)));
    const { list, unsigned } = await recoverSenders(Buffer.concat(all.map(({ signed }) => bytesOf(signed))));
    expect(list.map((one) => one && getAddress(`0x${toHex(one)}`))).toEqual(all.map(({ address }) => address));
    expect(unsigned).toBe(0);
    for (const { signed, address } of all.slice(0, 20)) expect(signer(signed)).toBe(address);
  });

  test("signatures made without a key recover as in @noble/curves: any hash, any s, any x of the curve", async () => {
    for (let place = 0; place < 60; place += 1) {
      const signed = { ...(await random(place)).signed, s: (numberOf(`s ${place}`) % (N - 1n)) + 1n };
      const [hash, r, s] = [signed.hash, signed.r, signed.s].map((value) => numberToHex(value, { size: 32 }));
      if (hash === undefined || r === undefined || s === undefined) throw new Error("three numbers");
      expect(signer(signed)).toBe(await recoverAddress({ hash, signature: { r, s, yParity: signed.odd } }));
    }
  });
});

describe("sums of points that meet on the way", () => {
  // With R = G the key is (s / r - z / r) * G.
  const sum = (ofR: bigint, ofG: bigint) =>
    signer({ hash: (((-ofG * GX) % N) + N) % N, r: GX, s: (((ofR * GX) % N) + N) % N, odd: 0 });

  test("G + G is twice G, 3 G - G too", () => {
    expect(sum(1n, 1n)).toBe(OF_KEY_2);
    expect(sum(3n, -1n)).toBe(OF_KEY_2);
    expect(sum(-1n, 3n)).toBe(OF_KEY_2);
  });

  test("a hash of zero leaves R alone", () => expect(sum(1n, 0n)).toBe(OF_KEY_1));
  test("a hash of n counts as zero", () => expect(signer({ hash: N, r: GX, s: GX, odd: 0 })).toBe(OF_KEY_1));
  test("a hash is taken modulo n", () =>
    expect(signer({ hash: 2n ** 256n - 1n, r: GX, s: GX, odd: 0 })).toBe(
      signer({ hash: 2n ** 256n - 1n - N, r: GX, s: GX, odd: 0 }),
    ));

  test("a sum that is not a point has no signer, whatever it passes through", () => {
    expect(sum(1n, -1n)).toBeNull();
    for (const factor of [2n, 3n, 15n, 2n ** 64n + 1n, 2n ** 128n, N / 2n, numberOf("factor") % N])
      expect(sum(factor, -factor)).toBeNull();
  });

  test("large parts with a small sum are that sum", () => {
    for (const part of [2n ** 127n, 2n ** 129n - 1n, 2n ** 255n, numberOf("part") % N])
      expect(sum(part, 2n - part)).toBe(OF_KEY_2);
  });
});

describe("signatures that no key can have made", () => {
  const good = { hash: 1n, r: GX, s: 1n, odd: 0 };

  test.each([
    ["r is zero", { ...good, r: 0n }],
    ["s is zero", { ...good, s: 0n }],
    ["r is n", { ...good, r: N }],
    ["s is n", { ...good, s: N }],
    ["r is the field's p", { ...good, r: P }],
    ["r is all ones", { ...good, r: 2n ** 256n - 1n }],
    // 5^3 + 7 = 132 has no root modulo p.
    ["r is no x of the curve", { ...good, r: 5n }],
    ["the parity is neither 0 nor 1", { ...good, odd: 2 }],
  ])("%s", (_, signed) => expect(signer(signed)).toBeNull());

  test("names the invalid one among others, and recovers the others", async () => {
    const bad = bytesOf({ ...good, r: 5n });
    const fine = bytesOf((await random(1)).signed);
    await expect(recoverSenders(Buffer.concat([fine, bad, fine]))).rejects.toThrow(
      new BadAnswer("the signature of transaction 1 is invalid", "signature"),
    );
    const hashed = bytesOf({ hash: 0n, r: 0n, s: 0n, odd: 2 });
    const without = bytesOf({ hash: 0n, r: 0n, s: 0n, odd: 3 });
    const { list, unsigned } = await recoverSenders(Buffer.concat([hashed, fine, without, fine]));
    const address = (await random(1)).address.toLowerCase();
    expect(list.map((one) => one && `0x${toHex(one)}`)).toEqual([null, address, null, address]);
    expect(unsigned).toBe(1);
  });

  test("no signatures have no senders", async () =>
    expect(await recoverSenders(Buffer.alloc(0))).toEqual({ list: [], unsigned: 0 }));
});
