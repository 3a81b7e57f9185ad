/**
 * Blocks of an EVM node in java-tron's format: hex without `0x`, addresses with 41, defaults left out, ids that are
 * hashes (java-tron, core/Tron.proto and JsonFormat). One wei represents one sun.
 */
import { createHash } from "node:crypto";
import { bytes, integer, rawData, rootOf } from "./encode.ts";

export type TronJson = { readonly [name: string]: unknown };

export interface EvmTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
}

export interface EvmReceipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

export interface TronFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly output?: string;
  readonly error?: string;
  readonly calls?: readonly TronFrame[];
}

/** A transaction as a block lists it, and its info. */
export interface ShapedTransaction {
  readonly transaction: TronJson;
  readonly info: TronJson;
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

export const bare = (hex: string): string => hex.slice(2).toLowerCase();
export const tronHex = (address: string): string => `41${bare(address)}`;
/** Long integers leave the process as JSON numbers: `writeJson` removes the quotes. */
export const sun = (value: bigint): number | string => (value < 2n ** 53n ? Number(value) : `int64:${value}`);
export const writeJson = (value: unknown): string => JSON.stringify(value).replaceAll(/"int64:(\d+)"/g, "$1");

/** Members that are zero, empty or false are not written. */
const written = (fields: TronJson): TronJson =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0 && value !== "" && value !== false));

interface TransactionContents {
  readonly type: string;
  readonly value: TronJson;
  /** Unix milliseconds. */
  readonly time_ms: number;
  /** Makes the raw data differ from any other's. */
  readonly seed: string;
}

/** A transaction around one contract. */
export const transactionOf = (
  { type, value, time_ms, seed }: TransactionContents,
  result: string,
  more: TronJson = {},
): TronJson => {
  const raw_data = {
    contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
    ref_block_bytes: seed.slice(0, 4),
    ref_block_hash: seed.slice(4, 20),
    expiration: time_ms + 60_000,
    ...more,
    timestamp: time_ms,
  };
  const raw = rawData({ type, value, time_ms, seed });
  return {
    ret: [{ contractRet: result }],
    signature: [`${sha256(Buffer.from(seed)).toString("hex").repeat(2)}01`],
    txID: sha256(raw).toString("hex"),
    raw_data,
    raw_data_hex: raw.toString("hex"),
  };
};

interface BlockContext {
  readonly number: number;
  readonly time_ms: number;
  /** Contracts that exist at that block. */
  readonly contracts: ReadonlySet<string>;
}

const contractOf = (
  { from, to, value, input }: EvmTransaction,
  place: BlockContext,
): Pick<TransactionContents, "type" | "value"> => {
  const owner_address = tronHex(from);
  const call_value = sun(BigInt(value));
  if (to === null)
    return {
      type: "CreateSmartContract",
      value: {
        owner_address,
        new_contract: written({ origin_address: owner_address, bytecode: bare(input), call_value }),
      },
    };
  if (place.contracts.has(to.toLowerCase()))
    return {
      type: "TriggerSmartContract",
      value: written({ data: bare(input), owner_address, contract_address: tronHex(to), call_value }),
    };
  return { type: "TransferContract", value: { amount: sun(BigInt(value)), owner_address, to_address: tronHex(to) } };
};

/** A transaction of the EVM node with its receipt and trace. */
export const shapeOf = (
  transaction: EvmTransaction,
  { receipt, root }: { readonly receipt: EvmReceipt; readonly root: TronFrame },
  place: BlockContext,
): ShapedTransaction => {
  const told = contractOf(transaction, place);
  const has_succeeded = receipt.status === "0x1";
  const is_plain = told.type === "TransferContract";
  const energy = Number(receipt.gasUsed);
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  const fields = transactionOf(
    { ...told, time_ms: place.time_ms, seed: bare(transaction.hash) },
    has_succeeded ? "SUCCESS" : "REVERT",
    is_plain ? {} : { fee_limit: 1_000_000_000 },
  );
  const inner = innerOf(root, bare(transaction.hash));
  const created = receipt.contractAddress;
  const info = {
    id: fields.txID,
    fee: sun(fee),
    blockNumber: place.number,
    blockTimeStamp: place.time_ms,
    // The output omits the code of a creation.
    contractResult: [created === null || !has_succeeded ? bare(root.output ?? "0x") : ""],
    ...(is_plain ? {} : { contract_address: tronHex(created ?? transaction.to ?? "") }),
    receipt: is_plain
      ? { net_fee: sun(fee) }
      : { energy_fee: sun(fee), energy_usage_total: energy, result: has_succeeded ? "SUCCESS" : "REVERT" },
    ...(receipt.logs.length === 0 ? {} : { log: receipt.logs.map(logOf) }),
    ...(has_succeeded ? {} : { result: "FAILED", resMessage: Buffer.from("REVERT opcode executed").toString("hex") }),
    ...(inner.length === 0 ? {} : { internal_transactions: inner }),
  };
  return { transaction: fields, info };
};

/** Logs name contracts without the prefix. */
const logOf = ({ address, topics, data }: EvmReceipt["logs"][number]): TronJson =>
  written({ address: bare(address), topics: topics.map(bare), data: bare(data) });

const NOTES: Readonly<Record<string, string>> = { CREATE: "create", CREATE2: "create", SELFDESTRUCT: "suicide" };

/** Everything below the outermost call, in order; a failed call and the calls below it are rejected. */
const innerOf = (root: TronFrame, seed: string): readonly TronJson[] => {
  const list: TronJson[] = [];
  const walk = (frame: TronFrame, is_undone: boolean): void => {
    for (const call of frame.calls ?? []) {
      const rejected = is_undone || call.error !== undefined;
      // Foreign code on the caller's own balance moves nothing.
      const value = call.type === "DELEGATECALL" ? 0n : BigInt(call.value ?? "0x0");
      if (call.to !== undefined)
        list.push({
          hash: sha256(Buffer.from(`${seed}:${list.length}`)).toString("hex"),
          caller_address: tronHex(call.from),
          transferTo_address: tronHex(call.to),
          callValueInfo: [value === 0n ? {} : { callValue: sun(value) }],
          note: Buffer.from(NOTES[call.type] ?? "call").toString("hex"),
          ...(rejected ? { rejected: true } : {}),
        });
      walk(call, rejected);
    }
  };
  walk(root, root.error !== undefined);
  return list;
};

const text = (field: number, hex: string): Buffer => bytes(field, Buffer.from(hex, "hex"));

const WITNESS = `41${"5e".repeat(20)}`;
const VERSION = 28;

export interface BlockContents {
  readonly number: number;
  readonly time_ms: number;
  /** Id of the previous block; null for the first. */
  readonly parent_id: string | null;
  readonly transactions: readonly TronJson[];
}

export const blockOf = ({ number, time_ms, parent_id, transactions }: BlockContents): TronJson => {
  const root = rootOf(transactions).toString("hex");
  const parent = parent_id ?? "e5".repeat(32);
  const header = Buffer.concat([
    integer(1, BigInt(time_ms)),
    text(2, root),
    text(3, parent),
    integer(7, BigInt(number)),
    text(9, WITNESS),
    integer(10, BigInt(VERSION)),
  ]);
  const blockID = number.toString(16).padStart(16, "0") + sha256(header).toString("hex").slice(16);
  const raw_data = written({
    number,
    txTrieRoot: root,
    witness_address: WITNESS,
    parentHash: parent,
    version: VERSION,
    timestamp: time_ms,
  });
  const block_header = { raw_data, witness_signature: "ab".repeat(65) };
  return { blockID, block_header, ...(transactions.length === 0 ? {} : { transactions }) };
};
