/** Instructions of the system and token programs, in bytes, and their accounts. */
import type { webcrypto } from "node:crypto";
import { AccountRole, type Address, address, getAddressFromPublicKey, type Instruction } from "@solana/kit";
import { fromBase58 } from "../../lib/base58.ts";
import { packed, SYSTEM, type TOKEN, type TOKEN_2022, WRAPPED } from "./made_transaction.ts";

export interface SolanaActor {
  readonly address: Address;
  readonly keys: webcrypto.CryptoKeyPair;
}

/** Ed25519 keys from a seed of 32 equal bytes, so that a world has the same addresses every time. */
export const actor = async (seed: number): Promise<SolanaActor> => {
  // PKCS #8 of an Ed25519 key: RFC 8410, section 7.
  const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, seed)]);
  const secret = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const jwk = await crypto.subtle.exportKey("jwk", secret);
  const publicKey = await crypto.subtle.importKey(
    "jwk",
    { kty: "OKP", crv: "Ed25519", x: jwk.x ?? "" },
    "Ed25519",
    true,
    ["verify"],
  );
  return { address: await getAddressFromPublicKey(publicKey), keys: { privateKey: secret, publicKey } };
};

export const bytes = (key: Address): Uint8Array => fromBase58(key) ?? new Uint8Array(0);

type AccountMetas = readonly (readonly [Address, "w" | "r" | "ws" | "rs"])[];
const ROLES = {
  r: AccountRole.READONLY,
  w: AccountRole.WRITABLE,
  rs: AccountRole.READONLY_SIGNER,
  ws: AccountRole.WRITABLE_SIGNER,
} as const;

export const instruction = (program: string, used: AccountMetas, data: Uint8Array): Instruction => ({
  programAddress: address(program),
  accounts: used.map(([key, role]) => ({ address: key, role: ROLES[role] })),
  data,
});

export const pay = (from: Address, to: Address, amount: bigint): Instruction =>
  instruction(
    SYSTEM,
    [
      [from, "ws"],
      [to, "w"],
    ],
    packed(["u32", 2], ["u64", amount]),
  );

export interface NewAccount {
  readonly payer: Address;
  readonly account: Address;
  readonly lamports: bigint;
  readonly space: number;
  readonly program: string;
}

export const create = ({ payer, account, lamports, space, program }: NewAccount): Instruction =>
  instruction(
    SYSTEM,
    [
      [payer, "ws"],
      [account, "ws"],
    ],
    packed(["u32", 0], ["u64", lamports], ["u64", space], bytes(address(program))),
  );

type TokenProgram = typeof TOKEN | typeof TOKEN_2022;

interface MintAct {
  readonly mint: Address;
  readonly to: Address;
  readonly authority: Address;
  /** Base units. */
  readonly amount: bigint;
}

interface TokenTransfer {
  readonly from: Address;
  readonly mint: Address;
  readonly to: Address;
  /** The signer: the owner of `from`, or a delegate. */
  readonly by: Address;
  /** Base units. */
  readonly amount: bigint;
  /** Omitted: 6. */
  readonly decimals?: number;
}

interface BurnAct {
  readonly account: Address;
  readonly mint: Address;
  /** The signer: the owner of the account, or a delegate. */
  readonly by: Address;
  /** Base units. */
  readonly amount: bigint;
}

const ofMints = (program: TokenProgram) => ({
  initializeMint: (mint: Address, authority: Address): Instruction =>
    instruction(program, [[mint, "w"]], packed(["u8", 20], ["u8", 6], bytes(authority), ["u8", 1], bytes(authority))),
  /** `basis_points` of every transfer, withheld at the receiver. */
  initializeFee: (mint: Address, authority: Address, basis_points: number): Instruction => {
    const option = Buffer.concat([Buffer.from([1]), bytes(authority)]);
    const points = Buffer.from([basis_points & 0xff, basis_points >> 8]);
    return instruction(
      program,
      [[mint, "w"]],
      packed(["u8", 26], ["u8", 0], option, option, points, ["u64", 10n ** 15n]),
    );
  },
  mintTo: ({ mint, to, authority, amount }: MintAct): Instruction =>
    instruction(
      program,
      [
        [mint, "w"],
        [to, "w"],
        [authority, "rs"],
      ],
      packed(["u8", 7], ["u64", amount]),
    ),
});

/** Instructions that change the state of a token account: open, close, freeze, change the owner. */
const ofAccounts = (program: TokenProgram) => ({
  open: (account: Address, mint: Address, owner: Address): Instruction =>
    instruction(
      program,
      [
        [account, "w"],
        [mint, "r"],
      ],
      packed(["u8", 18], bytes(owner)),
    ),
  close: (account: Address, to: Address, by: Address): Instruction =>
    instruction(
      program,
      [
        [account, "w"],
        [to, "w"],
        [by, "rs"],
      ],
      packed(["u8", 9]),
    ),
  freeze: (account: Address, mint: Address, by: Address): Instruction =>
    instruction(
      program,
      [
        [account, "w"],
        [mint, "r"],
        [by, "rs"],
      ],
      packed(["u8", 10]),
    ),
  thaw: (account: Address, mint: Address, by: Address): Instruction =>
    instruction(
      program,
      [
        [account, "w"],
        [mint, "r"],
        [by, "rs"],
      ],
      packed(["u8", 11]),
    ),
  giveAway: (account: Address, by: Address, to: Address): Instruction =>
    instruction(
      program,
      [
        [account, "w"],
        [by, "rs"],
      ],
      packed(["u8", 6], ["u8", 2], ["u8", 1], bytes(to)),
    ),
});

const ofBalances = (program: TokenProgram) => ({
  transfer: ({ from, mint, to, by, amount, decimals = 6 }: TokenTransfer): Instruction =>
    instruction(
      program,
      [
        [from, "w"],
        [mint, "r"],
        [to, "w"],
        [by, "rs"],
      ],
      packed(["u8", 12], ["u64", amount], ["u8", decimals]),
    ),
  burn: ({ account, mint, by, amount }: BurnAct): Instruction =>
    instruction(
      program,
      [
        [account, "w"],
        [mint, "w"],
        [by, "rs"],
      ],
      packed(["u8", 8], ["u64", amount]),
    ),
  sync: (account: Address): Instruction => instruction(program, [[account, "w"]], packed(["u8", 17])),
});

/** Instructions of one token program. */
export const tokenProgram = (program: TokenProgram) => ({
  ...ofMints(program),
  ...ofAccounts(program),
  ...ofBalances(program),
});

export const WRAPPED_MINT = address(WRAPPED);
