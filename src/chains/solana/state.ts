/** Live reads: balances, accounts, mints. A node keeps only the newest state. */
import { type Bytes, EMPTY, fromHex, type Hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { cleanText, hasHidden, TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { DescribedAccount } from "../account_facts.ts";
import type { AccountState, LiveTokenMetadata, Network } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import type { RpcCall } from "../node/json_rpc.ts";
import {
  describedByExtension,
  describedByMetaplex,
  type Mint,
  readMint,
  readTokenAccount,
  type TokenAccountData,
  type TokenMetadataAccount,
} from "./account_data.ts";
import { formatBase58 } from "./address.ts";
import { derivedAddress, isOnCurve } from "./derived_address.ts";
import { resultOf } from "./endpoint.ts";
import type { SolanaRpcPool } from "./probe.ts";
import { isTokenProgram, METADATA_PROGRAM, SYSTEM_PROGRAM } from "./programs.ts";
import { base64Of, indexOf, keyOf, u64Of } from "./wire.ts";

/** Accounts of one `getMultipleAccounts` (agave's bound). */
const ACCOUNTS_PER_CALL = 100;
const CONFIG = { encoding: "base64", commitment: "confirmed" };
/** The node does not know the mint or the owner. */
const INVALID_PARAMS = -32_602;
/** About a minute: the node's newest state serves a requested slot if it is no later than this. */
const SLOTS_LATER_MAX = 150;

export interface LiveAccount {
  readonly lamports: bigint;
  readonly owner: Hex;
  readonly executable: boolean;
  readonly rent_epoch: bigint | null;
  readonly data: Bytes;
}

interface HolderToken {
  readonly token: Hex;
  readonly holder: Hex;
}

export interface OwnedAccount {
  readonly account: Hex;
  readonly data: TokenAccountData;
}

export class SolanaStateReader {
  readonly #pool: SolanaRpcPool;
  readonly #network: Network;

  constructor(pool: SolanaRpcPool, network: Network) {
    this.#pool = pool;
    this.#network = network;
  }

  /** Null for an address without an account. @throws AssayError COVERAGE_INCOMPLETE for a slot that is long gone */
  async accounts(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<(LiveAccount | null)[]> {
    const calls: RpcCall[] = [];
    for (let at = 0; at < addresses.length; at += ACCOUNTS_PER_CALL) {
      const part = addresses.slice(at, at + ACCOUNTS_PER_CALL).map(formatBase58);
      calls.push({ method: "getMultipleAccounts", params: [part, CONFIG] });
    }
    const accounts = await this.#pool.run({ what: "getMultipleAccounts" }, signal, async ({ endpoint }) => {
      const { answers } = await endpoint.ask(calls, signal);
      return answers.flatMap((answer) => this.#listed(resultOf(answer), at).map(readAccount));
    });
    if (accounts.length !== addresses.length)
      throw this.#pool.unavailable("getMultipleAccounts", new BadAnswer("an account has no answer"));
    return accounts;
  }

  async account(address: Hex, signal: AbortSignal, at?: number): Promise<AccountState> {
    const [account] = await this.accounts([address], signal, at);
    return stateOf(account ?? null);
  }

  async describe(address: Hex, signal: AbortSignal, at?: number): Promise<DescribedAccount> {
    const [account = null] = await this.accounts([address], signal, at);
    if (account === null) return { ...stateOf(null), exists: false, kind: "eoa", program: null, resources: null };
    const { owner, executable, rent_epoch, data } = account;
    return {
      ...stateOf(account),
      exists: true,
      kind: kindOf(fromHex(address) ?? EMPTY, account),
      program: { owner_program: owner, executable, data_len: data.length, rent_epoch },
      resources: null,
    };
  }

  async nativeBalances(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<bigint[]> {
    const accounts = await this.accounts(addresses, signal, at);
    return accounts.map((account) => account?.lamports ?? 0n);
  }

  /** The sum of all token accounts of each holder; null if the token is no mint. */
  async tokenBalances(pairs: readonly HolderToken[], signal: AbortSignal, at?: number): Promise<(bigint | null)[]> {
    const held = await this.tokenAccounts(pairs, signal, at);
    return held.map((list) => list?.reduce((sum, { data }) => sum + data.amount, 0n) ?? null);
  }

  /** Token accounts of each holder for one mint each; null if the token is no mint. */
  tokenAccounts(
    pairs: readonly HolderToken[],
    signal: AbortSignal,
    at?: number,
  ): Promise<(readonly OwnedAccount[] | null)[]> {
    const calls = pairs.map(({ token, holder }) => ({
      method: "getTokenAccountsByOwner",
      params: [formatBase58(holder), { mint: formatBase58(token) }, CONFIG],
    }));
    return this.#pool.run({ what: "getTokenAccountsByOwner" }, signal, async ({ endpoint }) => {
      const { answers } = await endpoint.ask(calls, signal);
      return answers.map((answer, i) => {
        if (!answer.ok && answer.error.code === INVALID_PARAMS) return null;
        return this.#listed(resultOf(answer), at).map((item) => parseAccount(item, pairs[i]));
      });
    });
  }

  /** Lists come with the slot at which they were read. */
  #listed(result: unknown, at: number | undefined): readonly unknown[] {
    const { context, value } = fieldsOf(result, "answer");
    const slot = indexOf(fieldsOf(context, "context").slot, "slot of the state");
    if (at !== undefined && slot < at) throw new BadAnswer(`the node is at slot ${slot}, before ${at}`);
    if (at !== undefined && slot - at > SLOTS_LATER_MAX) {
      const { id, name } = this.#network;
      const message = `${id}: the state of slot ${at} was requested at slot ${slot}`;
      const shown = `Nodes of ${name} keep only the newest state, not that of slot ${at}.`;
      throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: shown });
    }
    return listOf(value, "accounts");
  }

  async tokenMetadata(tokens: readonly Hex[], signal: AbortSignal): Promise<LiveTokenMetadata[]> {
    const places = tokens.map((token) => toHex(metadataAddress(fromHex(token) ?? EMPTY)));
    const accounts = await this.accounts([...tokens, ...places], signal);
    return tokens.map((token, i) =>
      metadataOf(token, mintIn(accounts[i] ?? null), accounts[tokens.length + i] ?? null),
    );
  }
}

const stateOf = (account: LiveAccount | null): AccountState => ({
  balance: account?.lamports ?? 0n,
  nonce: 0, // Solana counts none
  code: account?.executable === true ? account.data : EMPTY,
});

/** An address that is not a point of the curve has no key: a program signs for it. */
const kindOf = (address: Bytes, { executable, owner, data }: LiveAccount): NonNullable<DescribedAccount["kind"]> => {
  if (executable) return "program";
  if (isTokenProgram(owner) && data.length > 0) return "token";
  if (!isOnCurve(address)) return "pda";
  return owner === SYSTEM_PROGRAM ? "eoa" : "program_account";
};

/** Address of the Metaplex account for a mint's name. */
export const metadataAddress = (mint: Bytes): Bytes =>
  derivedAddress([Buffer.from("metadata"), METADATA_PROGRAM, mint], METADATA_PROGRAM);

const METADATA_PROGRAM_HEX = toHex(METADATA_PROGRAM);

/** Null for an account that is no mint of a token program. */
export const mintIn = (account: LiveAccount | null): Mint | null =>
  account !== null && isTokenProgram(account.owner) ? readMint(account.data) : null;

/** The name and symbol of a mint, from itself or from Metaplex's account. */
export const describedBy = (token: Hex, mint: Mint, metaplex: LiveAccount | null): TokenMetadataAccount | null =>
  describedByExtension(mint.extensions) ??
  (metaplex?.owner === METADATA_PROGRAM_HEX ? describedByMetaplex(metaplex.data, fromHex(token) ?? EMPTY) : null);

const metadataOf = (token: Hex, mint: Mint | null, metaplex: LiveAccount | null): LiveTokenMetadata => {
  if (mint === null) return { token, standard: null, name: null, symbol: null, decimals: null, total_supply: null };
  const described = describedBy(token, mint, metaplex);
  return {
    token,
    standard: "spl",
    name: cleanOrNull(described?.name, TEXT_BYTES_MAX.name),
    symbol: cleanOrNull(described?.symbol, TEXT_BYTES_MAX.symbol),
    decimals: mint.decimals,
    total_supply: mint.supply,
    has_hidden: hasHidden(described?.name ?? "") || hasHidden(described?.symbol ?? ""),
  };
};

/** Null for text of which nothing is left. */
export const cleanOrNull = (value: string | undefined, bytes_max: number): string | null => {
  const clean = value === undefined ? "" : cleanText(value, bytes_max);
  return clean === "" ? null : clean;
};

/** Mostly 2^64 - 1, which gateways in JavaScript round to a number that is no u64: null then. */
const rentEpochOf = (value: unknown): bigint | null => {
  const digits = String(value);
  return /^\d{1,20}$/.test(digits) && BigInt(digits) < 2n ** 64n ? BigInt(digits) : null;
};

export const readAccount = (json: unknown): LiveAccount | null => {
  if (json === null) return null;
  const fields = fieldsOf(json, "account");
  return {
    lamports: u64Of(fields.lamports, "lamports"),
    owner: toHex(keyOf(fields.owner, "owner")),
    executable: fields.executable === true,
    rent_epoch: rentEpochOf(fields.rentEpoch),
    data: base64Of(listOf(fields.data, "data")[0], "data"),
  };
};

/** @throws BadAnswer for an account of another owner than requested */
export const ownedAccountOf = (json: unknown, holder: Hex | undefined): OwnedAccount => {
  const fields = fieldsOf(json, "token account");
  const account = readAccount(fields.account);
  const data = account === null ? null : readTokenAccount(account.data);
  if (data === null || toHex(data.owner) !== holder) throw new BadAnswer("a token account of another owner");
  return { account: toHex(keyOf(fields.pubkey, "token account")), data };
};

/** @throws BadAnswer for an account of another owner or mint than requested */
const parseAccount = (json: unknown, pair: HolderToken | undefined): OwnedAccount => {
  const owned = ownedAccountOf(json, pair?.holder);
  if (toHex(owned.data.mint) !== pair?.token) throw new BadAnswer("a token account of another mint");
  return owned;
};
