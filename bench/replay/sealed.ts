/**
 * Blocks whose hashes and roots are true, from the yellow paper and the EIPs: transaction hashes, signatures, the three
 * roots, the log filters and the header's hash. It shares nothing with the code that verifies blocks: tries are built
 * node by node, RLP and Keccak are viem's.
 */
import { concatHex, type Hex, keccak256, toRlp } from "viem";
import { keyPairOf, nonceAt, ORDER } from "./nonces.ts";

type SealedJson = { readonly [name: string]: unknown };
type Rlp = Hex | readonly Rlp[];

/** An account whose key is known. */
export interface Signer {
  readonly key: bigint;
  readonly address: Hex;
}

export const signerOf = (name: string): Signer => {
  const { secret, point } = keyPairOf(name);
  return { key: secret, address: `0x${keccak256(point).slice(-40)}` };
};

/** A number in RLP: without leading zeros. */
const number = (value: unknown): Hex => {
  const digits = BigInt(String(value ?? "0x0")).toString(16);
  return digits === "0" ? "0x" : `0x${digits.length % 2 === 1 ? "0" : ""}${digits}`;
};

// Fields of generated blocks are hex text, null, or missing.
const data = (value: unknown): Hex => (value === null || value === undefined || value === "" ? "0x" : (value as Hex));

// Lists of generated blocks are lists of objects.
const list = (value: unknown): readonly SealedJson[] =>
  value === undefined || value === null ? [] : (value as SealedJson[]);

const accessOf = (value: unknown): Rlp =>
  // Storage keys are hex text.
  list(value).map((entry) => [data(entry.address), (entry.storageKeys ?? []) as Hex[]]);

const authorizationsOf = (value: unknown): Rlp =>
  list(value).map((one) => [
    number(one.chainId),
    data(one.address),
    number(one.nonce),
    number(one.yParity),
    number(one.r),
    number(one.s),
  ]);

/** The fields before the signature. */
const unsigned = (type: number, t: SealedJson): readonly Rlp[] => {
  const call = [number(t.gas), data(t.to), number(t.value), data(t.input)];
  if (type === 0) return [number(t.nonce), number(t.gasPrice), ...call];
  if (type === 0x7e) {
    const flag = t.isSystemTx === true ? "0x01" : "0x";
    return [
      data(t.sourceHash),
      data(t.from),
      data(t.to),
      number(t.mint),
      number(t.value),
      number(t.gas),
      flag,
      data(t.input),
    ];
  }
  const price = type === 1 ? [number(t.gasPrice)] : [number(t.maxPriorityFeePerGas), number(t.maxFeePerGas)];
  const start = [number(t.chainId), number(t.nonce), ...price, ...call, accessOf(t.accessList)];
  // Blob hashes are hex text.
  if (type === 3) return [...start, number(t.maxFeePerBlobGas), (t.blobVersionedHashes ?? []) as Hex[]];
  return type === 4 ? [...start, authorizationsOf(t.authorizationList)] : start;
};

const typeOf = (t: SealedJson): number => Number(t.type ?? 0);
const enveloped = (type: number, fields: readonly Rlp[]): Hex => {
  const rlp = toRlp(fields);
  return type === 0 ? rlp : concatHex([`0x${type.toString(16).padStart(2, "0")}`, rlp]);
};

const serialize = (t: SealedJson): Hex => {
  const type = typeOf(t);
  const fields = unsigned(type, t);
  if (type === 0x7e) return enveloped(type, fields);
  const v = type === 0 ? t.v : (t.yParity ?? t.v);
  return enveloped(type, [...fields, number(v), number(t.r), number(t.s)]);
};

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;

/**
 * The transaction with `from`, signature and hash. Legacy ones are signed for the chain (EIP-155).
 * @param how place: of the transaction among those of its chain
 */
export const signed = <T extends SealedJson>(
  transaction: T,
  signer: Signer,
  { chain_id, place }: { readonly chain_id: number; readonly place: number },
) => {
  const type = typeOf(transaction);
  const fields = unsigned(type, transaction);
  const digest = keccak256(enveloped(type, type === 0 ? [...fields, number(chain_id), "0x", "0x"] : fields));
  const { r, is_odd, inverse } = nonceAt(place);
  const full = (inverse * (BigInt(digest) + r * signer.key)) % ORDER;
  const is_high = full > ORDER / 2n;
  const parity = is_high === is_odd ? 0n : 1n;
  const signature = {
    r: hex(r),
    s: hex(is_high ? ORDER - full : full),
    v: hex(type === 0 ? BigInt(chain_id) * 2n + 35n + parity : parity),
    ...(type === 0 ? {} : { yParity: hex(parity) }),
  };
  const whole = { ...transaction, from: signer.address, ...signature };
  return { ...whole, hash: keccak256(serialize(whole)) };
};

const BITS_KEPT_MAX = 500_000;
const known_bits = new Map<Hex, readonly number[]>();

/** Most log items repeat: three numbers are cached for each. */
const bitsOf = (item: Hex): readonly number[] => {
  const known = known_bits.get(item);
  if (known !== undefined) return known;
  const hash = Buffer.from(keccak256(item).slice(2, 14), "hex");
  const bits = [0, 2, 4].map((at) => hash.readUInt16BE(at) % 2048);
  if (known_bits.size >= BITS_KEPT_MAX) known_bits.clear();
  known_bits.set(item, bits);
  return bits;
};

/** The 2,048-bit log filter: three bits of the hash of each address and topic. */
const filterOf = (logs: readonly SealedJson[]): Hex => {
  const bits = new Uint8Array(256);
  for (const log of logs) {
    // Topics are hex text.
    for (const item of [data(log.address), ...(log.topics as Hex[])])
      for (const bit of bitsOf(item)) bits[255 - (bit >> 3)] = (bits[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7));
  }
  return `0x${Buffer.from(bits).toString("hex")}`;
};

const receiptBytes = (r: SealedJson): Hex => {
  // Topics are hex text.
  const logs = list(r.logs).map((log): Rlp => [data(log.address), log.topics as Hex[], data(log.data)]);
  const state = r.status === undefined || r.status === null ? data(r.root) : number(r.status);
  const fields: Rlp[] = [state, number(r.cumulativeGasUsed), data(r.logsBloom), logs];
  const has_version = typeOf(r) === 0x7e && r.depositReceiptVersion !== undefined;
  if (has_version) fields.push(number(r.depositNonce), number(r.depositReceiptVersion));
  return enveloped(typeOf(r), fields);
};

/** A Merkle Patricia trie, built node by node from nibbles. */
interface TrieEntry {
  readonly path: string;
  readonly value: Hex;
}

const compact = (path: string, is_leaf: boolean): Hex => {
  const flag = (is_leaf ? 2 : 0) + (path.length % 2);
  return `0x${flag.toString(16)}${path.length % 2 === 1 ? "" : "0"}${path}`;
};

const nodeOf = (entries: readonly TrieEntry[]): readonly Rlp[] => {
  const [first] = entries;
  if (first === undefined) throw new Error("a trie has no empty nodes");
  if (entries.length === 1) return [compact(first.path, true), first.value];
  let shared = 0;
  while (entries.every(({ path }) => path[shared] !== undefined && path[shared] === first.path[shared])) shared += 1;
  const cut = (by: number, of: readonly TrieEntry[]) => of.map(({ path, value }) => ({ path: path.slice(by), value }));
  if (shared > 0) return [compact(first.path.slice(0, shared), false), reference(nodeOf(cut(shared, entries)))];
  const children = [..."0123456789abcdef"].map((digit): Rlp => {
    const below = entries.filter(({ path }) => path.startsWith(digit));
    return below.length === 0 ? "0x" : reference(nodeOf(cut(1, below)));
  });
  return [...children, "0x"];
};

const reference = (node: readonly Rlp[]): Rlp => {
  const rlp = toRlp(node);
  return rlp.length < 66 ? node : keccak256(rlp);
};

const rootOf = (values: readonly Hex[]): Hex => {
  if (values.length === 0) return keccak256("0x80");
  const entries = values.map((value, i) => ({ path: toRlp(number(i)).slice(2), value }));
  return keccak256(toRlp(nodeOf(entries)));
};

const withdrawalBytes = (w: SealedJson): Hex =>
  toRlp([number(w.index), number(w.validatorIndex), data(w.address), number(w.amount)]);

const LATER = [
  "baseFeePerGas",
  "withdrawalsRoot",
  "blobGasUsed",
  "excessBlobGas",
  "parentBeaconBlockRoot",
  "requestsHash",
];
const NUMBERS = new Set([
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "baseFeePerGas",
  "blobGasUsed",
  "excessBlobGas",
]);
const ALWAYS = (
  "parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed " +
  "timestamp extraData mixHash nonce"
).split(" ");

const headerHash = (header: SealedJson): Hex => {
  const names = [...ALWAYS, ...LATER.filter((name) => header[name] !== undefined)];
  return keccak256(toRlp(names.map((name) => (NUMBERS.has(name) ? number(header[name]) : data(header[name])))));
};

/** keccak256(rlp([])): no uncles. */
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** A block and receipts as a node sends them; fields that depend on a hash may be missing or wrong. */
export interface UnsealedBlock {
  readonly block: SealedJson;
  readonly receipts: readonly SealedJson[];
}

/**
 * The same with everything that follows from the rest: cumulative gas, filters, roots, hashes, positions, and the links
 * between them. Transactions are signed already, or are deposits.
 */
export const sealed = ({ block, receipts }: UnsealedBlock) => {
  const transactions = list(block.transactions).map((t): SealedJson => ({ ...t, hash: keccak256(serialize(t)) }));
  let gas = 0n;
  const summed = receipts.map((r): SealedJson => {
    gas += BigInt(String(r.gasUsed));
    return { ...r, cumulativeGasUsed: hex(gas), logsBloom: filterOf(list(r.logs)) };
  });
  const roots = {
    gasUsed: hex(gas),
    sha3Uncles: NO_UNCLES,
    logsBloom: filterOf(summed.flatMap((r) => list(r.logs))),
    transactionsRoot: rootOf(transactions.map(serialize)),
    receiptsRoot: rootOf(summed.map(receiptBytes)),
    ...(block.withdrawals === undefined
      ? {}
      : { withdrawalsRoot: rootOf(list(block.withdrawals).map(withdrawalBytes)) }),
  };
  const header = { ...block, ...roots };
  const hash = headerHash(header);
  const place = { blockHash: hash, blockNumber: block.number };
  let log_index = 0;
  const placed = summed.map((r, i) => {
    const own = { ...place, transactionHash: transactions[i]?.hash, transactionIndex: hex(BigInt(i)) };
    const logs = list(r.logs).map((log) => {
      log_index += 1;
      return { ...log, ...own, logIndex: hex(BigInt(log_index - 1)), removed: false };
    });
    return { ...r, ...own, logs, transactionHash: String(own.transactionHash) };
  });
  return {
    block: {
      ...header,
      number: String(block.number),
      hash,
      transactions: transactions.map((t, i) => ({
        ...t,
        ...place,
        transactionIndex: hex(BigInt(i)),
        hash: String(t.hash),
      })),
    },
    receipts: placed,
  };
};
