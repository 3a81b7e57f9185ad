/** Associated token accounts (spl-associated-token-account): one address per wallet and token, derived from both. */
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { derivedAddress } from "../../chains/solana/derived_address.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { SYSTEM, type TOKEN, type TOKEN_2022 } from "./made_transaction.ts";

const ASSOCIATED = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const CREATE_IDEMPOTENT = 1;

const bytes = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);

export interface AssociatedAccount {
  readonly owner: Address;
  readonly mint: Address;
  readonly program: typeof TOKEN | typeof TOKEN_2022;
}

/** Deriving one takes a millisecond, and a story uses the same few again and again. */
const known = new Map<string, Address>();

export const associatedAddress = ({ owner, mint, program }: AssociatedAccount): Address => {
  const key = `${owner} ${mint} ${program}`;
  const found =
    known.get(key) ?? address(toBase58(derivedAddress([bytes(owner), bytes(program), bytes(mint)], bytes(ASSOCIATED))));
  known.set(key, found);
  return found;
};

/** Opens the account at the payer's cost if it does not exist yet. */
export const openAssociated = (payer: Address, of: AssociatedAccount): Instruction => ({
  programAddress: ASSOCIATED,
  accounts: [
    { address: payer, role: AccountRole.WRITABLE_SIGNER },
    { address: associatedAddress(of), role: AccountRole.WRITABLE },
    { address: of.owner, role: AccountRole.READONLY },
    { address: of.mint, role: AccountRole.READONLY },
    { address: address(SYSTEM), role: AccountRole.READONLY },
    { address: address(of.program), role: AccountRole.READONLY },
  ],
  data: Uint8Array.of(CREATE_IDEMPOTENT),
});
