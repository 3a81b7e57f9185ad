/**
 * Names of tokens: Token-2022 stores them in the mint, for the first program Metaplex stores them in an account of its
 * own.
 */
import { AccountRole, type Address, address, type Instruction, lamports } from "@solana/kit";
import type { LiteSVM } from "litesvm";
import { derivedAddress } from "../../chains/solana/derived_address.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { packed, TOKEN_2022 } from "./made_transaction.ts";

const METAPLEX = address("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");
/** First eight bytes of sha256("spl_token_metadata_interface:initialize_account"). */
const INITIALIZE = Buffer.from("d2e11ea258b84d8d", "hex");
const METADATA_POINTER = 39;
const METAPLEX_METADATA = 4;

export interface TokenTexts {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

const bytes = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);
const text = (value: string): Buffer => packed(["u32", Buffer.byteLength(value)], Buffer.from(value));
const textsOf = ({ name, symbol, uri }: TokenTexts): Buffer => Buffer.concat([name, symbol, uri].map(text));

/** For an uninitialised mint: its texts will be in the mint itself. */
export const pointAtItself = (mint: Address, authority: Address): Instruction => ({
  programAddress: address(TOKEN_2022),
  accounts: [{ address: mint, role: AccountRole.WRITABLE }],
  data: packed(["u8", METADATA_POINTER], ["u8", 0], bytes(authority), bytes(mint)),
});

/** Writes the texts into an initialised mint, which must already hold the rent for them. */
export const describeItself = (mint: Address, authority: Address, texts: TokenTexts): Instruction => ({
  programAddress: address(TOKEN_2022),
  accounts: [
    { address: mint, role: AccountRole.WRITABLE },
    { address: authority, role: AccountRole.READONLY },
    { address: mint, role: AccountRole.READONLY },
    { address: authority, role: AccountRole.READONLY_SIGNER },
  ],
  data: packed(INITIALIZE, textsOf(texts)),
});

/**
 * The account that Metaplex's program would have written. litesvm does not have that program, so the account pays no
 * rent.
 */
export const writeMetadata = (svm: LiteSVM, { mint, texts }: { mint: Address; texts: TokenTexts }): void => {
  const place = derivedAddress([Buffer.from("metadata"), bytes(METAPLEX), bytes(mint)], bytes(METAPLEX));
  const data = packed(["u8", METAPLEX_METADATA], new Uint8Array(32), bytes(mint), textsOf(texts));
  svm.setAccount({
    address: address(toBase58(place)),
    data,
    executable: false,
    lamports: lamports(svm.minimumBalanceForRentExemption(BigInt(data.length))),
    programAddress: METAPLEX,
    space: BigInt(data.length),
  });
};
