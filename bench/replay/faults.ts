/** Faults of a node. Each applies to whole HTTP answers or to the results inside them. */
import type { ServerResponse } from "node:http";

export type FaultKind =
  | "http_429"
  | "http_500"
  | "http_413"
  /** A web page with status 200, as proxies send. */
  | "html"
  /** Bytes that are not JSON. */
  | "garbage"
  /** The right answer, cut in the middle and closed. */
  | "truncated"
  /** No answer at all; the connection stays open. */
  | "hang"
  /** The connection is reset. */
  | "reset"
  /** Any request of more than one call is refused with one error object. */
  | "no_batch"
  /** An error object for each call. */
  | "rpc_error"
  /** A list nested 100,000 deep. */
  | "deep"
  /** 64 MiB of blanks before the answer. */
  | "bloated"
  /** Ids of another request. */
  | "wrong_id"
  /** One answer less than there were calls. */
  | "short_batch"
  /** `null` for every result. */
  | "null_result"
  | "wrong_chain_id"
  /** The block before the requested one. */
  | "wrong_block"
  | "wrong_parent"
  | "missing_transaction"
  | "missing_receipt"
  | "missing_log"
  /** The receipt's own filter is blanked with its logs, so that only the header's shows it. */
  | "missing_logs_and_filter"
  | "swapped_receipts"
  | "receipts_of_another_block"
  | "missing_trace"
  | "foreign_trace"
  /** The amount of the first log. */
  | "wrong_amount"
  /** The sender of the first transaction, in the block and in its receipt. */
  | "wrong_sender"
  /** The recipient of the first transaction. */
  | "wrong_recipient"
  /** The first transaction failed. */
  | "wrong_status"
  /** The year 2359. */
  | "wrong_time"
  | "wrong_miner"
  /** Coins that no validator withdrew. */
  | "false_withdrawal"
  /** Numbers where text belongs. */
  | "wrong_types";

export interface ReplayFault {
  readonly kind: FaultKind;
  /** Answers that are spoilt before it is over. Default: all from now on. */
  times?: number;
  /** Only requests that contain a call of this method. Default: any. */
  readonly method?: string;
}

/** True if the fault has taken the whole answer. */
export const sendBroken = (fault: FaultKind, response: ServerResponse): boolean => {
  const send = (status: number, body: string, headers: Record<string, string> = {}): true => {
    response.writeHead(status, headers).end(body);
    return true;
  };
  switch (fault) {
    case "http_429":
      return send(429, "slow down", { "retry-after": "0.05" });
    case "http_413":
      return send(413, "too large");
    case "http_500":
      return send(500, "Internal Server Error");
    case "html":
      return send(200, "<html><body>Maintenance</body></html>", { "content-type": "text/html" });
    case "garbage":
      return send(200, "\u0000\u0001{]");
    case "deep":
      return send(200, `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    case "reset":
      response.destroy();
      return true;
    case "hang":
      return true;
    default:
      return false;
  }
};

type ReplayJson = { [name: string]: unknown };

const ZERO_BLOOM = `0x${"0".repeat(512)}`;

/** Changes one result in place. Returns the result to send instead. */
export const spoil = (kind: FaultKind, method: string | undefined, result: unknown): unknown => {
  if (kind === "null_result") return null;
  if (kind === "wrong_chain_id") return method === "eth_chainId" ? "0x5" : result;
  if (kind === "wrong_types") return wrongTypes(result);
  if (method === "eth_getBlockByNumber" && isJson(result)) return spoilBlock(kind, result);
  if (method === "eth_getBlockReceipts" && Array.isArray(result)) return spoilReceipts(kind, result);
  if (method?.startsWith("debug_trace") === true && Array.isArray(result)) return spoilTraces(kind, result);
  return result;
};

const isJson = (value: unknown): value is ReplayJson =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const wrongTypes = (value: unknown): unknown => {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.map(wrongTypes);
  if (isJson(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrongTypes(inner)]));
  return value;
};

const spoilBlock = (kind: FaultKind, block: ReplayJson): ReplayJson => {
  if (kind === "wrong_block") return { ...block, number: `0x${(Number(block.number) - 1).toString(16)}` };
  if (kind === "wrong_parent") return { ...block, parentHash: `0x${"ab".repeat(32)}` };
  if (kind === "missing_transaction" && Array.isArray(block.transactions))
    return { ...block, transactions: block.transactions.slice(0, -1) };
  if (kind === "wrong_time") return { ...block, timestamp: "0x2dc6c0000" };
  if (kind === "wrong_miner") return { ...block, miner: STRANGER };
  if (kind === "false_withdrawal") return { ...block, withdrawals: [WITHDRAWAL] };
  if (kind === "wrong_sender") return { ...block, transactions: firstWith(block.transactions, { from: STRANGER }) };
  if (kind === "wrong_recipient") return { ...block, transactions: firstWith(block.transactions, { to: STRANGER }) };
  return block;
};

const STRANGER = `0x${"5e".repeat(20)}`;
const WITHDRAWAL = { index: "0x1", validatorIndex: "0x1", address: STRANGER, amount: "0xffffff" };

const firstWith = (list: unknown, change: ReplayJson): unknown =>
  Array.isArray(list) ? list.map((one, i) => (i === 0 && isJson(one) ? { ...one, ...change } : one)) : list;

const spoilReceipts = (kind: FaultKind, receipts: unknown[]): unknown[] => {
  const list = receipts.filter(isJson);
  const logged = list.find((receipt) => Array.isArray(receipt.logs) && receipt.logs.length > 0);
  switch (kind) {
    case "missing_receipt":
      return receipts.slice(0, -1);
    case "swapped_receipts":
      return [...receipts.slice(1), ...receipts.slice(0, 1)];
    case "receipts_of_another_block":
      return list.map((receipt) => ({ ...receipt, blockHash: `0x${"cd".repeat(32)}` }));
    case "missing_log":
      if (logged !== undefined && Array.isArray(logged.logs)) logged.logs.pop();
      return receipts;
    case "wrong_amount":
      if (logged !== undefined) logged.logs = firstWith(logged.logs, { data: `0x${"f".padStart(64, "0")}` });
      return receipts;
    case "wrong_sender":
      return firstReceipt(receipts, { from: STRANGER });
    case "wrong_recipient":
      return firstReceipt(receipts, { to: STRANGER });
    case "wrong_status":
      return firstReceipt(receipts, { status: "0x0" });
    case "missing_logs_and_filter":
      for (const receipt of list) Object.assign(receipt, { logs: [], logsBloom: ZERO_BLOOM });
      return receipts;
    default:
      return receipts;
  }
};

const firstReceipt = (receipts: readonly unknown[], change: ReplayJson): unknown[] =>
  receipts.map((one, i) => (i === 0 && isJson(one) ? { ...one, ...change } : one));

const spoilTraces = (kind: FaultKind, traces: unknown[]): unknown[] => {
  if (kind === "missing_trace") return traces.slice(0, -1);
  if (kind === "foreign_trace") return traces.toReversed();
  return traces;
};
