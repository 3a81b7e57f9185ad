/**
 * Builds a block from a `getBlock` answer, or throws a `BadAnswer`. Its number is its slot (docs/design/families.md).
 */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { Block, Transaction, Verify } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { Votes } from "../summed_votes.ts";
import { knownProgram } from "./known_programs.ts";
import { TransactionLedger } from "./ledger.ts";
import { type Effects, effectsOf } from "./logless_transfers.ts";
import { LazyJson } from "./long_answer.ts";
import { poolActsOf } from "./pool_acts.ts";
import { programActsOf } from "./program_acts.ts";
import { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM } from "./programs.ts";
import { type RawTransaction, readRawTransaction, type SolanaInstruction } from "./transaction.ts";
import { BlockChecks } from "./verify.ts";
import { isPlainVote, VoteSums } from "./votes.ts";
import { dataOf, i64Of, indexOf, Keys, keyOf } from "./wire.ts";

/** Far more than a block can hold (some 3,000 with its votes). */
const TRANSACTIONS_MAX = 65_536;
const REWARDS_MAX = 5_000_000;

/** Position of a block in the chain, without its content. */
export interface BlockHead {
  readonly number: number;
  readonly parent_slot: number;
  readonly hash: Bytes;
  readonly parent_hash: Bytes;
  /** Unix seconds; null if the node did not keep it. */
  readonly time: number | null;
  /** Blocks below it; null if the node did not keep it. */
  readonly height: number | null;
}

export interface SolanaBlock extends Block {
  readonly parent_slot: number;
  readonly height: number | null;
  /** Parts of this block that the node did not keep. */
  readonly missing: readonly ("inner_instructions" | "token_owners" | "rewards" | "time")[];
}

/** @throws BadAnswer */
export const readHead = (json: unknown, slot: number): BlockHead => {
  const header = fieldsOf(json, "block");
  const parent_slot = indexOf(header.parentSlot, "parent slot");
  if (parent_slot >= slot && slot > 0) throw new BadAnswer(`the parent of slot ${slot} is slot ${parent_slot}`);
  const { blockTime, blockHeight } = header;
  return {
    number: slot,
    parent_slot,
    hash: keyOf(header.blockhash, "block hash"),
    parent_hash: keyOf(header.previousBlockhash, "hash of the parent"),
    time: blockTime === undefined || blockTime === null ? null : indexOf(blockTime, "block time"),
    height: blockHeight === undefined || blockHeight === null ? null : indexOf(blockHeight, "block height"),
  };
};

/** `verify`: `header` skips the checks that only detect lies. */
export interface BlockReading {
  readonly verify: Verify;
  readonly votes: Votes;
}

/** @throws BadAnswer */
export const readBlock = (json: unknown, slot: number, { verify, votes }: BlockReading): SolanaBlock => {
  const head = readHead(json, slot);
  const header = fieldsOf(json, "block");
  const keys = new Keys();
  const list = listOf(header.transactions, "transactions");
  if (list.length > TRANSACTIONS_MAX) throw new BadAnswer(`a block of ${list.length} transactions`);
  const missing = new Set<SolanaBlock["missing"][number]>();
  const checks = verify === "full" ? new BlockChecks(head.time) : null;
  const scanned = list[0] instanceof LazyJson ? list[0].scanned : null;
  const sums = new VoteSums();
  checks?.begin(scanned?.signatures() ?? []);
  const transactions: Transaction[] = [];
  for (let index = 0; index < list.length; index += 1) {
    if (votes === "summed" && scanned?.isVote(index) === true) {
      checks?.takeVote(scanned.feeAt(index));
      sums.addScanned(scanned, index);
      continue;
    }
    const raw = readRawTransaction(list[index], keys);
    if (scanned?.isNamed(index) === true) checks?.takeNamed(raw);
    else checks?.take(raw);
    if (votes === "summed" && isPlainVote(raw)) {
      sums.add({ voter: raw.accounts.bytes(0), fee: raw.fee }, index);
      continue;
    }
    const effects = effectsOf(raw);
    if (!effects.has_owners) missing.add("token_owners");
    if (!raw.has_inner) missing.add("inner_instructions");
    transactions.push(transactionOf(raw, index, effects));
  }
  checks?.finish((at) => readRawTransaction(list[at], keys));
  if (head.time === null) missing.add("time");
  if (header.rewards === undefined || header.rewards === null) missing.add("rewards");
  const rewards = missing.has("rewards") ? [] : readRewards(header.rewards, keys);
  return {
    ...head,
    time: head.time ?? 0,
    producer: rewards.find(({ is_fee }) => is_fee)?.address ?? EMPTY,
    base_fee: null,
    transactions,
    votes: sums.all,
    issuance: rewards.map(({ address, lamports }) => ({ kind: "reward", address, amount: lamports })),
    has_traces: !missing.has("inner_instructions"),
    verified: "none",
    missing: [...missing],
  };
};

const NONE: readonly never[] = [];

/** The fee leaves the payer whole; the producer's part of it is the block's reward of type Fee. */
export const transactionOf = (raw: RawTransaction, index: number, effects: Effects): Transaction => {
  const { moves, freezes, approvals, creations } = effects;
  const ledger = new TransactionLedger(raw, effects.steps);
  const first = mainInstruction(raw);
  return {
    index,
    hash: raw.signature,
    sender: raw.accounts.bytes(0),
    recipient: first?.program ?? EMPTY,
    value: 0n,
    nonce: 0,
    input: first?.data ?? EMPTY,
    succeeded: raw.succeeded,
    gas_used: raw.compute_units ?? 0n,
    fee: raw.fee,
    tip: 0n,
    created_contract: null,
    logs: NONE,
    calls: NONE,
    moves,
    freezes,
    pool_acts: poolActsOf(raw, ledger),
    program_acts: programActsOf(raw, ledger),
    approvals,
    creations,
  };
};

/** Programs whose instructions only prepare a transaction. */
const PREPARING: ReadonlySet<string> = new Set([COMPUTE_BUDGET_PROGRAM, ASSOCIATED_TOKEN_PROGRAM]);

/**
 * The main instruction: the first of a listed program (coins are wrapped and accounts opened before it), else the first
 * that does more than buy compute units and open accounts.
 */
export const mainOf = ({ instructions, accounts }: RawTransaction): SolanaInstruction | null => {
  let [first, not_bought, not_prepared]: (SolanaInstruction | null)[] = [null, null, null];
  for (const one of instructions) {
    if (one.depth !== 1) continue;
    const id = accounts.hex(one.program);
    if (knownProgram(id) !== null) return one;
    first ??= one;
    if (id !== COMPUTE_BUDGET_PROGRAM) not_bought ??= one;
    if (!PREPARING.has(id)) not_prepared ??= one;
  }
  return not_prepared ?? not_bought ?? first ?? null;
};

const mainInstruction = (raw: RawTransaction): { program: Bytes; data: Bytes } | null => {
  const { accounts } = raw;
  const main = mainOf(raw);
  if (main === null) return null;
  const { call } = main;
  const data = "type" in call ? EMPTY : typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
  return { program: accounts.bytes(main.program), data };
};

interface Reward {
  readonly address: Bytes;
  readonly lamports: bigint;
  /** Of the block's producer. */
  readonly is_fee: boolean;
}

const readRewards = (value: unknown, keys: Keys): Reward[] => {
  const list = listOf(value, "rewards");
  if (list.length > REWARDS_MAX) throw new BadAnswer(`a block of ${list.length} rewards`);
  return list.map((item) => {
    const fields: JsonFields = fieldsOf(item, "reward");
    const lamports = i64Of(fields.lamports, "reward");
    return { address: keys.of(fields.pubkey, "rewarded account"), lamports, is_fee: fields.rewardType === "Fee" };
  });
};
