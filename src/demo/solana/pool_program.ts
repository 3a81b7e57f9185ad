/**
 * Pools of two tokens on the façade: contracts/solana/constant_product.c runs at the address of Raydium CPMM and
 * accepts its instructions. How a world uses it:
 *
 *     installPools(facade.svm);
 *     const pool = await makePool(120, { mint: usdc, program: TOKEN }, { mint: WRAPPED_MINT, program: TOKEN });
 *     await facade.send(pool.create(facade.svm, dave), [dave.keys, ...pool.keys], dave.address);
 *     await facade.send(pool.initialize(dave.address, amounts), [dave.keys], dave.address);
 *     await facade.send([pool.swap(alice.address, { sold: usdc, amount: 5_000_000n })], [alice.keys], alice.address);
 *
 * All owners pay from and into their associated accounts, which must be open (`openAssociated`); `initialize` opens the
 * one of the pool's shares. A trade pays a fee of 0.25 % of its input, rounded up, and receives reserve_out * paid /
 * (reserve_in + paid) of the rest, rounded down.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import type { LiteSVM } from "litesvm";
import { derivedAddress } from "../../chains/solana/derived_address.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { fromHex } from "../../lib/bytes.ts";
import { actor, create, type SolanaActor, tokenProgram } from "./acts.ts";
import { type AssociatedAccount, associatedAddress, openAssociated } from "./associated.ts";
import { packed, SYSTEM, TOKEN } from "./made_transaction.ts";

const PROGRAM = address("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C");
const FILE = join(import.meta.dirname, "../../../contracts/solana/constant_product.json");
const STATE_BYTES = 96;
const VAULT_BYTES = 165;
const MINT_BYTES = 82;

const bytes = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);
const AUTHORITY = address(toBase58(derivedAddress([Buffer.from("vault_and_lp_mint_auth_seed")], bytes(PROGRAM))));

export const installPools = (svm: LiteSVM): void => {
  const { elf } = JSON.parse(readFileSync(FILE, "utf8")) as { elf: string }; // written by scripts/pool_program.ts
  svm.addProgram(PROGRAM, Buffer.from(elf, "base64"));
};

/** A token of a pool; one whose accounts have extensions needs larger vaults than 165 bytes. */
export interface PooledToken extends Pick<AssociatedAccount, "mint" | "program"> {
  readonly vault_bytes?: number;
}

export interface TestTrade {
  /** The mint of the sold token. */
  readonly sold: Address;
  /** Base units. */
  readonly amount: bigint;
  /** Minimum output in base units; below it the trade fails. */
  readonly least?: bigint;
}

export interface TestPool {
  readonly address: Address;
  /** Keys that sign `create`. */
  readonly keys: readonly SolanaActor[];
  /** In the order of their bytes. */
  readonly tokens: readonly [PooledToken, PooledToken];
  readonly vaults: readonly [Address, Address];
  /** Mint of the shares. */
  readonly shares: Address;
  /** Opens the accounts of the pool. */
  readonly create: (svm: LiteSVM, payer: SolanaActor) => readonly Instruction[];
  /** The first liquidity; `amounts` by mint. The creator gets shares, the root of the product of both. */
  readonly initialize: (creator: Address, amounts: ReadonlyMap<Address, bigint>) => readonly Instruction[];
  readonly swap: (payer: Address, trade: TestTrade) => Instruction;
  /** Shares are burnt for their part of both vaults. */
  readonly withdraw: (owner: Address, shares: bigint) => Instruction;
}

type AccountAccess = "w" | "r" | "ws" | "rs";
const ROLES = {
  r: AccountRole.READONLY,
  w: AccountRole.WRITABLE,
  rs: AccountRole.READONLY_SIGNER,
  ws: AccountRole.WRITABLE_SIGNER,
} as const;

const call = (
  tag: string,
  numbers: readonly bigint[],
  used: readonly (readonly [Address, AccountAccess])[],
): Instruction => ({
  programAddress: PROGRAM,
  accounts: used.map(([key, role]) => ({ address: key, role: ROLES[role] })),
  data: Buffer.concat([
    fromHex(tag) ?? new Uint8Array(0),
    packed(...numbers.map((number) => ["u64", number] as const)),
  ]),
});

/** Placeholder for accounts that the program does not read: configuration, observations, fees. */
const UNUSED = address(SYSTEM);

/** @param seed of the first of four keys; the next three belong to the pool, too (up to 252) */
export const makePool = async (seed: number, one: PooledToken, other: PooledToken): Promise<TestPool> => {
  const [state, vault0, vault1, shares] = await Promise.all([
    actor(seed),
    actor(seed + 1),
    actor(seed + 2),
    actor(seed + 3),
  ]);
  const is_turned = Buffer.compare(bytes(one.mint), bytes(other.mint)) > 0;
  const accounts: PoolAccounts = {
    address: state.address,
    tokens: is_turned ? [other, one] : [one, other],
    vaults: [vault0.address, vault1.address],
    shares: shares.address,
  };
  return {
    ...accounts,
    keys: [state, vault0, vault1, shares],
    create: (svm, payer) => creation(accounts, svm, payer.address),
    initialize: (creator, amounts) => initialization(accounts, creator, amounts),
    swap: (payer, trade) => swap(accounts, payer, trade),
    withdraw: (owner, burnt) => withdrawal(accounts, owner, burnt),
  };
};

type PoolAccounts = Pick<TestPool, "address" | "tokens" | "vaults" | "shares">;

const tokenAccount = (owner: Address, { mint, program }: PooledToken): Address =>
  associatedAddress({ owner, mint, program });
const sharesOf = (owner: Address, { shares }: PoolAccounts): AssociatedAccount => ({
  owner,
  mint: shares,
  program: TOKEN,
});

const creation = (pool: PoolAccounts, svm: LiteSVM, payer: Address): readonly Instruction[] => {
  const opened = (account: Address, space: number, program: string): Instruction =>
    create({ payer, account, lamports: svm.minimumBalanceForRentExemption(BigInt(space)), space, program });
  const vault = (at: 0 | 1): Instruction[] => {
    const { mint, program, vault_bytes } = pool.tokens[at];
    return [
      opened(pool.vaults[at], vault_bytes ?? VAULT_BYTES, program),
      tokenProgram(program).open(pool.vaults[at], mint, AUTHORITY),
    ];
  };
  return [
    opened(pool.address, STATE_BYTES, PROGRAM),
    ...vault(0),
    ...vault(1),
    opened(pool.shares, MINT_BYTES, TOKEN),
    tokenProgram(TOKEN).initializeMint(pool.shares, AUTHORITY),
  ];
};

const initialization = (
  pool: PoolAccounts,
  creator: Address,
  amounts: ReadonlyMap<Address, bigint>,
): readonly Instruction[] => {
  const [token0, token1] = pool.tokens;
  const given = pool.tokens.map(({ mint }) => amounts.get(mint) ?? 0n);
  return [
    openAssociated(creator, sharesOf(creator, pool)),
    call(
      "afaf6d1f0d989bed",
      [...given, 0n],
      [
        [creator, "ws"],
        [UNUSED, "r"],
        [AUTHORITY, "r"],
        [pool.address, "w"],
        [token0.mint, "r"],
        [token1.mint, "r"],
        [pool.shares, "w"],
        [tokenAccount(creator, token0), "w"],
        [tokenAccount(creator, token1), "w"],
        [associatedAddress(sharesOf(creator, pool)), "w"],
        [pool.vaults[0], "w"],
        [pool.vaults[1], "w"],
        [UNUSED, "r"],
        [UNUSED, "r"],
        [address(TOKEN), "r"],
        [address(token0.program), "r"],
        [address(token1.program), "r"],
      ],
    ),
  ];
};

const swap = (pool: PoolAccounts, payer: Address, { sold, amount, least = 0n }: TestTrade): Instruction => {
  const [in_at, out_at] = sold === pool.tokens[0].mint ? ([0, 1] as const) : ([1, 0] as const);
  const [paid, got] = [pool.tokens[in_at], pool.tokens[out_at]];
  return call(
    "8fbe5adac41e33de",
    [amount, least],
    [
      [payer, "rs"],
      [AUTHORITY, "r"],
      [UNUSED, "r"],
      [pool.address, "w"],
      [tokenAccount(payer, paid), "w"],
      [tokenAccount(payer, got), "w"],
      [pool.vaults[in_at], "w"],
      [pool.vaults[out_at], "w"],
      [address(paid.program), "r"],
      [address(got.program), "r"],
      [paid.mint, "r"],
      [got.mint, "r"],
      [UNUSED, "r"],
    ],
  );
};

const withdrawal = (pool: PoolAccounts, owner: Address, burnt: bigint): Instruction => {
  const [token0, token1] = pool.tokens;
  return call(
    "b712469c946da122",
    [burnt, 0n, 0n],
    [
      [owner, "rs"],
      [AUTHORITY, "r"],
      [pool.address, "w"],
      [associatedAddress(sharesOf(owner, pool)), "w"],
      [tokenAccount(owner, token0), "w"],
      [tokenAccount(owner, token1), "w"],
      [pool.vaults[0], "w"],
      [pool.vaults[1], "w"],
      [address(TOKEN), "r"],
      [UNUSED, "r"],
      [token0.mint, "r"],
      [token1.mint, "r"],
      [pool.shares, "w"],
      [UNUSED, "r"],
      [address(token0.program), "r"],
      [address(token1.program), "r"],
    ],
  );
};
