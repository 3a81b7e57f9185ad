/**
 * One transaction of a `getBlock` or `getTransaction` answer, in any encoding: `base64` (which Assay requests), `json`,
 * and `jsonParsed`, in which the node has parsed the instructions of the programs that it knows.
 */
import { type Bytes, type Hex, toHex } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf, textOf } from "../node/answer.ts";
import { Accounts } from "./accounts.ts";
import { LazyJson } from "./long_answer.ts";
import { readWireTransaction, type WireTransaction } from "./message.ts";
import { TOKEN_PROGRAM } from "./programs.ts";
import { base64Of, indexOf, type Keys, signatureOf, u64Of } from "./wire.ts";

/** A position of an account is one byte. */
const ACCOUNTS_MAX = 256;
/** Instructions of one transaction, inner ones too; the runtime's own bound is far lower. */
const INSTRUCTIONS_MAX = 4_096;

export interface RawTransaction {
  readonly signature: Bytes;
  /** The signed bytes; null in encodings that omit them. */
  readonly wire: Pick<WireTransaction, "signatures" | "message"> | null;
  /** Every account in the order in which balances refer to them; the first pays the fee. */
  readonly accounts: Accounts;
  /** Number of the first accounts that signed; each signature costs the same. */
  readonly signers: number;
  readonly succeeded: boolean;
  readonly fee: bigint;
  /** Compute units; null if the node did not keep them (before 2022). */
  readonly compute_units: bigint | null;
  /** In order of execution, each followed by those that it called; empty data if it was not kept. */
  readonly instructions: readonly SolanaInstruction[];
  /** False if the node did not record inner instructions. */
  readonly has_inner: boolean;
  /** Lamports of each account before and after. */
  readonly lamports: { readonly before: ArrayLike<bigint>; readonly after: ArrayLike<bigint> };
  readonly tokens: { readonly before: readonly TokenBalance[]; readonly after: readonly TokenBalance[] };
  /** Null unless they are known already. */
  readonly coins: Coins | null;
}

/** Sums over the lamports of all accounts. */
export interface Coins {
  /** Lamports that left all accounts together, without the fee. */
  readonly missing: bigint;
  /** Largest change of one account. */
  readonly moved: number;
  /** Positions of the accounts that have more or less afterwards, in order. */
  readonly changed: readonly number[];
}

export interface SolanaInstruction {
  /** 1 = of the message itself. */
  readonly depth: number;
  /** Position of the program among the accounts. */
  readonly program: number;
  readonly call:
    | { readonly accounts: readonly number[]; readonly data: Bytes | string }
    | { readonly type: string; readonly info: JsonFields };
}

export interface TokenBalance {
  readonly account: number;
  readonly mint: Bytes;
  /** Null if the node did not state it (before 2022). */
  readonly owner: Bytes | null;
  readonly program: Hex;
  readonly amount: bigint;
}

/** @throws BadAnswer */
export const readRawTransaction = (json: unknown, keys: Keys): RawTransaction => {
  if (!(json instanceof LazyJson)) return readTransactionJson(json, keys);
  return json.scanned.transactionAt(json.at, keys) ?? readTransactionJson(json.parse(), keys);
};

const readTransactionJson = (json: unknown, keys: Keys): RawTransaction => {
  const { transaction, meta: raw_meta } = fieldsOf(json, "transaction");
  const meta = fieldsOf(raw_meta, "meta data");
  const { signature, wire, signers, accounts, outer } = readMessage(transaction, meta, keys);
  if (accounts.length > ACCOUNTS_MAX) throw new BadAnswer(`a transaction of ${accounts.length} accounts`);
  const inner = readInner(meta.innerInstructions, accounts);
  const balances = (value: unknown, what: string): bigint[] => {
    const list = listOf(value, what).map((item) => u64Of(item, what));
    if (list.length !== accounts.length) throw new BadAnswer(`${accounts.length} accounts have ${list.length} ${what}`);
    return list;
  };
  return {
    signature,
    wire,
    accounts,
    signers,
    succeeded: (meta.err ?? null) === null,
    fee: u64Of(meta.fee, "fee"),
    compute_units: isAbsent(meta.computeUnitsConsumed) ? null : u64Of(meta.computeUnitsConsumed, "compute units"),
    instructions: inOrder(outer, inner),
    has_inner: inner !== null,
    lamports: {
      before: balances(meta.preBalances, "balances before"),
      after: balances(meta.postBalances, "balances after"),
    },
    tokens: {
      before: readTokenBalances(meta.preTokenBalances, accounts.length, keys),
      after: readTokenBalances(meta.postTokenBalances, accounts.length, keys),
    },
    coins: null,
  };
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

interface SolanaMessage extends Pick<RawTransaction, "wire"> {
  readonly signature: Bytes;
  readonly signers: number;
  readonly accounts: Accounts;
  readonly outer: readonly SolanaInstruction[];
}

const readMessage = (transaction: unknown, meta: JsonFields, keys: Keys): SolanaMessage => {
  if (Array.isArray(transaction)) {
    if (transaction[1] !== "base64") throw new BadAnswer("a transaction in another encoding than requested");
    const wire = readWireTransaction(base64Of(transaction[0], "transaction"));
    const { writable, readonly } = readLoaded(meta.loadedAddresses, keys);
    if (writable.length !== wire.loaded.writable || readonly.length !== wire.loaded.readonly)
      throw new BadAnswer("other accounts of look-up tables than the message names");
    const accounts = new Accounts([...writable, ...readonly], keys, wire.keys);
    const outer = wire.instructions.map(({ program, ...call }): SolanaInstruction => {
      checkPositions([program], accounts.length);
      checkPositions(call.accounts, accounts.length);
      return { depth: 1, program, call };
    });
    return { signature: wire.signatures[0], wire, signers: wire.signatures.length, accounts, outer };
  }
  const { signatures, message: raw_message } = fieldsOf(transaction, "transaction");
  const message = fieldsOf(raw_message, "message");
  const named = listOf(message.accountKeys, "accounts").map((item) =>
    keys.of(typeof item === "string" ? item : fieldsOf(item, "account").pubkey, "account"),
  );
  const { writable, readonly } = readLoaded(meta.loadedAddresses, keys);
  const accounts = new Accounts([...named, ...writable, ...readonly], keys);
  const outer = listOf(message.instructions, "instructions").map((item) => readInstruction(item, 1, accounts));
  const signed = listOf(signatures, "signatures");
  return { signature: signatureOf(signed[0], "signature"), wire: null, signers: signed.length, accounts, outer };
};

/** Accounts of look-up tables: the writable ones come first. */
const readLoaded = (value: unknown, keys: Keys): { readonly writable: Bytes[]; readonly readonly: Bytes[] } => {
  if (isAbsent(value)) return { writable: [], readonly: [] };
  const fields = fieldsOf(value, "loaded addresses");
  const read = (list: unknown): Bytes[] =>
    listOf(list, "loaded addresses").map((item) => keys.of(item, "loaded address"));
  return { writable: read(fields.writable), readonly: read(fields.readonly) };
};

const checkPositions = (positions: readonly number[], count: number): void => {
  for (const position of positions)
    if (position < 0 || position >= count) throw new BadAnswer("an instruction names an account that is not there");
};

const readInstruction = (json: unknown, depth: number, accounts: Accounts): SolanaInstruction => {
  const fields = fieldsOf(json, "instruction");
  if (fields.programIdIndex !== undefined) {
    const program = indexOf(fields.programIdIndex, "program", ACCOUNTS_MAX);
    const positions = listOf(fields.accounts, "instruction's accounts").map((item) =>
      indexOf(item, "account", ACCOUNTS_MAX),
    );
    checkPositions([program, ...positions], accounts.length);
    return { depth, program, call: { accounts: positions, data: textOf(fields.data, "data") } };
  }
  const program = accounts.find(fields.programId);
  if (program === null) throw new BadAnswer("an instruction of a program that is not there");
  if (fields.parsed === undefined) {
    const positions = listOf(fields.accounts, "instruction's accounts").map((item) => accounts.find(item) ?? -1);
    checkPositions(positions, accounts.length);
    return { depth, program, call: { accounts: positions, data: textOf(fields.data, "data") } };
  }
  // The memo program's instruction is parsed to a text.
  if (typeof fields.parsed !== "object") return { depth, program, call: { type: "", info: {} } };
  const { type, info } = fieldsOf(fields.parsed, "parsed instruction");
  return { depth, program, call: { type: textOf(type, "type"), info: isAbsent(info) ? {} : fieldsOf(info, "info") } };
};

/** Inner instructions by the position of the outer one; null if they were not recorded. */
const readInner = (value: unknown, accounts: Accounts): Map<number, SolanaInstruction[]> | null => {
  if (isAbsent(value)) return null;
  const inner = new Map<number, SolanaInstruction[]>();
  let count = 0;
  for (const item of listOf(value, "inner instructions")) {
    const { index, instructions } = fieldsOf(item, "inner instructions");
    const list = listOf(instructions, "inner instructions");
    count += list.length;
    if (count > INSTRUCTIONS_MAX) throw new BadAnswer(`more than ${INSTRUCTIONS_MAX} inner instructions`);
    const read = list.map((one) => readInstruction(one, depthOf(one), accounts));
    inner.set(indexOf(index, "position of the outer instruction", INSTRUCTIONS_MAX), read);
  }
  return inner;
};

/** Nodes before 2023 omit the depth of inner instructions. */
const depthOf = (json: unknown): number => {
  const { stackHeight } = fieldsOf(json, "instruction");
  return isAbsent(stackHeight) ? 2 : indexOf(stackHeight, "stack height", INSTRUCTIONS_MAX);
};

const inOrder = (
  outer: readonly SolanaInstruction[],
  inner: Map<number, SolanaInstruction[]> | null,
): readonly SolanaInstruction[] => {
  if (inner === null || inner.size === 0) return outer;
  for (const position of inner.keys())
    if (position >= outer.length) throw new BadAnswer("inner instructions of an instruction that is not there");
  return outer.flatMap((one, position) => [one, ...(inner.get(position) ?? [])]);
};

const NONE: readonly never[] = [];

const readTokenBalances = (value: unknown, count: number, keys: Keys): readonly TokenBalance[] => {
  const list = isAbsent(value) ? NONE : listOf(value, "token balances");
  if (list.length === 0) return NONE;
  const seen = new Set<number>();
  return list.map((item) => {
    const fields = fieldsOf(item, "token balance");
    const account = indexOf(fields.accountIndex, "account of a token balance", count - 1);
    if (seen.has(account)) throw new BadAnswer("two token balances of one account");
    seen.add(account);
    const { amount } = fieldsOf(fields.uiTokenAmount, "token amount");
    return {
      account,
      mint: keys.of(fields.mint, "mint"),
      owner: isAbsent(fields.owner) || fields.owner === "" ? null : keys.of(fields.owner, "owner"),
      program: isAbsent(fields.programId) ? TOKEN_PROGRAM : toHex(keys.of(fields.programId, "token program")),
      amount: u64Of(amount, "token amount"),
    };
  });
};
