import { numberToHex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keccak256, toHex } from "../../../lib/bytes.ts";
import type { Signers } from "./known_signers.ts";
import { type Senders, sendersIn } from "./senders.ts";
import { SIGNATURE } from "./signatures.ts";
import { OWN_THREAD, openSignerThreads, type SignerThreads } from "./signer_threads.ts";

/** Signatures by seven keys; the expected addresses are viem's. */
let signatures: Buffer;
const addresses: string[] = [];
const COUNT = 200;

beforeAll(async () => {
  const all: Buffer[] = [];
  for (let place = 0; place < COUNT; place += 1) {
    const privateKey = numberToHex(BigInt((place % 7) + 1), { size: 32 });
    const hash = keccak256(Buffer.from(`message ${place}`));
    const { r, s, yParity = 0 } = await sign({ hash: `0x${toHex(hash)}`, privateKey });
    const bytes = Buffer.alloc(SIGNATURE.length);
    bytes.set(hash, SIGNATURE.hash);
    bytes.write(`${r.slice(2)}${s.slice(2)}`, SIGNATURE.rs, "hex");
    bytes.writeUInt32LE(yParity, SIGNATURE.how);
    all.push(bytes);
    addresses.push(privateKeyToAddress(privateKey).toLowerCase());
  }
  signatures = Buffer.concat(all);
});

const opened: SignerThreads[] = [];
const open = (count: number): SignerThreads => {
  const threads = openSignerThreads(count);
  opened.push(threads);
  return threads;
};
afterAll(() => Promise.all(opened.map((threads) => threads.close())));

const recoverSenders = async (signed: Buffer, signers: Signers, stated?: Buffer): Promise<Senders> =>
  sendersIn(signed, await signers.recover(signed, stated));

const sendersOf = async (threads: SignerThreads, count = COUNT): Promise<readonly string[]> => {
  const { list } = await recoverSenders(signatures.subarray(0, count * SIGNATURE.length), threads);
  return list.map((sender) => `0x${sender === null ? "" : toHex(sender)}`);
};

test.each([0, 1, 2])("%d threads recover the signers, of several blocks at once", async (count) => {
  const threads = open(count);
  const sizes = [COUNT, 1, 65, 0, 64, 8, 7];
  const found = await Promise.all(sizes.map((size) => sendersOf(threads, size)));
  expect(found).toEqual(sizes.map((size) => addresses.slice(0, size)));
});

test.each([0, 1, 2])("%d threads check claims of known signers together", async (count) => {
  const threads = open(count);
  const stated = Buffer.concat(addresses.map((address) => Buffer.from(address.slice(2), "hex")));
  for (let round = 0; round < 3; round += 1) {
    const { list } = await recoverSenders(signatures, threads, stated);
    expect(list.map((sender) => `0x${sender === null ? "" : toHex(sender)}`)).toEqual(addresses);
  }
});

test("the bytes that were handed over stay the caller's", async () => {
  const before = Buffer.from(signatures);
  await open(1).recover(signatures);
  expect(signatures.equals(before)).toBe(true);
});

test("an invalid signature is refused in a thread as it is in this one", async () => {
  const broken = Buffer.from(signatures);
  broken.fill(0xff, 9 * SIGNATURE.length + SIGNATURE.rs, 9 * SIGNATURE.length + SIGNATURE.how);
  for (const signers of [OWN_THREAD, open(1)])
    await expect(recoverSenders(broken, signers)).rejects.toThrow("the signature of transaction 9 is invalid");
});

test("work of threads that end is done here", async () => {
  const threads = open(2);
  await sendersOf(threads);
  const running = Array.from({ length: 6 }, () => sendersOf(threads));
  await threads.close();
  for (const list of await Promise.all(running)) expect(list).toEqual(addresses);
  expect(await sendersOf(threads)).toEqual(addresses);
});
