/**
 * Routes, loans, stakes and liquidity: the effect of a listed program's instruction for the account that signed for it.
 */
import { type Bytes, EMPTY, equalBytes, toHex } from "../../lib/bytes.ts";
import type { ProgramAct, ProgramActKind, ProgramAmount } from "../program_act.ts";
import { stepsOf } from "./instructions.ts";
import { u64At } from "./integers.ts";
import { type KnownProgram, knownProgram, nameOfStakePool } from "./known_programs.ts";
import { type OwnerNet, TransactionLedger } from "./ledger.ts";
import { STAKE_PROGRAM } from "./programs.ts";
import type { RawTransaction, SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

const NONE: readonly ProgramAct[] = [];

/** In order of execution. Empty for a failed transaction. */
export const programActsOf = (
  raw: RawTransaction,
  ledger: TransactionLedger = new TransactionLedger(raw),
): readonly ProgramAct[] => {
  if (!raw.succeeded) return NONE;
  const acts: ProgramAct[] = [];
  /** Depth of the listed program whose instruction is running: its calls are its own internals. */
  let running: { readonly depth: number; readonly role: KnownProgram["role"] } | null = null;
  for (const [at, one] of raw.instructions.entries()) {
    if (running !== null && one.depth <= running.depth) running = null;
    const id = raw.accounts.hex(one.program);
    if (id === STAKE_PROGRAM && running === null) acts.push(...stakeActs(raw, one));
    const known = knownProgram(id);
    if (known === null) continue;
    // A route calls exchanges, whose trades are its hops; any program may call a protocol.
    if (running === null || known.role === "protocol") acts.push(...actsOf(ledger, at, known));
    running ??= { depth: one.depth, role: known.role };
  }
  return acts.length === 0 ? NONE : acts;
};

interface CalledProgram {
  readonly data: Bytes;
  readonly accounts: readonly number[];
}

const calledIn = ({ call }: SolanaInstruction): CalledProgram | null =>
  "type" in call
    ? null
    : { data: typeof call.data === "string" ? dataOf(call.data, "data") : call.data, accounts: call.accounts };

const actsOf = (ledger: TransactionLedger, at: number, known: KnownProgram): readonly ProgramAct[] => {
  const instruction = ledger.raw.instructions[at];
  const called = instruction === undefined ? null : calledIn(instruction);
  if (instruction === undefined || called === null) return [];
  const { accounts } = ledger.raw;
  const kinds = kindsOf(known, called);
  if (kinds === null) return [];
  const net = actorOf(ledger, at);
  if (net === null) return [];
  const given = net.changes
    .filter(({ amount }) => amount < 0n)
    .map(({ token, amount }) => ({ token, amount: -amount }));
  const received = net.changes.filter(({ amount }) => amount > 0n);
  if (known.role === "router" && (given.length === 0 || received.length === 0)) return [];
  const pool = nameOfStakePool(accounts.hex(called.accounts[0] ?? -1));
  const act = (kind: ProgramActKind, sides: Pick<ProgramAct, "given" | "received">): ProgramAct => ({
    ...{ program: accounts.bytes(instruction.program), name: pool ?? known.name, kind, account: net.owner, ...sides },
  });
  const [first, second] = kinds;
  if (second === undefined) return [act(first, { given, received })];
  return [
    ...(given.length === 0 ? [] : [act(first, { given, received: [] })]),
    ...(received.length === 0 ? [] : [act(second, { given: [], received })]),
  ];
};

const kindsOf = (known: KnownProgram, { data }: CalledProgram): readonly [ProgramActKind, ProgramActKind?] | null => {
  if (known.role === "router") return ["swap"];
  const kinds = known.calls.get(toHex(data.subarray(0, known.tag_bytes))) ?? null;
  return known.is_signed && kinds !== null ? signedKinds(data) : kinds;
};

/** Fields after the tag: change of the collateral, then of the debt, each in sixteen bytes with a sign. */
const COLLATERAL_AT = 8;
const DEBT_AT = 24;
const I128_BYTES = 16;
const SIGN_BIT = 0x80;

const signOf = (data: Bytes, at: number): -1 | 0 | 1 => {
  const bytes = data.subarray(at, at + I128_BYTES);
  if (bytes.every((byte) => byte === 0)) return 0;
  return ((bytes[I128_BYTES - 1] ?? 0) & SIGN_BIT) === 0 ? 1 : -1;
};

const signedKinds = (data: Bytes): readonly [ProgramActKind, ProgramActKind?] => {
  const [collateral, debt] = [signOf(data, COLLATERAL_AT), signOf(data, DEBT_AT)];
  if (debt === 0) return [collateral < 0 ? "withdraw" : "supply"];
  if (collateral === 0) return [debt < 0 ? "repay" : "borrow"];
  return [debt < 0 ? "repay" : "supply", collateral < 0 ? "withdraw" : "borrow"];
};

/**
 * The signer, if the instruction moved something of it; else the first owner whose tokens left or arrived (an account
 * that a program signs for).
 */
const actorOf = (ledger: TransactionLedger, at: number): OwnerNet | null => {
  const nets = ledger.netsBeneath(at).filter(({ changes }) => changes.length > 0);
  const signer = nets.find(({ owner }) => ledger.isSigner(owner));
  if (signer !== undefined) return signer;
  const [first] = ledger.sendsBeneath(at);
  const account = first?.from ?? first?.to ?? null;
  const owner = account === null ? null : ledger.ownerOf(account);
  return nets.find((net) => owner !== null && equalBytes(net.owner, owner)) ?? null;
};

const NATIVE_STAKING = "Solana Stake";
const TAG = { delegate: "02000000", withdraw: "04000000", deactivate: "05000000" } as const;
const LAMPORTS_AT = 4;

/**
 * Accounts: solana-stake-interface, instruction.rs. The staked amount is the payment to the account in this
 * transaction.
 */
const stakeActs = (raw: RawTransaction, instruction: SolanaInstruction): readonly ProgramAct[] => {
  const called = calledIn(instruction);
  if (called === null) return [];
  const { accounts } = raw;
  const at = (place: number): Bytes => accounts.bytes(called.accounts[place] ?? -1);
  const program = accounts.bytes(instruction.program);
  const act = (kind: ProgramActKind, account: Bytes, sides: Partial<ProgramAct>): readonly ProgramAct[] =>
    account.length === 0
      ? []
      : [{ ...{ program, name: NATIVE_STAKING, kind, account, given: [], received: [] }, ...sides }];
  const tag = toHex(called.data.subarray(0, LAMPORTS_AT));
  if (tag === TAG.deactivate) return act("unstake", at(2), {});
  if (tag === TAG.withdraw) {
    const lamports = u64At(called.data, LAMPORTS_AT) ?? 0n;
    return lamports === 0n ? [] : act("unstake", at(1), { received: coins(lamports) });
  }
  if (tag !== TAG.delegate) return [];
  const payments = raw.instructions
    .flatMap((one) => stepsOf(one, accounts))
    .filter((step) => step.does === "pay" && step.to === called.accounts[0]);
  const paid = payments.reduce((sum, step) => sum + (step.does === "pay" ? step.lamports : 0n), 0n);
  const [payment] = payments;
  const payer = payment?.does === "pay" ? accounts.bytes(payment.from) : at(5);
  return act("stake", payer, { given: coins(paid) });
};

const coins = (amount: bigint): readonly ProgramAmount[] => (amount === 0n ? [] : [{ token: EMPTY, amount }]);
