import { numberToHex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { keccak256, toHex } from "../../../lib/bytes.ts";
import { rememberSigners, type Signers } from "./known_signers.ts";
import { CLAIM, claimsHold, recoverSome, SIGNATURE, SIGNER } from "./signatures.ts";
import { answersTo, type SignerWork } from "./signer_work.ts";

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const COUNT = 130;
const KEYS = 40;

interface SignedMessage {
  readonly bytes: Buffer;
  /** viem's. */
  readonly address: Buffer;
}

const signedBy = async (key: number, message: string): Promise<SignedMessage> => {
  const privateKey = numberToHex(BigInt(`0x${toHex(keccak256(Buffer.from(`key ${key}`)))}`) % N, { size: 32 });
  const hash = keccak256(Buffer.from(message));
  const { r, s, yParity = 0 } = await sign({ hash: `0x${toHex(hash)}`, privateKey });
  const bytes = Buffer.alloc(SIGNATURE.length);
  bytes.set(hash, SIGNATURE.hash);
  bytes.write(`${r.slice(2)}${s.slice(2)}`, SIGNATURE.rs, "hex");
  bytes.writeUInt32LE(yParity, SIGNATURE.how);
  return { bytes, address: Buffer.from(privateKeyToAddress(privateKey).slice(2), "hex") };
};

let all: readonly SignedMessage[];
beforeAll(async () => {
  all = await Promise.all(Array.from({ length: COUNT }, (_, at) => signedBy(at % KEYS, `message ${at}`)));
});

const answered = (bytes: Buffer): Buffer => recoverSome(bytes);

/** A signature with the key that the module itself recovers from another signature of the same key. */
const claimOf = ({ bytes }: SignedMessage, by: SignedMessage): Buffer => {
  const answer = answered(by.bytes);
  const key = answer.subarray(SIGNER.key);
  return Buffer.concat([bytes, key, by.address]);
};

const claims = (): Buffer[] => all.map((one, at) => claimOf(one, all[at % KEYS] ?? one));

const addedTo = (claim: Buffer, at: number, value: bigint): Buffer => {
  const changed = Buffer.from(claim);
  const old = BigInt(`0x${toHex(claim.subarray(at, at + 32))}`);
  changed.write((((old + value) % N) + N).toString(16).padStart(64, "0").slice(-64), at, "hex");
  return changed;
};

describe("claims checked together", () => {
  test("hold if each signature is by its key, any number of them", () => {
    for (const count of [0, 1, 2, 7, 48, COUNT]) expect(claimsHold(Buffer.concat(claims().slice(0, count)))).toBe(true);
  });

  test("hold for s in the upper half with the other parity: it is the same key", () => {
    const high = claims().map((claim) => {
      const changed = Buffer.from(claim);
      const s = BigInt(`0x${toHex(claim.subarray(64, 96))}`);
      changed.write((N - s).toString(16).padStart(64, "0"), 64, "hex");
      changed.writeUInt32LE(1 - claim.readUInt32LE(SIGNATURE.how), SIGNATURE.how);
      return changed;
    });
    expect(claimsHold(Buffer.concat(high))).toBe(true);
  });

  test("do not hold if one bit of one signature, key or address differs", () => {
    const list = claims().slice(0, 60);
    for (let bit = 0; bit < 8 * CLAIM.length; bit += 5) {
      const byte = bit >> 3;
      // Only the lowest bit of these 4 bytes has a meaning, and 4 bytes after it have none.
      if (byte >= SIGNATURE.how && byte < CLAIM.key && bit !== 8 * SIGNATURE.how) continue;
      // The first claim of a key brings the key of all.
      const at = bit % KEYS;
      const changed = list.map((claim) => Buffer.from(claim));
      const one = changed[at];
      if (one === undefined) throw new Error("a claim");
      one[byte] = (one[byte] ?? 0) ^ (1 << (bit & 7));
      expect([bit, claimsHold(Buffer.concat(changed))]).toEqual([bit, false]);
    }
  });

  test("do not hold by errors that cancel each other", () => {
    const [first, second, ...rest] = claims();
    if (first === undefined || second === undefined) throw new Error("two claims");
    const [s1, s2] = [first, second].map((claim) => BigInt(`0x${toHex(claim.subarray(64, 96))}`));
    // Of the sum of both equations, (z1 / s1) + (z2 / s2), nothing changes.
    const changed = [addedTo(first, 0, 12_345n * (s1 ?? 0n)), addedTo(second, 0, -12_345n * (s2 ?? 0n)), ...rest];
    for (let round = 0; round < 20; round += 1) expect(claimsHold(Buffer.concat(changed))).toBe(false);
  });

  test("by other known keys do not hold, nor by a point that is not of the curve", () => {
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error("two signatures");
    expect(claimsHold(claimOf(first, second))).toBe(false);
    const off = Buffer.from(claimOf(first, first));
    off.writeUInt8(off.readUInt8(CLAIM.key + 63) ^ 1, CLAIM.key + 63);
    off.set(keccak256(off.subarray(CLAIM.key, CLAIM.address)).subarray(12), CLAIM.address);
    expect(claimsHold(off)).toBe(false);
  });
});

describe("signers that are remembered", () => {
  const counted = (): { signers: Signers; work: SignerWork[] } => {
    const work: SignerWork[] = [];
    const signers = rememberSigners(async (one) => {
      work.push(one);
      return Buffer.concat([...answersTo(one, 64)]);
    });
    return { signers, work };
  };
  const signatures = () => Buffer.concat(all.map(({ bytes }) => bytes));
  const stated = () => Buffer.concat(all.map(({ address }) => address));
  const found = (answers: Buffer): string[] =>
    all.map((_, at) => answers.toString("hex", at * SIGNER.length, at * SIGNER.length + 20));
  const expected = () => all.map(({ address }) => address.toString("hex"));

  test("are recovered once, and then only checked", async () => {
    const { signers, work } = counted();
    for (let round = 0; round < 3; round += 1)
      expect(found(await signers.recover(signatures(), stated()))).toEqual(expected());
    expect(work.map((one) => one.claims.length / CLAIM.length)).toEqual([0, COUNT, COUNT]);
    expect(work.map((one) => one.signatures.length / SIGNATURE.length)).toEqual([COUNT, 0, 0]);
  });

  test("keep the order of the signatures when some are unknown", async () => {
    const { signers, work } = counted();
    const half = all.filter((_, at) => at % KEYS < KEYS / 2);
    await signers.recover(Buffer.concat(half.map(({ bytes }) => bytes)));
    expect(found(await signers.recover(signatures(), stated()))).toEqual(expected());
    expect(work.at(-1)?.claims.length).toBe(half.length * CLAIM.length);
  });

  test("are the recovered ones if the node states others, or none", async () => {
    const { signers, work } = counted();
    await signers.recover(signatures());
    const others = Buffer.concat([...all.slice(1), ...all.slice(0, 1)].map(({ address }) => address));
    expect(found(await signers.recover(signatures(), others))).toEqual(expected());
    expect(found(await signers.recover(signatures(), Buffer.alloc(20 * COUNT)))).toEqual(expected());
    expect(work.at(-1)?.claims.length).toBe(0);
  });

  test("are right if a block holds one signature twice", async () => {
    const { signers } = counted();
    await signers.recover(signatures());
    const answers = await signers.recover(
      Buffer.concat([signatures(), signatures()]),
      Buffer.concat([stated(), stated()]),
    );
    expect([...found(answers), ...found(answers.subarray(COUNT * SIGNER.length))]).toEqual([
      ...expected(),
      ...expected(),
    ]);
  });

  test("have no key where the signature is invalid", async () => {
    const { signers } = counted();
    await signers.recover(signatures());
    const broken = signatures();
    broken.fill(0xff, 9 * SIGNATURE.length + SIGNATURE.rs, 9 * SIGNATURE.length + SIGNATURE.how);
    const answers = await signers.recover(broken, stated());
    expect(all.map((_, at) => answers[at * SIGNER.length + SIGNER.found])).toEqual(
      all.map((_, at) => Number(at !== 9)),
    );
  });
});
