/** Programs and accounts of Solana that have one address on every cluster. */
import { fromBase58 } from "../../lib/base58.ts";
import { type Bytes, equalBytes, type Hex, toHex } from "../../lib/bytes.ts";

const key = (text: string): Bytes => fromBase58(text) ?? new Uint8Array(0);
const idOf = (text: string): Hex => toHex(key(text));

export const SYSTEM_PROGRAM = idOf("11111111111111111111111111111111");
export const TOKEN_PROGRAM_KEY = key("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const TOKEN_PROGRAM = toHex(TOKEN_PROGRAM_KEY);
export const TOKEN_2022_PROGRAM = idOf("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
export const COMPUTE_BUDGET_KEY = key("ComputeBudget111111111111111111111111111111");
export const COMPUTE_BUDGET_PROGRAM = toHex(COMPUTE_BUDGET_KEY);
export const UPGRADEABLE_LOADER = idOf("BPFLoaderUpgradeab1e11111111111111111111111");
export const LOADER_V4 = idOf("LoaderV411111111111111111111111111111111111");
export const ASSOCIATED_TOKEN_PROGRAM = idOf("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
export const STAKE_PROGRAM = idOf("Stake11111111111111111111111111111111111111");
export const VOTE_PROGRAM_KEY = key("Vote111111111111111111111111111111111111111");
export const VOTE_PROGRAM = toHex(VOTE_PROGRAM_KEY);
export const MEMO_PROGRAMS: ReadonlySet<Hex> = new Set(
  ["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"].map(idOf),
);
/** Programs that verify signatures; each of those costs as much as one of the transaction's own. */
export const SIGNATURE_PROGRAMS: ReadonlySet<Hex> = new Set(
  [
    "Ed25519SigVerify111111111111111111111111111",
    "KeccakSecp256k11111111111111111111111111111",
    "Secp256r1SigVerify1111111111111111111111111",
  ].map(idOf),
);
export const METADATA_PROGRAM = key("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");

/** Wrapped SOL of the token program, and of Token-2022. */
export const WRAPPED_SOL_MINT = key("So11111111111111111111111111111111111111112");
const WRAPPED_SOL_2022 = key("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP");
const NATIVE_MINTS: readonly Bytes[] = [WRAPPED_SOL_MINT, WRAPPED_SOL_2022];

/** The first byte differs for most mints. */
export const isNativeMint = (mint: Bytes): boolean =>
  NATIVE_MINTS.some((native) => native[0] === mint[0] && equalBytes(native, mint));

export const isTokenProgram = (program: Hex): boolean => program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
