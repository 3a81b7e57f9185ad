import { createHash } from "node:crypto";
import { AccountRole, type Address, address, getProgramDerivedAddress, type Instruction, lamports } from "@solana/kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actor, create, type SolanaActor, tokenProgram } from "../../demo/solana/acts.ts";
import { SolanaFacade } from "../../demo/solana/facade.ts";
import { packed, TOKEN, TOKEN_2022 } from "../../demo/solana/made_transaction.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { type Hex, hex, toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { solana } from "../networks/known.gen.ts";
import type { OpenChain } from "../open_chain.ts";
import { describedByMetaplex, readMint, readTokenAccount } from "./account_data.ts";
import { openSolanaChain } from "./chain.ts";

const METADATA = address("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");
const signal = new AbortController().signal;
const bytes = (key: Address): Uint8Array => fromBase58(key) ?? new Uint8Array(0);
const hexOf = (key: Address): Hex => toHex(bytes(key));
const words = (...list: string[]): Buffer =>
  Buffer.concat(list.flatMap((word) => [packed(["u32", Buffer.byteLength(word)]), Buffer.from(word)]));

let facade: SolanaFacade;
let chain: OpenChain;
let alice: SolanaActor;

beforeAll(async () => {
  alice = await actor(1);
  facade = new SolanaFacade((await actor(99)).address);
  facade.credit(alice.address, 10_000_000_000n);
  facade.seal();
  await facade.start();
  const network = { ...solana, caip2: `solana:${facade.genesis.slice(0, 32)}` };
  chain = await openSolanaChain(network, { rpc: [facade.url], log: silentLog, attempts_max: 2 }, signal);
});

afterAll(async () => {
  await chain?.close();
  await facade?.close();
});

/** Metadata pointer, mint, then name, symbol and address within the mint (spl-token-metadata-interface). */
const describedMint = async (texts: readonly [string, string, string]): Promise<Address> => {
  const mint = await actor(50);
  const pointer: Instruction = {
    programAddress: address(TOKEN_2022),
    accounts: [{ address: mint.address, role: AccountRole.WRITABLE }],
    data: packed(["u8", 39], ["u8", 0], bytes(alice.address), bytes(mint.address)),
  };
  const initialize: Instruction = {
    programAddress: address(TOKEN_2022),
    accounts: [
      { address: mint.address, role: AccountRole.WRITABLE },
      { address: alice.address, role: AccountRole.READONLY },
      { address: mint.address, role: AccountRole.READONLY },
      { address: alice.address, role: AccountRole.READONLY_SIGNER },
    ],
    data: Buffer.concat([
      createHash("sha256").update("spl_token_metadata_interface:initialize_account").digest().subarray(0, 8),
      words(...texts),
    ]),
  };
  // A mint with a pointer: 165 + 1 + 4 + 64 bytes; the rent of the texts is paid in advance.
  const made = { payer: alice.address, account: mint.address, space: 234, program: TOKEN_2022 };
  const initializeMint = tokenProgram(TOKEN_2022).initializeMint(mint.address, alice.address);
  const instructions = [create({ ...made, lamports: 10_000_000n }), pointer, initializeMint, initialize];
  expect(await facade.send(instructions, [alice.keys, mint.keys], alice.address)).toBeNull();
  facade.seal();
  return mint.address;
};

test("a Token-2022 mint states its own name, cleaned of invisible characters", async () => {
  const mint = await describedMint(["Wrapped\u202e Nothing", "WN\u200b", "https://example.test/wn.json"]);
  const [metadata] = await chain.tokenMetadata([hexOf(mint)], signal);
  expect(metadata).toEqual({
    token: hexOf(mint),
    standard: "spl",
    name: "Wrapped Nothing",
    symbol: "WN",
    decimals: 6,
    total_supply: 0n,
    has_hidden: true,
  });
});

test("an older mint is named by its Metaplex account, and by no other", async () => {
  const mint = await actor(51);
  const space = 82;
  const rent = facade.svm.minimumBalanceForRentExemption(82n);
  const made = { payer: alice.address, account: mint.address, lamports: rent, space, program: TOKEN };
  const initializeMint = tokenProgram(TOKEN).initializeMint(mint.address, alice.address);
  expect(await facade.send([create(made), initializeMint], [alice.keys, mint.keys], alice.address)).toBeNull();
  const seeds = [Buffer.from("metadata"), bytes(METADATA), bytes(mint.address)];
  const [place] = await getProgramDerivedAddress({ programAddress: METADATA, seeds });
  // Kind 4 = MetadataV1, update authority, mint, then texts that Metaplex pads with zeros.
  const texts = words("Old Coin".padEnd(32, "\0"), "OLD".padEnd(10, "\0"), "https://example.test".padEnd(200, "\0"));
  const data = Buffer.concat([packed(["u8", 4], bytes(alice.address), bytes(mint.address)), texts]);
  const account = { address: place, data, executable: false, programAddress: METADATA, lamports: lamports(1n) };
  facade.svm.setAccount({ ...account, space: BigInt(data.length) });
  const [metadata] = await chain.tokenMetadata([hexOf(mint.address)], signal);
  expect([metadata?.name, metadata?.symbol, metadata?.decimals]).toEqual(["Old Coin", "OLD", 6]);
  // The padding zeros do not count as hidden characters.
  expect(metadata?.has_hidden).toBe(false);
  expect(describedByMetaplex(data, bytes(alice.address))).toBeNull();
  expect(describedByMetaplex(data.subarray(0, 90), bytes(mint.address))).toBeNull();
});

test("an account that is not a mint has no standard, and no bytes make a reader throw", async () => {
  const [wallet, nobody] = await chain.tokenMetadata([hexOf(alice.address), hex("11".repeat(32))], signal);
  expect([wallet?.standard, nobody?.standard, nobody?.decimals]).toEqual([null, null, null]);
  const held = await chain.tokenBalances([{ token: hex("11".repeat(32)), holder: hexOf(alice.address) }], signal);
  expect(held).toEqual([null]);
  for (let length = 0; length < 400; length += 1) {
    expect(readMint(Buffer.alloc(length, 0xff))).toBeNull();
    expect(readTokenAccount(Buffer.alloc(length, 0xff))).toBeNull();
  }
});

test("the newest state is not returned for a slot that is long gone", async () => {
  const at = facade.head;
  facade.seal(200);
  await expect(chain.nativeBalances([hexOf(alice.address)], signal, at)).rejects.toMatchObject({
    code: "COVERAGE_INCOMPLETE",
  });
});
