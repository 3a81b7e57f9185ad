/** States of accounts at old blocks by standard JSON-RPC, and logs that name them. */
import type { Hex } from "../../lib/bytes.ts";
import { checkBlocks, type HistorySearch, type PastLog, type PastLogsQuery } from "../account_history.ts";
import type { Network } from "../chain.ts";
import { answersOf, type BlockSpan, LogSearch, WIDEST } from "./log_search.ts";
import { blockIn, emittedFilters, type NamedIn, namedIn, namingFilters, pastLogOf } from "./past_logs.ts";
import type { EvmRpcNode, EvmRpcPool } from "./pool.ts";
import { resultsOf } from "./probe.ts";
import { quantity, quantityOf } from "./wire.ts";

/** Values of an account that change with each transaction that it sends, and with each payment (base units of the coin). */
export type MarkKind = "nonce" | "balance";

interface MarksAsked {
  readonly address: Hex;
  readonly kind: MarkKind;
  readonly blocks: readonly number[];
}

interface MarkAsked {
  readonly address: Hex;
  readonly kind: MarkKind;
  readonly block: number;
}

/** States of one request: common nodes accept arrays of so many calls. */
export const MARKS_PER_REQUEST = 100;

interface LogBlocksRange extends BlockSpan, Pick<HistorySearch, "blocks_max"> {}

export interface AccountMarks {
  /** The account after each of these blocks, in their order. */
  marks(asked: MarksAsked, signal: AbortSignal): Promise<readonly bigint[]>;
  /** States of many accounts, in their order. */
  marksOfMany(asked: readonly MarkAsked[], signal: AbortSignal): Promise<readonly bigint[]>;
  /** The accounts that logs of some blocks name, or that emitted one. `requests`: calls that this took. */
  named(
    addresses: readonly Hex[],
    range: BlockSpan,
    signal: AbortSignal,
  ): Promise<{ readonly named: readonly NamedIn[]; readonly requests: number }>;
  /**
   * Blocks `from` to `to` with a log that the address emitted, or that names it in topic 1, 2 or 3, ascending. `requests`: calls that
   * this took.
   * @throws TooManyBlocks
   */
  logBlocks(
    address: Hex,
    range: LogBlocksRange,
    signal: AbortSignal,
  ): Promise<{ readonly blocks: readonly number[]; readonly requests: number }>;
  /** Logs of some contracts in the order of the chain. `requests`: calls that this took. */
  logs(
    asked: PastLogsQuery,
    signal: AbortSignal,
  ): Promise<{ readonly logs: readonly PastLog[]; readonly requests: number }>;
}

export const openAccountMarks = (pool: EvmRpcPool, network: Network): AccountMarks => {
  // A provider's limit is the same for every address: a search begins with the widest range that the last one had answered.
  let learned = WIDEST;
  // Busy contracts have narrower ranges than most addresses.
  let learned_of_contracts = learned;
  return {
    marks: ({ address, kind, blocks }, signal) =>
      readMarks(
        { pool, network },
        blocks.map((block) => ({ address, kind, block })),
        signal,
      ),
    async marksOfMany(asked, signal) {
      const parts = Array.from({ length: Math.ceil(asked.length / MARKS_PER_REQUEST) }, (_, i) =>
        asked.slice(i * MARKS_PER_REQUEST, (i + 1) * MARKS_PER_REQUEST),
      );
      return (await Promise.all(parts.map((part) => readMarks({ pool, network }, part, signal)))).flat();
    },
    async named(addresses, range, signal) {
      const search = new LogSearch<readonly NamedIn[]>(pool, learned, {
        ...range,
        filters: namingFilters(addresses),
        signal,
      });
      const { logs, requests } = await search.read(namedIn(new Set(addresses)));
      if (search.was_refused) learned = search.learned;
      return { named: logs.flat(), requests };
    },
    async logBlocks(address, range, signal) {
      const search = new LogSearch<number>(pool, learned, { ...range, filters: namingFilters([address]), signal });
      const found = new Set<number>();
      const { logs, requests } = await search
        .read(blockIn, (blocks) => {
          for (const block of blocks) found.add(block);
          checkBlocks(found.size, range, search.requests);
        })
        .finally(() => {
          if (search.was_refused) learned = search.learned;
        });
      return { blocks: [...new Set(logs)].sort((a, b) => a - b), requests };
    },
    async logs(asked, signal) {
      const search = new LogSearch<PastLog>(pool, learned_of_contracts, {
        ...asked,
        filters: emittedFilters(asked),
        signal,
      });
      const { logs, requests } = await search.read(pastLogOf(new Set(asked.addresses)));
      if (search.was_refused) learned_of_contracts = search.learned;
      return { logs: logs.sort((a, b) => a.block - b.block || a.index - b.index), requests };
    },
  };
};

const MARK_METHODS: Readonly<Record<MarkKind, string>> = {
  nonce: "eth_getTransactionCount",
  balance: "eth_getBalance",
};

const readMarks = async (
  { pool, network }: { readonly pool: EvmRpcPool; readonly network: Network },
  asked: readonly MarkAsked[],
  signal: AbortSignal,
): Promise<readonly bigint[]> => {
  const read = asked.filter(({ kind }) => kind === "nonce" || network.has_native_coin !== false);
  if (read.length === 0) return asked.map(() => 0n);
  const calls = read.map(({ address, kind, block }) => {
    return { method: MARK_METHODS[kind], params: [`0x${address}`, quantity(block)] };
  });
  const any_archive = pool.known.some(({ archive }) => archive);
  const accepts = ({ archive }: EvmRpcNode["traits"]): boolean => archive || !any_archive;
  const results = await pool.run({ what: "states of accounts", spread: true, accepts }, signal, async (node) =>
    resultsOf(await answersOf(node, calls, signal)).map((result, i) => quantityOf(result, read[i]?.kind ?? "nonce")),
  );
  const marks = new Map(read.map((one, i) => [one, results[i] ?? 0n]));
  return asked.map((one) => marks.get(one) ?? 0n);
};
