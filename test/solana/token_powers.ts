/** Instructions that grant powers over tokens: delegates of accounts, and extensions of Token-2022 mints. */
import type { Address, Instruction } from "@solana/kit";
import { bytes, instruction } from "../../src/demo/solana/acts.ts";
import { packed, TOKEN, TOKEN_2022 } from "../../src/demo/solana/made_transaction.ts";

/** The owner lets a delegate take up to an amount. */
export const approve = (account: Address, delegate: Address, by: Address, amount: bigint): Instruction =>
  instruction(
    TOKEN,
    [
      [account, "w"],
      [delegate, "r"],
      [by, "rs"],
    ],
    packed(["u8", 4], ["u64", amount]),
  );

/** The same, with the mint and its decimals. */
export const approveChecked = (
  { account, mint, delegate }: { readonly account: Address; readonly mint: Address; readonly delegate: Address },
  by: Address,
  amount: bigint,
): Instruction =>
  instruction(
    TOKEN,
    [
      [account, "w"],
      [mint, "r"],
      [delegate, "r"],
      [by, "rs"],
    ],
    packed(["u8", 13], ["u64", amount], ["u8", 6]),
  );

export const revoke = (account: Address, by: Address): Instruction =>
  instruction(
    TOKEN,
    [
      [account, "w"],
      [by, "rs"],
    ],
    packed(["u8", 5]),
  );

const extended = (mint: Address, data: Uint8Array): Instruction => instruction(TOKEN_2022, [[mint, "w"]], data);

/** Extensions of a mint, each before the mint itself begins; the bytes of each beside its type and length. */
export const EXTENSIONS = {
  frozenAtFirst: { space: 1, of: (mint: Address) => extended(mint, packed(["u8", 28], ["u8", 0], ["u8", 2])) },
  permanentDelegate: {
    space: 32,
    of: (mint: Address, who: Address) => extended(mint, packed(["u8", 35], bytes(who))),
  },
  closable: {
    space: 32,
    of: (mint: Address, who: Address) => extended(mint, packed(["u8", 25], ["u8", 1], bytes(who))),
  },
  nonTransferable: { space: 0, of: (mint: Address) => extended(mint, packed(["u8", 32])) },
  /** A program that every transfer calls. */
  hook: {
    space: 64,
    of: (mint: Address, who: Address, program: Address) =>
      extended(mint, packed(["u8", 36], ["u8", 0], bytes(who), bytes(program))),
  },
  /** 5 % a year. */
  interest: {
    space: 52,
    of: (mint: Address, who: Address) =>
      extended(mint, packed(["u8", 33], ["u8", 0], bytes(who), Uint8Array.of(0xf4, 0x01))),
  },
  pausable: {
    space: 33,
    of: (mint: Address, who: Address) => extended(mint, packed(["u8", 44], ["u8", 0], bytes(who))),
  },
} as const;

/** Base, kind, and a type and a length for each extension. */
export const mintSpace = (...spaces: readonly number[]): number =>
  166 + spaces.reduce((sum, space) => sum + 4 + space, 0);
