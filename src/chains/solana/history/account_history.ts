/**
 * The past of an account by `getSignaturesForAddress`: of itself and of each token account that it owns or owned. The
 * states before and after all these transactions must join up to the present one (docs/design/on_demand.md).
 */
import type { Hex } from "../../../lib/bytes.ts";
import {
  type AccountHistory,
  checkBlocks,
  type FoundHistory,
  type HeldAmount,
  type HistorySearch,
} from "../../account_history.ts";
import type { SolanaRpcPool } from "../probe.ts";
import { indexOf } from "../wire.ts";
import { type JoinedStates, joinStates } from "./joined_states.ts";
import { type PresentState, readPresentState } from "./present_state.ts";
import { type SeenTransaction, type TokenState, TransactionHistory } from "./seen_transactions.ts";
import { type ListedSignature, listSignatures, type SignatureQuery } from "./signatures.ts";

/** Accounts whose signatures are listed at the same time. */
const LISTS_IN_FLIGHT = 8;

export const openAccountHistory = (pool: SolanaRpcPool): AccountHistory => ({
  doubt: {
    code: "HISTORY_NOT_PROVEN",
    message: (name) =>
      `${name} is read on demand, and the balances before and after the transactions that the node lists of the address do not join: rewards without a transaction, or transactions that the node does not list, are missing.`,
  },
  find: (search, signal) => findHistory(pool, search, signal),
});

const findHistory = async (pool: SolanaRpcPool, search: HistorySearch, signal: AbortSignal): Promise<FoundHistory> => {
  const first_slot = await readFirstSlot(pool, signal);
  const present = await readPresentState(pool, { wallet: search.address, seen: search.to }, signal);
  const accounts = new AccountSearch({ pool, search, present, first_slot }, signal);
  await accounts.run();
  const read = { ...accounts.read, present, search };
  const lost_before = lostBefore(read, first_slot);
  const states = joinAll(read, lost_before ?? 0);
  return {
    blocks: blocksOf(read, lost_before ?? 0),
    lost_before,
    ...holdingsOf(states, read),
    is_proven: isProven(states, read, lost_before),
    requests: 1 + present.requests + accounts.requests,
  };
};

/** The oldest slot that the node with the longest history keeps now: nodes drop old slots as they go on. */
const readFirstSlot = (pool: SolanaRpcPool, signal: AbortSignal): Promise<number> => {
  const first = Math.min(...pool.known.map((traits) => traits.first_slot));
  const accepts = (traits: { readonly first_slot: number }) => !Number.isFinite(first) || traits.first_slot <= first;
  return pool.run({ what: "first slot", spread: true, accepts }, signal, async ({ endpoint }) =>
    indexOf(await endpoint.result({ method: "getFirstAvailableBlock", params: [] }, signal), "first slot"),
  );
};

interface ReadAccounts {
  /** Transactions that name each account, by slot. */
  readonly lists: ReadonlyMap<Hex, readonly ListedSignature[]>;
  /** By signature. */
  readonly seen: ReadonlyMap<string, SeenTransaction>;
}

type ReadHistory = ReadAccounts & { readonly present: PresentState; readonly search: HistorySearch };

interface AccountSearchOptions {
  readonly pool: SolanaRpcPool;
  readonly search: HistorySearch;
  readonly present: PresentState;
  readonly first_slot: number;
}

/** Lists the transactions of the account and of its token accounts, until these name no further ones. */
class AccountSearch {
  readonly #parts: AccountSearchOptions;
  readonly #query: SignatureQuery;
  readonly #transactions: TransactionHistory;
  readonly #signal: AbortSignal;
  readonly #lists = new Map<Hex, readonly ListedSignature[]>();
  readonly #seen = new Map<string, SeenTransaction>();
  requests = 0;

  constructor(parts: AccountSearchOptions, signal: AbortSignal) {
    const { pool, search, present, first_slot } = parts;
    const from = Math.max(search.after + 1, first_slot);
    const accepts = (traits: { readonly first_slot: number }) => traits.first_slot <= from;
    this.#parts = parts;
    this.#signal = signal;
    const seen = Math.max(present.slot, ...present.token_slots);
    const check = (slots: number, requests: number): void => checkBlocks(slots, search, this.requests + requests);
    this.#query = { from, seen, is_followed: search.is_followed, check, accepts };
    this.#transactions = new TransactionHistory(pool, search.address, accepts);
  }

  get read(): ReadAccounts {
    return { lists: this.#lists, seen: this.#seen };
  }

  async run(): Promise<void> {
    const { search, present } = this.#parts;
    let open: readonly Hex[] = [search.address, ...present.tokens.keys()];
    while (open.length > 0) {
      await this.#list(open);
      const signatures = open.flatMap((account) => this.#lists.get(account) ?? []);
      const fresh = new Map(signatures.map((one) => [one.signature, one]));
      for (const known of this.#seen.keys()) fresh.delete(known);
      const slots = new Set([...this.#seen.values(), ...fresh.values()].map(({ slot }) => slot));
      search.onFound?.(slots.size);
      checkBlocks(slots.size, search, this.requests);
      const found = await this.#transactions.read([...fresh.values()], this.#signal);
      this.requests += found.length;
      for (const [i, signature] of [...fresh.keys()].entries()) {
        const one = found[i];
        if (one !== undefined) this.#seen.set(signature, one);
      }
      const owned = new Set(found.flatMap((one) => one.owned));
      open = [...owned].filter((account) => !this.#lists.has(account));
    }
  }

  async #list(accounts: readonly Hex[]): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let account = accounts[next++]; account !== undefined; account = accounts[next++]) {
        const how = { query: this.#query, signal: this.#signal };
        const { listed, requests } = await listSignatures(this.#parts.pool, account, how);
        this.#lists.set(account, listed);
        this.requests += requests;
      }
    };
    await Promise.all(Array.from({ length: Math.min(LISTS_IN_FLIGHT, accounts.length) }, worker));
  }
}

/** Slots below were dropped by the node, or kept without a part from which movements follow. */
const lostBefore = ({ seen, search }: ReadHistory, first_slot: number): number | null => {
  const partial = [...seen.values()].flatMap(({ slot, is_whole }) => (is_whole ? [] : [slot + 1]));
  const lost = partial.reduce((one, other) => Math.max(one, other), first_slot);
  return lost > search.after + 1 ? lost : null;
};

const blocksOf = ({ seen, search: { to } }: ReadHistory, from: number): readonly number[] => {
  const slots = [...seen.values()].flatMap(({ slot }) => (slot >= from && slot <= to ? [slot] : []));
  return [...new Set(slots)].sort((a, b) => a - b);
};

interface AccountStates {
  readonly own: JoinedStates;
  readonly tokens: ReadonlyMap<Hex, JoinedStates>;
}

const joinAll = ({ lists, seen, search }: ReadHistory, from: number): AccountStates => {
  const changesOf = (account: Hex, stateOf: (one: SeenTransaction, side: "before" | "after") => string) =>
    joinStates(
      (lists.get(account) ?? []).flatMap(({ slot, signature }) => {
        const one = seen.get(signature);
        if (one === undefined || slot < from) return [];
        return { slot, before: stateOf(one, "before"), after: stateOf(one, "after") };
      }),
    );
  const accounts = [...lists.keys()].filter((account) => account !== search.address);
  return {
    own: changesOf(search.address, ({ lamports }, side) => String(lamports?.[side] ?? 0n)),
    tokens: new Map(
      accounts.map((account) => [
        account,
        changesOf(account, ({ tokens }, side) => textOf(tokens.get(account)?.[side])),
      ]),
    ),
  };
};

const textOf = (state: TokenState | null | undefined): string =>
  state === null || state === undefined ? "" : `${state.owner} ${state.mint} ${state.amount}`;

/** A text of `textOf`. */
const tokenStateOf = (text: string): TokenState | null => {
  const [owner, mint, amount] = text.split(" ") as [Hex, Hex | undefined, string | undefined];
  return mint === undefined || amount === undefined ? null : { owner, mint, amount: BigInt(amount) };
};

/** Before the first transaction that is known, and after the block `to`. */
const holdingsOf = (
  { own, tokens }: AccountStates,
  { present, search }: ReadHistory,
): Pick<FoundHistory, "openings" | "ends"> => {
  const openings = new Map<Hex, bigint>([["", BigInt(own.start ?? present.lamports)]]);
  const ends = new Map<Hex, bigint>([["", BigInt(own.at(search.to) ?? present.lamports)]]);
  for (const [account, states] of tokens) {
    const now = textOf(present.tokens.get(account)?.state);
    const add = (held: Map<Hex, bigint>, text: string): void => {
      const state = tokenStateOf(text);
      if (state?.owner === search.address) held.set(state.mint, (held.get(state.mint) ?? 0n) + state.amount);
    };
    add(openings, states.start ?? now);
    add(ends, states.at(search.to) ?? now);
  }
  return { openings: amountsOf(openings), ends: amountsOf(ends) };
};

const amountsOf = (held: ReadonlyMap<Hex, bigint>): readonly HeldAmount[] =>
  [...held].map(([token, amount]) => ({ token, amount }));

/**
 * All states join and end with the present ones. An account whose history nodes know from the first block on had nothing before it.
 */
const isProven = (states: AccountStates, read: ReadHistory, lost_before: number | null): boolean => {
  const { present, search } = read;
  const all = [states.own, ...states.tokens.values()];
  if (all.some(({ is_joined }) => !is_joined)) return false;
  const is_from_birth = search.after === 0 && lost_before === null;
  if (is_from_birth && holdingsOf(states, read).openings.some(({ amount }) => amount > 0n)) return false;
  if ((states.own.at(present.slot) ?? String(present.lamports)) !== String(present.lamports)) return false;
  return [...states.tokens].every(([account, { at }]) => {
    const now = present.tokens.get(account);
    if (now !== undefined) return (at(now.slot) ?? textOf(now.state)) === textOf(now.state);
    return present.token_slots.some((slot) => tokenStateOf(at(slot) ?? "")?.owner !== search.address);
  });
};
