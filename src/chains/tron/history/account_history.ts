/**
 * The past of an account by the lists that a service beside the node makes of the chain. Nothing proves a list; the sums of all
 * movements from the first block on must be the confirmed holdings (docs/design/on_demand.md).
 */
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { AssayError } from "../../../lib/errors.ts";
import { type AccountHistory, checkBlocks, type FoundHistory, type HistorySearch } from "../../account_history.ts";
import type { BlockRef } from "../../chain.ts";
import { BadAnswer } from "../../node/answer.ts";
import { fetchRef } from "../heads.ts";
import type { TronRpcPool } from "../pool.ts";
import type { BlockReader } from "../reader.ts";
import { countOf, presentOf } from "../wire.ts";
import { type ConfirmedState, readConfirmedState } from "./confirmed_state.ts";
import {
  type ListedBlock,
  type ListedTransactions,
  listHeldTokens,
  listsAccounts,
  listTransactions,
  TOKEN_LISTS,
} from "./listed_transactions.ts";

/** A list may show a confirmed transaction late: a followed account's last blocks are listed again. */
const LISTED_AGAIN = 200;
/** Readings of a state that a transaction of the account interrupted. */
const STATES_MAX = 5;
const LOOKUPS_IN_FLIGHT = 8;

export const openAccountHistory = (pool: TronRpcPool, reader: BlockReader): AccountHistory => {
  let allocations: Promise<ReadonlyMap<Hex, bigint>> | null = null;
  const last_blocks = new Map<Hex, ReadonlySet<number>>();
  return {
    doubt: {
      code: "HISTORY_NOT_PROVEN",
      message: (name) =>
        `${name} is read on demand from lists of the address's transactions that nothing proves. Its movements do not add up to its confirmed balances, or it is a contract, which may have received and sent again what no list names: transactions may be missing.`,
    },
    async find(search, signal) {
      if (pool.known.length > 0 && !pool.known.some(listsAccounts)) throw withoutLists(pool);
      // The coins of the first block have no transactions.
      allocations ??= readAllocations(reader, signal);
      const allocated = await allocations.catch((error: unknown) => {
        allocations = null;
        throw error;
      });
      const opening = search.is_followed ? 0n : (allocated.get(search.address) ?? 0n);
      const found = await new AccountSearch({ pool, search, last_blocks }, signal).find();
      return { ...found, openings: [{ token: "", amount: opening }] };
    },
  };
};

const withoutLists = (pool: TronRpcPool): AssayError =>
  pool.unavailable(
    "transactions of an account",
    new BadAnswer("no node lists them: TronGrid does, or a node with the same service (/v1/accounts)"),
  );

const readAllocations = async (reader: BlockReader, signal: AbortSignal): Promise<ReadonlyMap<Hex, bigint>> => {
  const held = new Map<Hex, bigint>();
  for (const { issuance } of await reader.range(0, 0, signal))
    for (const { address, amount } of issuance) held.set(toHex(address), (held.get(toHex(address)) ?? 0n) + amount);
  return held;
};

type FoundBlocks = Omit<FoundHistory, "openings">;

interface AccountSearchOptions {
  readonly pool: TronRpcPool;
  readonly search: HistorySearch;
  /** Blocks of each account that its last search found near its end. */
  readonly last_blocks: Map<Hex, ReadonlySet<number>>;
}

class AccountSearch {
  readonly #pool: TronRpcPool;
  readonly #search: HistorySearch;
  readonly #last_blocks: AccountSearchOptions["last_blocks"];
  readonly #signal: AbortSignal;
  #requests = 0;

  constructor({ pool, search, last_blocks }: AccountSearchOptions, signal: AbortSignal) {
    this.#pool = pool;
    this.#search = search;
    this.#last_blocks = last_blocks;
    this.#signal = signal;
  }

  async find(): Promise<FoundBlocks> {
    const { address, after, to, is_followed } = this.#search;
    const again_after = is_followed ? Math.max(0, after - LISTED_AGAIN) : after;
    const listed = await this.#list(again_after, (blocks) => this.#search.onFound?.(blocks));
    const numbers = await this.#numbersOf(listed.blocks);
    const common = { again_after, lost_before: null };
    const known = this.#last_blocks.get(address) ?? new Set();
    const is_new = (block: number): boolean =>
      block > again_after && block <= to && (block > after || !known.has(block));
    if (is_followed && !numbers.some(is_new))
      return { ...common, blocks: [], ends: [], is_proven: true, requests: this.#requests };
    const tokens = is_followed ? await this.#movedTokens() : listed.tokens;
    const { state, later } = await this.#settledState(tokens);
    const { number: reached } = state.first;
    const blocks = [...new Set([...numbers, ...later])].filter((block) => block > again_after && block <= reached);
    this.#last_blocks.set(address, new Set(blocks.filter((block) => block > reached - LISTED_AGAIN)));
    return {
      ...common,
      blocks: blocks.sort((a, b) => a - b),
      reached: state.first,
      ends: state.held,
      // A plain account pays coins only by its own transactions.
      is_proven: !state.is_contract,
      needs_sums: true,
      requests: this.#requests,
    };
  }

  /**
   * A confirmed state of the account, and its blocks above `to`. None is between the blocks that the node had confirmed before and after it was
   * read, so it is the state after the first of them.
   */
  async #settledState(
    known: ReadonlySet<Hex>,
  ): Promise<{ readonly state: ConfirmedState; readonly later: readonly number[] }> {
    const { address, to } = this.#search;
    this.#requests += 1;
    const held = await listHeldTokens(this.#pool, address, this.#signal);
    for (let tries = 0; tries < STATES_MAX; tries += 1) {
      const asked = { address, tokens: [...new Set([...known, ...held])], seen: to };
      const state = await readConfirmedState(this.#pool, asked, this.#signal);
      this.#requests += state.requests;
      const { blocks } = await this.#list(to);
      const later = (await this.#numbersOf(blocks)).filter((block) => block > to);
      if (!later.some((block) => block > state.first.number && block <= state.last.number)) return { state, later };
    }
    throw this.#pool.unavailable(
      "confirmed state of an account",
      new BadAnswer("the account acts faster than its state is read"),
    );
  }

  async #list(after: number, onListed: (blocks: number) => void = () => undefined): Promise<ListedTransactions> {
    const { address, blocks_max } = this.#search;
    const so_far = this.#requests;
    const check = (blocks: number, requests: number): void => {
      onListed(blocks);
      checkBlocks(blocks, { blocks_max }, so_far + requests);
    };
    const since_ms = after === 0 ? 0 : (await this.#timeOf(after)) * 1_000;
    const listed = await listTransactions(this.#pool, { address, since_ms, check }, this.#signal);
    this.#requests += listed.requests;
    return listed;
  }

  /** TRC-20 tokens of all transactions. */
  async #movedTokens(): Promise<ReadonlySet<Hex>> {
    const query = { address: this.#search.address, since_ms: 0, lists: TOKEN_LISTS };
    const { tokens, requests } = await listTransactions(this.#pool, query, this.#signal);
    this.#requests += requests;
    return tokens;
  }

  async #timeOf(block: number): Promise<number> {
    this.#requests += 1;
    const ref = await this.#pool.run(
      { what: `block ${block}` },
      this.#signal,
      (node): Promise<BlockRef | null> => fetchRef(node, block, this.#signal),
    );
    if (ref === null) throw this.#pool.unavailable(`block ${block}`, new BadAnswer("the block is not there"));
    return ref.time;
  }

  async #numbersOf(blocks: ReadonlyMap<number, ListedBlock>): Promise<readonly number[]> {
    const numbers: number[] = [];
    const open = blocks.entries();
    const worker = async (): Promise<void> => {
      for (const [time_ms, { id, number }] of open) numbers.push(number ?? (await this.#lookUp(id, time_ms)));
    };
    await Promise.all(Array.from({ length: LOOKUPS_IN_FLIGHT }, worker));
    return numbers;
  }

  /** The block of a transaction. */
  #lookUp(id: string, time_ms: number): Promise<number> {
    this.#requests += 1;
    return this.#pool.run({ what: "gettransactioninfobyid", spread: true }, this.#signal, async ({ endpoint }) => {
      const { json } = await endpoint.ask("/wallet/gettransactioninfobyid", { value: id }, this.#signal);
      const info = presentOf(json, "info");
      if (info === null) throw new BadAnswer("a listed transaction is not there");
      if (info.id !== id || countOf(info.blockTimeStamp, "time of a block") !== time_ms)
        throw new BadAnswer("a listed transaction has another block");
      return countOf(info.blockNumber, "block number");
    });
  }
}
