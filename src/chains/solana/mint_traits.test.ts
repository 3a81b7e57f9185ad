import { type Address, address, getProgramDerivedAddress, lamports } from "@solana/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXTENSIONS, mintSpace } from "../../../test/solana/token_powers.ts";
import { actor, bytes, create, type SolanaActor, tokenProgram } from "../../demo/solana/acts.ts";
import { SolanaFacade } from "../../demo/solana/facade.ts";
import { madeKey, packed, TOKEN, TOKEN_2022 } from "../../demo/solana/made_transaction.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { solana } from "../networks/known.gen.ts";
import type { OpenChain } from "../open_chain.ts";
import { describedByMetaplex, readMint } from "./account_data.ts";
import { openSolanaChain } from "./chain.ts";
import { ownTraits, transferFeeOf } from "./mint_traits.ts";

const METADATA = address("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");
const HOOK = address(madeKey(42));
const signal = new AbortController().signal;
const hexOf = (key: Address): Hex => toHex(bytes(key));
const newer = tokenProgram(TOKEN_2022);

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

const opened = async (seed: number, space: number, powers: (mint: Address) => Parameters<SolanaFacade["send"]>[0]) => {
  const mint = await actor(seed);
  const rent = facade.svm.minimumBalanceForRentExemption(BigInt(space));
  const made = { payer: alice.address, account: mint.address, lamports: rent, space, program: TOKEN_2022 };
  const begun = newer.initializeMint(mint.address, alice.address);
  const sent = [create(made), ...powers(mint.address), begun];
  expect(await facade.send(sent, [alice.keys, mint.keys], alice.address)).toBeNull();
  facade.seal();
  return hexOf(mint.address);
};

describe("a mint with every power", () => {
  test("names the holder of each, and lists extensions in order", async () => {
    const { permanentDelegate, closable, hook, interest } = EXTENSIONS;
    const space = mintSpace(108, permanentDelegate.space, closable.space, hook.space, interest.space);
    const token = await opened(60, space, (mint) => [
      newer.initializeFee(mint, alice.address, 250),
      permanentDelegate.of(mint, alice.address),
      closable.of(mint, alice.address),
      hook.of(mint, alice.address, HOOK),
      interest.of(mint, alice.address),
    ]);
    const who = hexOf(alice.address);
    expect(await chain.tokenTraits(token, signal)).toEqual({
      ...{ mint_authority: who, freeze_authority: who, permanent_delegate: who, close_authority: who },
      ...{ pause_authority: null, is_paused: false, opens_frozen: false, is_transferable: true },
      transfer_fee: {
        bps: 250,
        max_raw: 10n ** 15n,
        next_bps: null,
        next_epoch: null,
        withheld_raw: 0n,
        authority: who,
      },
      ...{ hook_program: hexOf(HOOK), hook_authority: who, display_authority: who },
      extensions: ["transfer_fee", "permanent_delegate", "mint_close_authority", "transfer_hook", "interest_bearing"],
      ...{ decimals: 6, supply: 0n, description: null },
    });
  });

  test("that cannot be sent, begins frozen and can be paused says so", async () => {
    const { nonTransferable, frozenAtFirst, pausable } = EXTENSIONS;
    const space = mintSpace(nonTransferable.space, frozenAtFirst.space, pausable.space);
    const token = await opened(61, space, (mint) => [
      nonTransferable.of(mint),
      frozenAtFirst.of(mint),
      pausable.of(mint, alice.address),
    ]);
    expect(await chain.tokenTraits(token, signal)).toMatchObject({
      ...{ is_transferable: false, opens_frozen: true, is_paused: false, pause_authority: hexOf(alice.address) },
      extensions: ["non_transferable", "default_account_state", "pausable"],
    });
  });
});

describe("metadata of Metaplex", () => {
  const creators = (count: number): Buffer =>
    count === 0 ? packed(["u8", 0]) : Buffer.concat([packed(["u8", 1], ["u32", count]), Buffer.alloc(34 * count, 7)]);
  const told = (mint: Uint8Array, { count, is_mutable }: { count: number; is_mutable: boolean }): Buffer => {
    const words = ["Old", "OLD", "https://example.test/old.json\0\0"].map((word) =>
      Buffer.concat([packed(["u32", word.length]), Buffer.from(word)]),
    );
    const royalty = Buffer.from([0xf4, 0x01]);
    const flags = packed(["u8", 1], ["u8", is_mutable ? 1 : 0]);
    return Buffer.concat([packed(["u8", 4], bytes(alice.address), mint), ...words, royalty, creators(count), flags]);
  };

  test.each([
    { count: 0, is_mutable: true },
    { count: 2, is_mutable: false },
  ])("with $count creators states whether it may change: $is_mutable", async ({ count, is_mutable }) => {
    const mint = await actor(70 + count);
    const rent = facade.svm.minimumBalanceForRentExemption(82n);
    const made = { payer: alice.address, account: mint.address, lamports: rent, space: 82, program: TOKEN };
    const begun = tokenProgram(TOKEN).initializeMint(mint.address, alice.address);
    expect(await facade.send([create(made), begun], [alice.keys, mint.keys], alice.address)).toBeNull();
    const seeds = [Buffer.from("metadata"), bytes(METADATA), bytes(mint.address)];
    const [place] = await getProgramDerivedAddress({ programAddress: METADATA, seeds });
    const data = told(bytes(mint.address), { count, is_mutable });
    const account = { address: place, data, executable: false, programAddress: METADATA, lamports: lamports(1n) };
    facade.svm.setAccount({ ...account, space: BigInt(data.length) });
    const traits = await chain.tokenTraits(hexOf(mint.address), signal);
    expect(traits?.description).toEqual({
      uri: "https://example.test/old.json",
      is_mutable,
      update_authority: hexOf(alice.address),
    });
    expect(traits?.extensions).toEqual([]);
    // Cut off before the flag: unknown, which is not "no".
    expect(describedByMetaplex(data.subarray(0, -1), bytes(mint.address))?.is_mutable).toBeNull();
  });
});

describe("untrusted bytes", () => {
  /** A mint of Token-2022 without authorities: base, zeros, kind 1, then extensions. */
  const mintOf = (...extensions: readonly Uint8Array[]): Buffer => {
    const base = Buffer.alloc(166);
    base[45] = 1;
    base[165] = 1;
    return Buffer.concat([base, ...extensions]);
  };
  const extension = (type: number, value: Uint8Array, length = value.length): Buffer =>
    Buffer.concat([Buffer.from([type & 0xff, type >> 8, length & 0xff, length >> 8]), value]);

  test("distinguishes a list that is cut off or longer than the account from a short one", () => {
    const delegate = extension(12, Buffer.alloc(32, 5));
    expect(readMint(mintOf(delegate))).toMatchObject({ is_whole: true });
    expect(readMint(mintOf(delegate, Buffer.alloc(40)))).toMatchObject({ is_whole: true });
    // A single extra byte is no type; a type without a length, or a length beyond the end, is a cut.
    expect(readMint(mintOf(delegate, Buffer.from([12])))).toMatchObject({ is_whole: true });
    expect(readMint(mintOf(delegate, Buffer.from([12, 0, 1])))).toMatchObject({ is_whole: false });
    expect(readMint(mintOf(extension(12, Buffer.alloc(32, 5), 0xffff)))).toMatchObject({ is_whole: false });
    for (let cut = 1; cut < 34; cut += 1)
      expect(readMint(mintOf(delegate.subarray(0, delegate.length - cut)))).toMatchObject({ is_whole: false });
  });

  test("of two extensions of a type the first counts, and unknown ones keep their number", () => {
    const mint = readMint(
      mintOf(extension(12, Buffer.alloc(32, 5)), extension(12, Buffer.alloc(32, 6)), extension(999, new Uint8Array(3))),
    );
    if (mint === null) throw new Error("no mint");
    const traits = ownTraits(mint, 0);
    expect([traits.permanent_delegate, traits.extensions]).toEqual([
      "05".repeat(32),
      ["permanent_delegate", "extension_999"],
    ]);
  });

  test("extensions that are too short grant no power and do not throw", () => {
    for (let type = 0; type < 40; type += 1) {
      for (let length = 0; length < 33; length += 1) {
        const mint = readMint(mintOf(extension(type, Buffer.alloc(length, 0xff))));
        if (mint !== null) expect(() => ownTraits(mint, 7)).not.toThrow();
      }
    }
  });

  test("a fee holds from its epoch on, and the announced one is reported", () => {
    const fee = (epoch: bigint, max: bigint, points: number): Buffer =>
      Buffer.concat([packed(["u64", epoch], ["u64", max]), Buffer.from([points & 0xff, points >> 8])]);
    // No authority, withdrawer, withheld; 1 % up to 5 units, from epoch 10 on 30 % up to 9 units.
    const data = Buffer.concat([Buffer.alloc(72), fee(3n, 5n, 100), fee(10n, 9n, 3_000)]);
    const extensions = new Map([[1, data]]);
    expect(transferFeeOf(extensions, 9)).toEqual({
      bps: 100,
      max_raw: 5n,
      next_bps: 3_000,
      next_epoch: 10,
      withheld_raw: 0n,
      authority: null,
    });
    expect(transferFeeOf(extensions, 10)).toEqual({
      bps: 3_000,
      max_raw: 9n,
      next_bps: null,
      next_epoch: null,
      withheld_raw: 0n,
      authority: null,
    });
    expect(transferFeeOf(new Map([[1, data.subarray(0, 107)]]), 10)).toBeNull();
  });

  test("rejects a node that cuts a mint's extensions off", async () => {
    const mint = address(madeKey(77));
    const data = mintOf(extension(12, Buffer.alloc(32, 5), 64));
    const account = {
      address: mint,
      data,
      executable: false,
      programAddress: address(TOKEN_2022),
      lamports: lamports(1n),
    };
    facade.svm.setAccount({ ...account, space: BigInt(data.length) });
    await expect(chain.tokenTraits(hexOf(mint), signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    const holder = toHex(fromBase58(alice.address) ?? new Uint8Array(0));
    await expect(chain.tokenAccounts({ holder, tokens: [hexOf(mint)] }, signal)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});
