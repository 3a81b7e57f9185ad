/** What a replay node says beyond blocks: logs by filter, and contracts of which each function answers 18. */
import { logsOf } from "./reference.ts";
import type { ReplayBlock } from "./server.ts";

/** The number 18 as a word: what `decimals()` says; no text, and no address of a factory that knows anybody. */
const EIGHTEEN = `0x${"12".padStart(64, "0")}`;

interface Filter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

type Answer = (method: string, params: readonly unknown[]) => unknown;

/** For `ReplayOptions.state`. Answers eth_call and eth_getLogs (by block numbers or hash, addresses and topics). */
export const answerState = (blocks: readonly ReplayBlock[]): Answer => {
  const first = Number(blocks[0]?.block.number ?? 0);
  const place = new Map(blocks.map(({ block }, i) => [block.hash, i]));
  const logs = blocks.map((block) =>
    logsOf(block).map((log) => ({ address: log.address, topics: log.topics, json: Buffer.from(JSON.stringify(log)) })),
  );
  return (method, params) => {
    if (method === "eth_call") return EIGHTEEN;
    if (method !== "eth_getLogs") return undefined;
    // The one parameter of eth_getLogs is a filter.
    const filter = params[0] as Filter;
    const at = filter.blockHash === undefined ? undefined : (place.get(filter.blockHash) ?? -1);
    const from = at ?? Math.max(0, Number(filter.fromBlock ?? first) - first);
    const to = at ?? Math.min(blocks.length - 1, Number(filter.toBlock ?? first + blocks.length - 1) - first);
    const addresses = listOf(filter.address);
    const found: Buffer[] = [];
    for (let i = from; i <= to; i += 1) {
      for (const log of logs[i] ?? []) {
        if (addresses !== null && !addresses.has(log.address)) continue;
        if ((filter.topics ?? []).some((wanted, k) => listOf(wanted)?.has(log.topics[k] ?? "") === false)) continue;
        found.push(log.json);
      }
    }
    return Buffer.concat([OPEN, ...found.flatMap((json, i) => (i === 0 ? [json] : [COMMA, json])), CLOSE]);
  };
};

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

const listOf = (wanted: string | readonly string[] | null | undefined): ReadonlySet<string> | null => {
  if (wanted === null || wanted === undefined) return null;
  const list = typeof wanted === "string" ? [wanted] : wanted;
  return new Set(list.map((text) => text.toLowerCase()));
};
