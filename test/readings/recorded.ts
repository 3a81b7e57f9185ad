/** The recorded transactions of ../shared/data, read by the real code of chains/evm. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Network } from "../../src/chains/chain.ts";
import { framesOfTracer } from "../../src/chains/evm/frames.ts";
import { readReceiptLogs } from "../../src/chains/evm/receipt_logs.ts";
import { readCallTracer } from "../../src/chains/evm/traces.ts";
import { readTransaction } from "../../src/chains/evm/transactions.ts";
import { NETWORKS } from "../../src/chains/networks/index.ts";
import { fieldsOf } from "../../src/chains/node/answer.ts";
import type { MinedTransaction } from "../../src/chains/transaction_details.ts";
import type { ExpectedReading } from "./judge.ts";

const DATA = join(import.meta.dirname, "../../../shared/data");
const FOLDERS = ["readings", "readings_more"].map((name) => join(DATA, name));

export const is_recorded = FOLDERS.every((folder) => existsSync(folder));

interface RecordedLine {
  readonly network: string;
  readonly block: Readonly<Record<string, string>>;
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly receipt: Readonly<Record<string, unknown>>;
  readonly trace: unknown;
}

export interface RecordedReading {
  readonly network: Network;
  readonly hash: string;
  readonly mined: MinedTransaction;
}

const linesOf = (name: string): readonly string[] =>
  FOLDERS.flatMap((folder) => {
    const bytes = readFileSync(join(folder, name));
    const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    return text.split("\n").filter((line) => line !== "");
  });

const networkOf = (id: string): Network => {
  const network = NETWORKS.find((one) => one.id === id);
  if (network === undefined) throw new Error(`no network ${id}`);
  return network;
};

const minedOf = ({ network, block, transaction, receipt, trace }: RecordedLine): MinedTransaction => {
  const target = { hash: transaction.hash, from: transaction.from };
  const [moved] = trace === null ? [] : readCallTracer([trace], [target]);
  return {
    block: { number: Number(block.number), hash: "", parent_hash: "", time: Number(block.timestamp) },
    transaction: readTransaction({
      ...{ index: Number(transaction.transactionIndex), pays_coin: networkOf(network).has_native_coin !== false },
      ...{
        fields: fieldsOf(transaction, "transaction"),
        receipt: fieldsOf(receipt, "receipt"),
        told: readReceiptLogs(receipt),
      },
      ...{ trace: moved ?? null, base_fee: null, extra_data: null, committed: null },
    }),
    cost: { unit: "gas", price: 0n, priority_price: 0n, layer1_fee: null, is_layer1_gas: false },
    verified: "none",
    trace: trace === null ? null : framesOfTracer(fieldsOf(trace, "trace").result),
  };
};

/** Every recorded EVM transaction. */
export const recorded = (): readonly RecordedReading[] =>
  linesOf("evm.jsonl.gz").map((text) => {
    const line: RecordedLine = JSON.parse(text);
    return { network: networkOf(line.network), hash: String(line.transaction.hash), mined: minedOf(line) };
  });

const COIN_DECIMALS = 18;

/** Decimals of the recorded tokens of a network, as far as they are known. */
export const decimalsOn = (network: string): ((token: string) => number | null) => {
  const known = FOLDERS.map((folder) => JSON.parse(readFileSync(join(folder, "tokens.json"), "utf8"))[network]);
  return (token) =>
    token === ""
      ? COIN_DECIMALS
      : (known.map((tokens) => tokens?.[`0x${token}`]?.decimals).find(Number.isInteger) ?? null);
};

/** The expected reading of each. */
export const expected = (): readonly ExpectedReading[] => linesOf("expected.jsonl").map((line) => JSON.parse(line));
