/**
 * Names of the Solana Name Service, resolved by the service's rules for wallets (SNS-IP 5; docs/design/families.md).
 */
import { type Bytes, EMPTY, equalBytes, fromHex, type Hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { ChainNames, NamedAddress } from "../chain_names.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import { readTokenAccount } from "./account_data.ts";
import { formatBase58 } from "./address.ts";
import { isOnCurve } from "./derived_address.ts";
import {
  favouriteAddress,
  isTokenized,
  NAME_PROGRAM,
  nameAddress,
  OFFERS_PROGRAM,
  type RegisteredName,
  ROOT,
  readFavourite,
  readRecord1,
  readRecord2,
  readRegistered,
  readReverse,
  recordAddresses,
  reverseAddress,
  SOL_MIGRATION_SLOT,
  TOKENIZER_PROGRAM,
  tokenMint,
  tokenRecordAddress,
} from "./name_accounts.ts";
import type { SolanaRpcPool } from "./probe.ts";
import type { SolanaStateReader } from "./state.ts";
import { indexOf, keyOf } from "./wire.ts";

const COIN_TYPE = 501;
/** The node's error code for an address that is no mint. */
const INVALID_PARAMS = -32_602;

interface NameQuery {
  readonly signal: AbortSignal;
  readonly at: number | undefined;
}

const moved = (name: string, slot: number): AssayError =>
  new AssayError({
    code: "COVERAGE_INCOMPLETE",
    message: `${name} was requested at slot ${slot}`,
    public:
      `From slot ${SOL_MIGRATION_SLOT} on, names that end in .sol belong to another program, which Assay does not read. ` +
      "The names of this service end in .sns.",
  });

export class NameReader implements ChainNames {
  readonly service = "sns";
  readonly coin_type = COIN_TYPE;
  readonly #pool: SolanaRpcPool;
  readonly #state: SolanaStateReader;

  constructor(pool: SolanaRpcPool, state: SolanaStateReader) {
    this.#pool = pool;
    this.#state = state;
  }

  /**
   * @throws AssayError UPSTREAM_UNAVAILABLE, or COVERAGE_INCOMPLETE for a name that another program has taken over by
   * then
   */
  async resolve(name: string, signal: AbortSignal, at?: number): Promise<NamedAddress | null> {
    const account = nameAddress(name);
    if (account === null) return null;
    if (name.endsWith(".sol")) {
      const slot = at ?? (await this.#newest(signal));
      if (slot >= SOL_MIGRATION_SLOT) throw moved(name, slot);
    }
    return this.#resolve(account, { signal, at });
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE */
  async primaryOf(address: Hex, signal: AbortSignal, at?: number): Promise<string | null> {
    const asked: NameQuery = { signal, at };
    const [favourite = null] = await this.#data([[favouriteAddress(bytesOf(address)), OFFERS_PROGRAM]], asked);
    const account = favourite === null ? null : readFavourite(favourite);
    const name = account === null ? null : await this.#nameOf(account, asked);
    // The writer of an account's label is not trusted: the label must lead back to the account.
    if (account === null || name === null || !equalBytes(nameAddress(name) ?? EMPTY, account)) return null;
    const found = await this.#resolve(account, asked);
    return found !== null && found.owner === address && found.address === address ? name : null;
  }

  async #resolve(account: Bytes, asked: NameQuery): Promise<NamedAddress | null> {
    const [record1, record2] = recordAddresses(account);
    const [registry = null, token = null, first = null, second = null] = await this.#data(
      [
        [account, NAME_PROGRAM],
        [tokenRecordAddress(account), TOKENIZER_PROGRAM],
        [record1, NAME_PROGRAM],
        [record2, NAME_PROGRAM],
      ],
      asked,
    );
    const registered = registry === null ? null : readRegistered(registry);
    if (registered === null) return null;
    if (token !== null && isTokenized(token)) {
      const holder = await this.#holderOf(tokenMint(account), asked);
      return holder === null ? null : { address: holder, owner: holder };
    }
    const address = payable(registered, { record1, first, second });
    return address === null ? null : { address: toHex(address), owner: toHex(registered.owner) };
  }

  /** Data of accounts that belong to the expected program; null for all others. */
  async #data(wanted: readonly (readonly [Bytes, Bytes])[], { signal, at }: NameQuery): Promise<(Bytes | null)[]> {
    const addresses = wanted.map(([address]) => toHex(address));
    const accounts = await this.#state.accounts(addresses, signal, at);
    return wanted.map(([, program], i) => {
      const account = accounts[i] ?? null;
      return account !== null && account.owner === toHex(program) ? account.data : null;
    });
  }

  #newest(signal: AbortSignal): Promise<number> {
    return this.#pool.run({ what: "getSlot" }, signal, async ({ endpoint }) =>
      indexOf(await endpoint.result({ method: "getSlot", params: [{ commitment: "confirmed" }] }, signal), "slot"),
    );
  }

  /** `alice.sol`, later `alice.sns`, from the labels that the service stores beside its accounts. */
  async #nameOf(account: Bytes, asked: NameQuery): Promise<string | null> {
    const [registry = null] = await this.#data([[account, NAME_PROGRAM]], asked);
    const registered = registry === null ? null : readRegistered(registry);
    if (registered === null) return null;
    const { parent } = registered;
    const is_below = !equalBytes(parent, ROOT);
    const places = [
      reverseAddress(account, is_below ? parent : null),
      ...(is_below ? [reverseAddress(parent, null)] : []),
    ];
    const labels = await this.#data(
      places.map((place) => [place, NAME_PROGRAM]),
      asked,
    );
    const words = labels.map((data) => (data === null ? null : readReverse(data)));
    if (words.includes(null)) return null;
    const slot = asked.at ?? (await this.#newest(asked.signal));
    return [...words, slot < SOL_MIGRATION_SLOT ? "sol" : "sns"].join(".");
  }

  /** The holder of the one token of a mint, or null. */
  async #holderOf(mint: Bytes, { signal, at }: NameQuery): Promise<Hex | null> {
    const params = [formatBase58(toHex(mint)), { commitment: "confirmed" }];
    const largest = await this.#pool.run({ what: "getTokenLargestAccounts" }, signal, async ({ endpoint }) => {
      const answer = await endpoint.one({ method: "getTokenLargestAccounts", params }, signal);
      if (!answer.ok && answer.error.code === INVALID_PARAMS) return null;
      if (!answer.ok) throw answer.error;
      const [first] = listOf(fieldsOf(answer.result, "answer").value, "largest accounts");
      return first === undefined ? null : toHex(keyOf(fieldsOf(first, "largest account").address, "token account"));
    });
    if (largest === null) return null;
    const [account = null] = await this.#state.accounts([largest], signal, at);
    const held = account === null ? null : readTokenAccount(account.data);
    if (held !== null && !equalBytes(held.mint, mint))
      throw this.#pool.unavailable("getTokenLargestAccounts", new BadAnswer("an account of another token"));
    return held?.amount === 1n ? toHex(held.owner) : null;
  }
}

const bytesOf = (address: Hex): Bytes => fromHex(address) ?? EMPTY;

interface SolanaNameRecords {
  readonly record1: Bytes;
  readonly first: Bytes | null;
  readonly second: Bytes | null;
}

/**
 * The record of the second version if its writer still owns the name; else the signed one of the first; else the owner.
 * A record whose subject did not agree, or an owner without a key, leads nowhere.
 */
const payable = ({ owner }: RegisteredName, { record1, first, second }: SolanaNameRecords): Bytes | null => {
  const newer = second === null ? null : readRecord2(second, owner);
  if (newer?.kind === "address") return newer.address;
  if (newer?.kind === "invalid") return null;
  const older = first === null ? null : readRecord1(first, { record: record1, owner });
  return older ?? (isOnCurve(owner) ? owner : null);
};
