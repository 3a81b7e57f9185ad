/**
 * The transactions of an account as a service beside the node lists them (TronGrid's API v1): those that it sent or that name it, its
 * TRC-20 transfers, and the internal transactions that pay it. Each list has pages; each page names the next one by a fingerprint.
 */
import type { Hex } from "../../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf, textOf } from "../../node/answer.ts";
import { formatAddress, parseAddress } from "../address.ts";
import { LISTS_OF_ACCOUNTS } from "../endpoint.ts";
import type { TronRpcNode, TronRpcPool } from "../pool.ts";
import { countOf } from "../wire.ts";

const ALL_LISTS = ["transactions", "transactions/trc20", "internal-transactions"];
/** Those that name TRC-20 tokens. */
export const TOKEN_LISTS: readonly string[] = ["transactions/trc20"];
/** TronGrid's bound. */
const PAGE_MAX = 200;

export interface ListQuery {
  readonly address: Hex;
  /** Only transactions of blocks from this time on, unix milliseconds. */
  readonly since_ms: number;
  /** Omitted: all. */
  readonly lists?: readonly string[];
  /** @throws TooManyBlocks */
  readonly check?: (blocks: number, requests: number) => void;
}

export interface ListedTransactions {
  /** By the time of the block, unix milliseconds: no two blocks have the same. */
  readonly blocks: ReadonlyMap<number, ListedBlock>;
  /** TRC-20 tokens that they move. */
  readonly tokens: ReadonlySet<Hex>;
  /** Calls that this took. */
  readonly requests: number;
}

export interface ListedBlock {
  /** Null if only lists without numbers of blocks name it. */
  readonly number: number | null;
  /** One of its transactions. */
  readonly id: string;
}

export const listsAccounts = ({ lists_accounts }: TronRpcNode["traits"]): boolean => lists_accounts;

/** All confirmed transactions of the account that any of the lists names. */
export const listTransactions = async (
  pool: TronRpcPool,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListedTransactions> => {
  const blocks = new Map<number, ListedBlock>();
  const tokens = new Set<Hex>();
  let requests = 0;
  let has_failed = false;
  const readList = async (list: string): Promise<void> => {
    for (let fingerprint: string | null = null; !has_failed; ) {
      const page = await readPage(pool, pathOf(list, query, fingerprint), signal);
      requests += 1;
      for (const item of page.items) {
        addTo(blocks, item);
        const token = tokenOf(item);
        if (token !== null) tokens.add(token);
      }
      query.check?.(blocks.size, requests);
      if (page.next === null || page.items.length === 0) return;
      if (page.next === fingerprint)
        throw pool.unavailable(list, new BadAnswer("a page of a list names itself as the next one"));
      fingerprint = page.next;
    }
  };
  try {
    await Promise.all((query.lists ?? ALL_LISTS).map(readList));
  } catch (error) {
    has_failed = true;
    throw error;
  }
  return { blocks, tokens, requests };
};

const pathOf = (list: string, { address, since_ms }: ListQuery, fingerprint: string | null): string => {
  const asked = new URLSearchParams({
    only_confirmed: "true",
    limit: String(PAGE_MAX),
    // New transactions do not move pages that come later.
    order_by: "block_timestamp,asc",
    ...(since_ms > 0 ? { min_timestamp: String(since_ms) } : {}),
    ...(fingerprint === null ? {} : { fingerprint }),
  });
  return `${LISTS_OF_ACCOUNTS}/${formatAddress(address)}/${list}?${asked}`;
};

interface ListPage {
  readonly items: readonly JsonFields[];
  /** Null after the last one. */
  readonly next: string | null;
}

const readPage = (pool: TronRpcPool, path: string, signal: AbortSignal): Promise<ListPage> => {
  const question = { what: "transactions of an account", spread: true, accepts: listsAccounts };
  return pool.run(question, signal, async ({ endpoint }) => {
    const { data, meta } = await endpoint.list(path, signal);
    const { fingerprint } = fieldsOf(meta, "page");
    return {
      items: listOf(data, "list").map((item) => fieldsOf(item, "listed transaction")),
      next: fingerprint === undefined ? null : textOf(fingerprint, "fingerprint"),
    };
  });
};

const addTo = (blocks: Map<number, ListedBlock>, item: JsonFields): void => {
  const time_ms = countOf(item.block_timestamp, "time of a listed transaction");
  // Each list has a name of its own for the id.
  const id = textOf(item.txID ?? item.tx_id ?? item.transaction_id, "id of a listed transaction");
  const number = item.blockNumber === undefined ? null : countOf(item.blockNumber, "block of a listed transaction");
  const known = blocks.get(time_ms) ?? { number: null, id };
  if (known.number !== null && number !== null && known.number !== number)
    throw new BadAnswer("two blocks of one time are listed");
  blocks.set(time_ms, { id: known.id, number: known.number ?? number });
};

const tokenOf = ({ token_info }: JsonFields): Hex | null => {
  if (token_info === undefined) return null;
  const token = parseAddress(textOf(fieldsOf(token_info, "token").address, "token"));
  if (token === null) throw new BadAnswer("a listed token has no address");
  return token;
};

/** TRC-20 tokens that the account holds, as the service lists them. */
export const listHeldTokens = (pool: TronRpcPool, address: Hex, signal: AbortSignal): Promise<readonly Hex[]> => {
  const path = `${LISTS_OF_ACCOUNTS}/${formatAddress(address)}?only_confirmed=true`;
  return pool.run(
    { what: "tokens of an account", spread: true, accepts: listsAccounts },
    signal,
    async ({ endpoint }) => {
      // An account that has never received anything is not listed.
      const [account] = listOf((await endpoint.list(path, signal)).data, "account");
      const { trc20 = [] } = account === undefined ? {} : fieldsOf(account, "account");
      return listOf(trc20, "tokens").flatMap((balances) =>
        Object.keys(fieldsOf(balances, "token")).flatMap((text) => parseAddress(text) ?? []),
      );
    },
  );
};
