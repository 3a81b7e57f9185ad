/**
 * A replacement of TronGrid, which does not run here: the node's own API, and lists of each account's confirmed transactions made from its
 * blocks, in the shapes of TronGrid's API v1. With a key, a rate, and short pages.
 */
import { createServer, type IncomingMessage } from "node:http";
import { formatAddress, parseAddress } from "../../src/chains/tron/address.ts";
import { hex } from "../../src/lib/bytes.ts";
import { topicOf } from "../../src/protocols/protocol.ts";

type Json = { readonly [name: string]: unknown };

export interface ListingLimits {
  /** Most entries of a page, also for a request that wants more. */
  readonly page_max: number;
  readonly requests_per_second: number;
  /** Value of the header that each request must have. */
  readonly key: string;
  /** The first internal transaction to this address (hex with 41) is in no list. */
  readonly leaves_out?: string;
  /** Awaited before a path of the node itself is answered. */
  readonly before?: (path: string) => Promise<void>;
  /** Without the lists, as a full node. */
  readonly is_bare?: boolean;
}

export interface ListingNode {
  readonly url: string;
  /** Requests by path, without the account. */
  readonly by_path: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

interface ListEntry {
  /** Hex with 41. */
  readonly accounts: readonly unknown[];
  readonly shown: Json;
}

const SUSPENDED_S = 1;
const TRANSFER = Buffer.from(topicOf("Transfer(address,address,uint256)")).toString("hex");

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const in41 = (word: unknown): string => `41${String(word).slice(-40)}`;
const base58 = (in_41: unknown): string => formatAddress(hex(String(in_41).slice(2)));

/** The lists so far: every confirmed block is read once. */
class AccountLists {
  readonly #ask: (path: string, question: object) => Promise<Json>;
  #leaves_out: string | undefined;
  #next = 1;
  readonly #lists: Readonly<Record<string, ListEntry[]>> = {
    transactions: [],
    "transactions/trc20": [],
    "internal-transactions": [],
  };
  #reading: Promise<void> = Promise.resolve();

  constructor(ask: (path: string, question: object) => Promise<Json>, leaves_out: string | undefined) {
    this.#ask = ask;
    this.#leaves_out = leaves_out;
  }

  async of(list: string): Promise<readonly ListEntry[]> {
    this.#reading = this.#reading.then(() => this.#readOn());
    await this.#reading;
    return this.#lists[list] ?? [];
  }

  /** Sums of the listed transfers, by token. */
  async held(account: string): Promise<ReadonlyMap<string, bigint>> {
    const sums = new Map<string, bigint>();
    for (const { shown } of await this.of("transactions/trc20")) {
      const token = String((shown.token_info as Json).address);
      const sign = (shown.to === base58(account) ? 1n : 0n) - (shown.from === base58(account) ? 1n : 0n);
      sums.set(token, (sums.get(token) ?? 0n) + sign * BigInt(String(shown.value)));
    }
    return sums;
  }

  async #readOn(): Promise<void> {
    const { block_header } = await this.#ask("/walletsolidity/getblock", { detail: false });
    const confirmed = Number(((block_header as Json).raw_data as Json).number);
    for (; this.#next <= confirmed; this.#next += 1) {
      const question = { startNum: this.#next, endNum: this.#next + 1 };
      const [block] = listIn((await this.#ask("/wallet/getblockbylimitnext", question)).block);
      const infos = listIn(await this.#ask("/wallet/gettransactioninfobyblocknum", { num: this.#next }));
      for (const [i, transaction] of listIn(block?.transactions).entries()) this.#add(transaction, infos[i] ?? {});
    }
  }

  #add(transaction: Json, info: Json): void {
    const [contract = {}] = listIn((transaction.raw_data as Json).contract);
    const { owner_address, to_address, contract_address } = (contract.parameter as Json).value as Json;
    const block_timestamp = info.blockTimeStamp;
    this.#lists.transactions?.push({
      accounts: [owner_address, to_address, contract_address],
      shown: { ...transaction, blockNumber: info.blockNumber, block_timestamp, internal_transactions: [] },
    });
    for (const { address, topics, data } of listIn(info.log)) {
      const [event, from, to, more] = topics as readonly string[];
      if (event !== TRANSFER || to === undefined || more !== undefined) continue;
      this.#lists["transactions/trc20"]?.push({
        accounts: [in41(from), in41(to)],
        shown: {
          ...{
            transaction_id: info.id,
            block_timestamp,
            type: "Transfer",
            from: base58(in41(from)),
            to: base58(in41(to)),
          },
          ...{ value: String(BigInt(`0x${data}`)), token_info: { address: base58(`41${address}`) } },
        },
      });
    }
    for (const inner of listIn(info.internal_transactions)) this.#addInner(inner, { tx_id: info.id, block_timestamp });
  }

  #addInner({ hash, caller_address, transferTo_address, note, rejected = false }: Json, of: Json): void {
    if (transferTo_address === this.#leaves_out) {
      this.#leaves_out = undefined;
      return;
    }
    const data = { note: Buffer.from(String(note), "hex").toString(), rejected };
    const sides = { from_address: caller_address, to_address: transferTo_address };
    this.#lists["internal-transactions"]?.push({
      accounts: [caller_address, transferTo_address],
      shown: { internal_tx_id: hash, data, ...sides, ...of },
    });
  }
}

/** Fingerprints name the place of a page's last entry in the whole list. */
const pageOf = (
  entries: readonly ListEntry[],
  account: string,
  { asked, page_max }: { asked: URLSearchParams; page_max: number },
): Json => {
  if (asked.get("only_confirmed") !== "true" || asked.get("order_by") !== "block_timestamp,asc")
    throw new Error("other lists are not made here");
  const since = Number(asked.get("min_timestamp") ?? 0);
  const after = asked.get("fingerprint");
  const last_place = after === null ? -1 : Number(Buffer.from(after, "base64").toString());
  const rest = entries
    .map((entry, place) => ({ ...entry, place }))
    .filter(
      ({ accounts, shown, place }) =>
        accounts.includes(account) && Number(shown.block_timestamp) >= since && place > last_place,
    );
  const page = rest.slice(0, Math.min(page_max, Number(asked.get("limit") ?? 20)));
  const last = page.at(-1);
  const has_more = last !== undefined && page.length < rest.length;
  const fingerprint = has_more ? { fingerprint: Buffer.from(String(last.place)).toString("base64") } : {};
  return {
    data: page.map(({ shown }) => shown),
    success: true,
    meta: { at: 1, page_size: page.length, ...fingerprint },
  };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

interface HttpReply {
  readonly status: number;
  readonly text: string;
}

export const startListingNode = async (node: string, limits: ListingLimits): Promise<ListingNode> => {
  const { page_max, requests_per_second, key, leaves_out, is_bare = false } = limits;
  const post = async (path: string, body: string): Promise<HttpReply> => {
    const response = await fetch(`${node}${path}`, { method: "POST", body });
    return { status: response.status, text: await response.text() };
  };
  const lists = new AccountLists(
    async (path, question) => JSON.parse((await post(path, JSON.stringify(question))).text),
    leaves_out,
  );
  const by_path = new Map<string, number>();
  let recent: number[] = [];
  let suspended_until = 0;

  const listed = async ({ pathname, searchParams }: URL): Promise<HttpReply> => {
    const [, name = "", list] = /^\/v1\/accounts\/(T\w{33})(?:\/(.*))?$/.exec(pathname) ?? [];
    const account = `41${parseAddress(name)}`;
    by_path.set(list ?? "account", (by_path.get(list ?? "account") ?? 0) + 1);
    const held = [...(await lists.held(account))].filter(([, amount]) => amount !== 0n);
    const answer =
      list === undefined
        ? {
            data: [{ address: account, trc20: held.map(([token, sum]) => ({ [token]: String(sum) })) }],
            success: true,
            meta: {},
          }
        : pageOf(await lists.of(list), account, { asked: searchParams, page_max });
    return { status: 200, text: JSON.stringify(answer) };
  };
  const refused = (header: unknown): string | null => {
    const now = Date.now();
    recent = recent.filter((at) => now - at < 1_000);
    if (header !== key) return "ApiKey not exists";
    if (recent.length >= requests_per_second) suspended_until = now + 1_000 * SUSPENDED_S;
    else recent.push(now);
    return now >= suspended_until
      ? null
      : `The key exceeds the frequency limit(${requests_per_second}), and the query server is suspended for ${SUSPENDED_S}s`;
  };
  const reply = async (request: IncomingMessage): Promise<HttpReply> => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? "", node);
    const is_list = request.method === "GET" && url.pathname.startsWith("/v1/accounts/");
    const error = refused(request.headers["tron-pro-api-key"]);
    if (error !== null) {
      const status = error.startsWith("ApiKey") ? 401 : 403;
      const told = is_list ? { success: false, error, statusCode: status } : { Error: error };
      return { status, text: JSON.stringify(told) };
    }
    if (is_list) return is_bare ? { status: 404, text: "" } : listed(url);
    await limits.before?.(url.pathname);
    by_path.set(url.pathname, (by_path.get(url.pathname) ?? 0) + 1);
    return post(url.pathname, body);
  };
  const server = createServer((request, response) => {
    reply(request).then(
      ({ status, text }) => response.writeHead(status, { "content-type": "application/json" }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the node has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    by_path,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
