/** Effects of single transactions on an account and on its token accounts. */
import { type Bytes, EMPTY, equalBytes, fromHex, type Hex, toHex } from "../../../lib/bytes.ts";
import { BadAnswer, fieldsOf } from "../../node/answer.ts";
import { derivedAddress } from "../derived_address.ts";
import { resultOf } from "../endpoint.ts";
import type { SolanaRpcPool } from "../probe.ts";
import { ASSOCIATED_TOKEN_PROGRAM } from "../programs.ts";
import { askSettled } from "../settled.ts";
import { type RawTransaction, readRawTransaction, type TokenBalance } from "../transaction.ts";
import { indexOf, Keys, signatureOf } from "../wire.ts";
import type { ListedSignature, SignatureQuery } from "./signatures.ts";

const CALLS_PER_QUESTION = 50;
const CONFIG = { encoding: "base64", maxSupportedTransactionVersion: 0, commitment: "finalized" };

/** Of a token account. */
export interface TokenState {
  readonly owner: Hex;
  readonly mint: Hex;
  readonly amount: bigint;
}

/** Null: the account is no token account then. */
interface TokenChange {
  readonly before: TokenState | null;
  readonly after: TokenState | null;
}

export interface SeenTransaction {
  readonly slot: number;
  /** Null if the transaction does not name the wallet. */
  readonly lamports: { readonly before: bigint; readonly after: bigint } | null;
  /** By token account. */
  readonly tokens: ReadonlyMap<Hex, TokenChange>;
  /** Accounts that the wallet owned before or after it, and its associated ones that it names. */
  readonly owned: readonly Hex[];
  /** False if the node kept neither owners of token accounts nor inner instructions (before 2022). */
  readonly is_whole: boolean;
}

/** Reads transactions, as many at once as the endpoints allow. */
export class TransactionHistory {
  readonly #pool: SolanaRpcPool;
  readonly #wallet: Bytes;
  readonly #accepts: SignatureQuery["accepts"];
  readonly #associated = new Map<string, Hex>();
  readonly #keys = new Keys();

  constructor(pool: SolanaRpcPool, wallet: Hex, accepts: SignatureQuery["accepts"]) {
    this.#pool = pool;
    this.#wallet = fromHex(wallet) ?? EMPTY;
    this.#accepts = accepts;
  }

  async read(listed: readonly ListedSignature[], signal: AbortSignal): Promise<readonly SeenTransaction[]> {
    const parts: ListedSignature[][] = [];
    for (let at = 0; at < listed.length; at += CALLS_PER_QUESTION)
      parts.push(listed.slice(at, at + CALLS_PER_QUESTION));
    const read: (readonly SeenTransaction[])[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < parts.length; at = next++) read[at] = await this.#ask(parts[at] ?? [], signal);
    };
    await Promise.all(Array.from({ length: Math.min(this.#pool.concurrency_max, parts.length) }, worker));
    return read.flat();
  }

  #ask(part: readonly ListedSignature[], signal: AbortSignal): Promise<readonly SeenTransaction[]> {
    const calls = part.map(({ signature }) => ({ method: "getTransaction", params: [signature, CONFIG] }));
    const question = { what: "transactions of an account", spread: true, accepts: this.#accepts };
    return this.#pool.run(question, signal, async ({ endpoint }) => {
      const answers = await askSettled(endpoint, calls, signal);
      return part.map((one, i) => {
        const answer = answers[i];
        const json = answer === undefined ? null : resultOf(answer);
        if (json === null) throw new BadAnswer("a listed transaction is not there");
        return this.#seen(json, one);
      });
    });
  }

  #seen(json: unknown, { slot, signature }: ListedSignature): SeenTransaction {
    const fields = fieldsOf(json, "transaction");
    const raw = readRawTransaction(fields, this.#keys);
    if (!equalBytes(raw.signature, signatureOf(signature, "signature")) || indexOf(fields.slot, "slot") !== slot)
      throw new BadAnswer("another transaction than was listed");
    const { accounts, lamports, tokens } = raw;
    const place = Array.from({ length: accounts.length }, (_, at) => at).find((at) => accounts.is(at, this.#wallet));
    const changes = changesOf(raw);
    const wallet = toHex(this.#wallet);
    const held = [...changes].flatMap(([account, { before, after }]) =>
      before?.owner === wallet || after?.owner === wallet ? [account] : [],
    );
    return {
      slot,
      lamports:
        place === undefined ? null : { before: lamports.before[place] ?? 0n, after: lamports.after[place] ?? 0n },
      tokens: changes,
      owned: [...held, ...this.#associatedIn(raw)],
      is_whole: raw.has_inner && [...tokens.before, ...tokens.after].every(({ owner }) => owner !== null),
    };
  }

  /** Associated accounts of the wallet that the transaction names, whether or not they exist before and after it. */
  #associatedIn({ accounts, tokens }: RawTransaction): readonly Hex[] {
    const derived = new Set([...tokens.before, ...tokens.after].map((balance) => this.#associatedOf(balance)));
    const named: Hex[] = [];
    for (let at = 0; at < accounts.length && derived.size > 0; at += 1)
      if (derived.has(accounts.hex(at))) named.push(accounts.hex(at));
    return named;
  }

  /** Deriving one takes a millisecond, and few mints recur. */
  #associatedOf({ mint, program }: TokenBalance): Hex {
    const key = `${toHex(mint)} ${program}`;
    const seeds = () => [this.#wallet, fromHex(program) ?? EMPTY, mint];
    const found = this.#associated.get(key) ?? toHex(derivedAddress(seeds(), ASSOCIATED_PROGRAM));
    this.#associated.set(key, found);
    return found;
  }
}

const ASSOCIATED_PROGRAM = fromHex(ASSOCIATED_TOKEN_PROGRAM) ?? EMPTY;

const changesOf = ({ accounts, tokens }: RawTransaction): ReadonlyMap<Hex, TokenChange> => {
  const changes = new Map<Hex, TokenChange>();
  const stateOf = ({ owner, mint, amount }: TokenBalance): TokenState => ({
    owner: toHex(owner ?? EMPTY),
    mint: toHex(mint),
    amount,
  });
  for (const balance of tokens.before)
    changes.set(accounts.hex(balance.account), { before: stateOf(balance), after: null });
  for (const balance of tokens.after) {
    const account = accounts.hex(balance.account);
    changes.set(account, { before: changes.get(account)?.before ?? null, after: stateOf(balance) });
  }
  return changes;
};
