/** Reads of state. A Tron node has only the newest one, which also serves requests for a block of the last minute. */
import { type Bytes, concatHex, EMPTY, type Hex, hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { cleanText, hasHidden, TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { DescribedAccount } from "../account_facts.ts";
import type { AccountState, CallResult, ContractCall, LiveTokenMetadata, Network } from "../chain.ts";
import { addressWord, numberIn, SELECTORS } from "../evm/abi.ts";
import { readMetadata } from "../evm/metadata.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf, textOf } from "../node/answer.ts";
import { needsSeveralKeys, readResources, stakedIn } from "./account.ts";
import { fetchRef } from "./heads.ts";
import type { TronRpcNode, TronRpcPool } from "./pool.ts";
import { addressText, amountOf, bytesOf, countOf, hashOf, presentOf } from "./wire.ts";

const NOBODY: Hex = hex("00".repeat(20));
const ADDRESS_DIGITS = 40;
/** Tron has no transaction counter per account. */
const NONCE = 0;
/** Maximum age of a block that the newest state may serve, in seconds. */
const STATE_AGE_MAX_S = 60;

export class TronStateReader {
  readonly #pool: TronRpcPool;
  readonly #network: Network;

  constructor(pool: TronRpcPool, network: Network) {
    this.#pool = pool;
    this.#network = network;
  }

  /** A failed contract is a result (`ok: false`), a failed node is a throw. */
  call(calls: readonly ContractCall[], signal: AbortSignal, at?: number): Promise<readonly CallResult[]> {
    return this.#each(calls, { what: "triggerconstantcontract", at, signal }, async ({ endpoint }, call) => {
      const question = {
        owner_address: addressText(call.from ?? NOBODY),
        contract_address: addressText(call.to),
        data: call.data,
        ...(call.value === undefined ? {} : { call_value: Number(call.value) }),
      };
      return callResult((await endpoint.ask("/wallet/triggerconstantcontract", question, signal)).json);
    });
  }

  async account(address: Hex, signal: AbortSignal, at?: number): Promise<AccountState> {
    const [state] = await this.#each([address], { what: "getaccount", at, signal }, async (node) => {
      const [account, contract] = await Promise.all([
        readAccount(node, address, signal),
        readContract(node, address, signal),
      ]);
      return stateOf(account, contract);
    });
    if (state === undefined) throw this.#pool.unavailable("getaccount", new BadAnswer("an account without an answer"));
    return state;
  }

  async describe(address: Hex, signal: AbortSignal, at?: number): Promise<DescribedAccount> {
    const [found] = await this.#each([address], { what: "getaccountresource", at, signal }, async (node) => {
      const [account, contract, used] = await Promise.all([
        readAccount(node, address, signal),
        readContract(node, address, signal),
        node.endpoint.ask("/wallet/getaccountresource", { address: addressText(address) }, signal),
      ]);
      const resources =
        account === null ? null : readResources({ account, used: fieldsOf(used.json, "resources"), contract });
      const state = { ...stateOf(account, contract), exists: account !== null, program: null };
      const needs_several = resources !== null && needsSeveralKeys(resources);
      return { ...state, kind: needs_several ? ("tron_multisig" as const) : null, resources };
    });
    if (found === undefined) throw this.#pool.unavailable("getaccount", new BadAnswer("an account without an answer"));
    return found;
  }

  async stakedCoins(address: Hex, signal: AbortSignal, at?: number): Promise<bigint> {
    const [staked] = await this.#each([address], { what: "getaccount", at, signal }, async (node) => {
      const account = await readAccount(node, address, signal);
      return account === null ? 0n : stakedIn(account);
    });
    if (staked === undefined) throw this.#pool.unavailable("getaccount", new BadAnswer("an account without an answer"));
    return staked;
  }

  nativeBalances(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly bigint[]> {
    return this.#each(addresses, { what: "getaccount", at, signal }, async (node, address) =>
      balanceOf(await readAccount(node, address, signal)),
    );
  }

  /** Null if a contract does not answer `balanceOf`. */
  async tokenBalances(
    pairs: readonly { readonly token: Hex; readonly holder: Hex }[],
    signal: AbortSignal,
    at?: number,
  ): Promise<readonly (bigint | null)[]> {
    const told = pairs.filter(({ token }) => token.length !== ADDRESS_DIGITS);
    const asked = pairs.filter(({ token }) => token.length === ADDRESS_DIGITS);
    const [kept, results] = await Promise.all([
      this.#each(told, { what: "getaccount", at, signal }, async (node, { token, holder }) =>
        assetOf(await readAccount(node, holder, signal), token),
      ),
      this.call(
        asked.map(({ token, holder }) => ({ to: token, data: concatHex(SELECTORS.balanceOf, addressWord(holder)) })),
        signal,
        at,
      ),
    ]);
    const found = new Map<object, bigint | null>();
    for (const [i, pair] of told.entries()) found.set(pair, kept[i] ?? null);
    for (const [i, pair] of asked.entries()) found.set(pair, results[i]?.ok ? numberIn(results[i].data) : null);
    return pairs.map((pair) => found.get(pair) ?? null);
  }

  async tokenMetadata(tokens: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly LiveTokenMetadata[]> {
    const told = tokens.filter((token) => token.length !== ADDRESS_DIGITS);
    const [assets, contracts] = await Promise.all([
      this.#each(told, { what: "getassetissuebyid", at: undefined, signal }, (node, token) =>
        readAsset(node, token, signal),
      ),
      readMetadata(
        tokens.filter((token) => token.length === ADDRESS_DIGITS),
        // No account here runs foreign code, and no collection is older than ERC-165.
        { call: (calls) => this.call(calls, signal, at), codes: async () => [] },
      ),
    ]);
    // A token with the interface of an ERC-20 has another name here.
    const { token_kind } = this.#network;
    const named = contracts.map((one) =>
      one.standard === "erc20" ? { ...one, standard: token_kind ?? one.standard } : one,
    );
    const found = new Map([...assets, ...named].map((one) => [one.token, one]));
    return tokens.map((token) => found.get(token) ?? { ...UNKNOWN_ASSET, token });
  }

  /** Only JSON-RPC serves storage. @throws AssayError UPSTREAM_UNAVAILABLE if no endpoint has it */
  async storage(
    { address, slot }: { readonly address: Hex; slot: Hex },
    signal: AbortSignal,
    at?: number,
  ): Promise<Bytes> {
    await this.#checkAge(at, signal);
    const params = [`0x${address}`, `0x${slot.padStart(64, "0")}`, "latest"];
    const question = { what: "eth_getStorageAt", accepts: (traits: TronRpcNode["traits"]) => traits.has_json_rpc };
    return this.#pool.run(question, signal, async ({ endpoint }) => {
      const call = { jsonrpc: "2.0", id: 1, method: "eth_getStorageAt", params };
      const { result } = fieldsOf((await endpoint.ask("/jsonrpc", call, signal)).json, "storage slot");
      return hashOf(typeof result === "string" ? result.replace(/^0x/, "") : result, "storage slot");
    });
  }

  async #each<A, R>(
    asked: readonly A[],
    { what, at, signal }: { what: string; at: number | undefined; signal: AbortSignal },
    read: (node: TronRpcNode, one: A) => Promise<R>,
  ): Promise<readonly R[]> {
    if (asked.length === 0) return [];
    await this.#checkAge(at, signal);
    return this.#pool.run({ what }, signal, (node) => Promise.all(asked.map((one) => read(node, one))));
  }

  async #checkAge(at: number | undefined, signal: AbortSignal): Promise<void> {
    if (at === undefined) return;
    const head = await this.#pool.run({ what: "head" }, signal, (node) => fetchRef(node, null, signal));
    const age_s = ((head?.number ?? 0) - at) * this.#network.block_seconds;
    if (head !== null && age_s <= STATE_AGE_MAX_S) return;
    throw new AssayError({
      code: "UPSTREAM_UNAVAILABLE",
      message: `${this.#network.id}: the state of block ${at} was requested, and nodes of Tron have only the newest`,
      public: `Nodes of ${this.#network.name} keep no state of old blocks. Call again without an earlier block.`,
    });
  }
}

/** Null for an account that has never received anything. */
const readAccount = async (
  { endpoint }: TronRpcNode,
  address: Hex,
  signal: AbortSignal,
): Promise<JsonFields | null> => {
  const { json } = await endpoint.ask("/wallet/getaccount", { address: addressText(address) }, signal);
  const account = presentOf(json, "account");
  if (account !== null && account.address !== addressText(address))
    throw new BadAnswer("another account than asked for");
  return account;
};

/** Null without a contract. */
const readContract = async ({ endpoint }: TronRpcNode, address: Hex, signal: AbortSignal): Promise<JsonFields | null> =>
  presentOf((await endpoint.ask("/wallet/getcontractinfo", { value: addressText(address) }, signal)).json, "contract");

const stateOf = (account: JsonFields | null, contract: JsonFields | null): AccountState => ({
  balance: balanceOf(account),
  nonce: NONCE,
  code: contract === null ? EMPTY : bytesOf(contract.runtimecode, "code"),
});

export const balanceOf = (account: JsonFields | null): bigint => amountOf(account?.balance, "balance");

/** Balances by id, as text. */
export const assetsOf = (account: JsonFields | null): ReadonlyMap<string, bigint> =>
  new Map(
    (account?.assetV2 === undefined ? [] : listOf(account.assetV2, "assets")).map((item) => {
      const { key, value } = fieldsOf(item, "asset");
      return [textOf(key, "asset id"), amountOf(value, "asset balance")];
    }),
  );

const assetOf = (account: JsonFields | null, token: Hex): bigint => {
  const id = Buffer.from(token, "hex").toString("latin1");
  return assetsOf(account).get(id) ?? 0n;
};

const UNKNOWN_ASSET = { standard: null, name: null, symbol: null, decimals: null, total_supply: null };

const readAsset = async ({ endpoint }: TronRpcNode, token: Hex, signal: AbortSignal): Promise<LiveTokenMetadata> => {
  const value = Buffer.from(token, "hex").toString("latin1");
  return assetMetadata(
    presentOf((await endpoint.ask("/wallet/getassetissuebyid", { value }, signal)).json, "asset"),
    token,
  );
};

/** A TRC-10 token from the node's answer; null: the node knows none. @throws BadAnswer */
export const assetMetadata = (asset: JsonFields | null, token: Hex): LiveTokenMetadata => {
  const value = Buffer.from(token, "hex").toString("latin1");
  if (asset === null || asset.id !== value) return { ...UNKNOWN_ASSET, token };
  const rawOf = (field: unknown): string => Buffer.from(bytesOf(field, "asset text")).toString("utf8");
  const text = (field: unknown, bytes_max: number): string | null => cleanText(rawOf(field), bytes_max) || null;
  return {
    token,
    standard: "trc10",
    name: text(asset.name, TEXT_BYTES_MAX.name),
    symbol: text(asset.abbr, TEXT_BYTES_MAX.symbol),
    decimals: countOf(asset.precision, "precision"),
    total_supply: amountOf(asset.total_supply, "total supply"),
    has_hidden: hasHidden(rawOf(asset.name)) || hasHidden(rawOf(asset.abbr)),
  };
};

/** A contract that fails or does not exist is a result. */
export const callResult = (answer: unknown): CallResult => {
  const fields = fieldsOf(answer, "call");
  const result = fieldsOf(fields.result, "call result");
  const [data] = fields.constant_result === undefined ? [] : listOf(fields.constant_result, "return values");
  const bytes = bytesOf(data, "return value");
  if (result.result !== true) {
    if (result.code === "CONTRACT_VALIDATE_ERROR" || result.code === "CONTRACT_EXE_ERROR")
      return { ok: false, data: EMPTY };
    throw new BadAnswer(`a call was refused: ${toHex(bytesOf(result.message, "message")).slice(0, 100)}`);
  }
  const ret = fields.transaction === undefined ? undefined : fieldsOf(fields.transaction, "transaction").ret;
  const has_failed =
    ret !== undefined && listOf(ret, "results").some((one) => fieldsOf(one, "result").ret === "FAILED");
  return { ok: !has_failed && result.message === undefined, data: bytes };
};
