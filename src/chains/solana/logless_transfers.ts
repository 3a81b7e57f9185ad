/**
 * Payments within one transaction: the balances before plus the moves are the balances after (docs/design/families.md). It simulates
 * the instructions, and nets remaining differences between accounts that lost and accounts that gained. Lamports belong to accounts,
 * tokens to the owners of token accounts. Wrapped SOL is a token of its owner; its lamports belong to the token account. The amounts
 * of a Token-2022 account beside its balance (withheld fees) belong to the mint.
 */
import { type Bytes, EMPTY, equalBytes, type Hex } from "../../lib/bytes.ts";
import type { LoglessTransfer } from "../chain.ts";
import type { NativeCreation } from "../native_creation.ts";
import type { AccountApproval, Freeze } from "../token_accounts.ts";
import { type CreationCaller, creationOf } from "./creations.ts";
import { stepsOf } from "./instructions.ts";
import { isNativeMint, TOKEN_2022_PROGRAM } from "./programs.ts";
import { rentOf, TOKEN_ACCOUNT_RENT } from "./rent.ts";
import { type LamportChange, match } from "./residue.ts";
import type { InstructionStep } from "./step.ts";
import type { RawTransaction, TokenBalance } from "./transaction.ts";

export interface Effects {
  readonly moves: readonly LoglessTransfer[];
  readonly freezes: readonly Freeze[];
  readonly approvals: readonly AccountApproval[];
  readonly created_mints: readonly Extract<InstructionStep, { does: "create_mint" }>[];
  readonly creations: readonly NativeCreation[];
  /** False if the node omitted the owner of a token account: the account then counts as its own owner. */
  readonly has_owners: boolean;
  /** Steps that were simulated, by instruction; empty for a failed transaction. */
  readonly steps: readonly (readonly InstructionStep[])[];
}

/** A failed transaction leaves only its fee, which is no move. */
export const effectsOf = (raw: RawTransaction): Effects => {
  const play = new InstructionWalk(raw);
  const payer = raw.accounts.bytes(0);
  const { instructions } = raw;
  /** By depth. */
  const programs: Bytes[] = [];
  const steps = new Array<readonly InstructionStep[]>(raw.succeeded ? instructions.length : 0);
  for (let at = 0; at < steps.length; at += 1) {
    const instruction = instructions[at];
    if (instruction === undefined) continue;
    const { depth, program } = instruction;
    programs[depth] = raw.accounts.bytes(program);
    const done = stepsOf(instruction, raw.accounts);
    steps[at] = done;
    if (done.length === 0) continue;
    const caller = { depth, payer, program: programs[depth - 1] ?? null };
    for (const step of done) play.take(step, caller);
  }
  return play.settle(steps);
};

interface TokenBalanceRow {
  readonly mint: Bytes;
  readonly owner: Bytes;
  readonly is_native: boolean;
  readonly program: Hex;
  amount: bigint;
}

/** If the owner is unknown, it is that of before. */
const isSame = (held: TokenBalanceRow, { amount, owner, mint }: TokenBalance): boolean =>
  held.amount === amount && equalBytes(held.owner, owner ?? held.owner) && equalBytes(held.mint, mint);

const NONE: readonly never[] = [];
/** Most of these lists are empty, and thousands of transactions are in memory at once. */
const orNone = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : list);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

class InstructionWalk {
  readonly #raw: RawTransaction;
  /** Computed lamports of the accounts that a step changed. */
  readonly #lamports: (bigint | undefined)[];
  /** Computed token holdings, also by account. */
  readonly #held: (TokenBalanceRow | undefined)[];
  /** Computed holdings of closed accounts. */
  readonly #lost: (LamportChange & { readonly held: TokenBalanceRow })[] = [];
  readonly #moves: LoglessTransfer[] = [];
  readonly #freezes: Freeze[] = [];
  readonly #approvals: AccountApproval[] = [];
  readonly #created_mints: Effects["created_mints"][number][] = [];
  readonly #creations: NativeCreation[] = [];
  #has_owners = true;
  /** Token accounts existed before, or some were opened. */
  #has_held = false;

  constructor(raw: RawTransaction) {
    this.#raw = raw;
    this.#lamports = new Array(raw.accounts.length);
    this.#held = new Array(raw.accounts.length);
    this.#lamports[0] = (raw.lamports.before[0] ?? 0n) - raw.fee;
    this.#has_held = raw.tokens.before.length > 0;
    for (const balance of raw.tokens.before) this.#held[balance.account] = this.#heldOf(balance, null);
  }

  take(step: InstructionStep, caller: CreationCaller & { readonly depth: number }): void {
    const creation = creationOf(step, caller);
    if (creation !== null) this.#creations.push(creation);
    if (step.does === "pay") this.#transfer(step, caller.depth === 1 ? "native" : "internal");
    else if (step.does === "send") this.#send(step);
    else if (step.does === "open") this.#open(step);
    else if (step.does === "close") this.#close(step);
    else if (step.does === "sync") this.#sync(step.account);
    else if (step.does === "hand_over") this.#handOver(step);
    else if (step.does === "freeze") this.#freeze(step);
    else if (step.does === "approve") this.#approve(step);
    else if (step.does === "create_mint") this.#created_mints.push(step);
  }

  settle(steps: Effects["steps"]): Effects {
    this.#settleTokens();
    this.#settleLamports();
    return {
      moves: this.#moves,
      freezes: orNone(this.#freezes),
      approvals: orNone(this.#approvals),
      created_mints: orNone(this.#created_mints),
      creations: orNone(this.#creations),
      has_owners: this.#has_owners,
      steps,
    };
  }

  #push(move: LoglessTransfer): void {
    if (move.amount <= 0n || equalBytes(move.source, move.destination)) return;
    this.#moves.push(move);
  }

  /** `known`: the owner by the steps before. */
  #heldOf({ account, mint, owner, program, amount }: TokenBalance, known: Bytes | null): TokenBalanceRow {
    const named = owner ?? known;
    if (named === null) this.#has_owners = false;
    const is_native = isNativeMint(mint);
    return { mint, owner: named ?? this.#raw.accounts.bytes(account), is_native, program, amount };
  }

  #lamportsOf(account: number): bigint {
    return this.#lamports[account] ?? this.#raw.lamports.before[account] ?? 0n;
  }

  /** The rent of a payment that opens an account is a move of its own. */
  #transfer(
    { from, to, lamports, space }: Extract<InstructionStep, { does: "pay" }>,
    kind: LoglessTransfer["kind"],
  ): void {
    const rent = space === null ? 0n : least(rentOf(space), lamports);
    this.#pay({ from, to, lamports: rent }, "rent");
    this.#pay({ from, to, lamports: lamports - rent }, kind);
  }

  #pay({ from, to, lamports }: { from: number; to: number; lamports: bigint }, kind: LoglessTransfer["kind"]): void {
    this.#lamports[from] = this.#lamportsOf(from) - lamports;
    this.#lamports[to] = this.#lamportsOf(to) + lamports;
    const { accounts } = this.#raw;
    const [source, destination] = [accounts.bytes(from), accounts.bytes(to)];
    this.#push({ kind, token: EMPTY, source, destination, amount: lamports });
  }

  #send({ from, to, amount, fee }: Extract<InstructionStep, { does: "send" }>): void {
    const source = from === null ? null : (this.#held[from] ?? null);
    const destination = to === null ? null : (this.#held[to] ?? null);
    const known = source ?? destination;
    // An account that no balance names: the differences at the end show its changes.
    if (known === null || (from !== null && source === null) || (to !== null && destination === null)) return;
    if (source !== null && destination !== null && !equalBytes(source.mint, destination.mint)) return;
    const withheld = fee ?? 0n;
    if (withheld > amount) return;
    if (source !== null) source.amount -= amount;
    if (destination !== null) destination.amount += amount - withheld;
    const [payer, payee] = [source?.owner ?? EMPTY, destination?.owner ?? EMPTY];
    const { mint: token } = known;
    this.#push({ kind: "spl", token, source: payer, destination: payee, amount: amount - withheld });
    if (withheld > 0n) this.#push({ kind: "spl", token, source: payer, destination: token, amount: withheld });
    if (known.is_native && from !== null && to !== null) this.#pay({ from, to, lamports: amount }, "internal");
  }

  #open({ account, mint, owner, program }: Extract<InstructionStep, { does: "open" }>): void {
    this.#forget(account);
    this.#has_held = true;
    this.#held[account] = this.#heldOf({ account, mint, owner, program, amount: 0n }, null);
    this.#sync(account);
  }

  #close({ account, to }: { account: number; to: number }): void {
    const held = this.#held[account];
    this.#forget(account);
    const lamports = this.#lamportsOf(account);
    // If below zero, an unknown instruction paid it: the differences at the end show the payer.
    if (account === to || lamports <= 0n) return;
    const rent = held === undefined ? 0n : this.#rentIn(account, held);
    this.#pay({ from: account, to, lamports: lamports - rent }, "internal");
    this.#pay({ from: account, to, lamports: rent }, "rent");
  }

  /** All lamports of a token account; for wrapped SOL the part above its amount, up to the rent that it needs. */
  #rentIn(account: number, { is_native, amount }: TokenBalanceRow): bigint {
    const lamports = this.#lamportsOf(account);
    if (!is_native) return lamports;
    const rent = least(least(lamports - amount, lamports), this.#rentOf(account));
    return rent < 0n ? 0n : rent;
  }

  /** A token account ends: wrapped SOL becomes SOL, and the differences at the end explain the rest. */
  #forget(account: number): void {
    const held = this.#held[account];
    this.#held[account] = undefined;
    if (held?.is_native === true) {
      // If below zero, an unknown instruction filled it: that one wrapped the missing amount.
      const [source, destination] = held.amount < 0n ? [EMPTY, held.owner] : [held.owner, EMPTY];
      const amount = held.amount < 0n ? -held.amount : held.amount;
      this.#push({ kind: "wrap", token: held.mint, source, destination, amount });
    } else if (held !== undefined && held.amount !== 0n) {
      this.#lost.push({ holder: held.owner, difference: -held.amount, held });
    }
  }

  /** The amount of a wrapped SOL account is its lamports above the rent. */
  #sync(account: number): void {
    const held = this.#held[account];
    if (held?.is_native !== true) return;
    const amount = this.#lamportsOf(account) - this.#rentOf(account);
    if (amount <= held.amount) return;
    const wrapped = amount - held.amount;
    held.amount = amount;
    this.#push({ kind: "wrap", token: held.mint, source: EMPTY, destination: held.owner, amount: wrapped });
  }

  #rentOf(account: number): bigint {
    const { lamports, tokens } = this.#raw;
    const rent = (balances: readonly TokenBalance[], of: ArrayLike<bigint>): bigint | null => {
      const amount = balances.find((balance) => balance.account === account)?.amount;
      return amount === undefined ? null : (of[account] ?? 0n) - amount;
    };
    return rent(tokens.before, lamports.before) ?? rent(tokens.after, lamports.after) ?? TOKEN_ACCOUNT_RENT;
  }

  #handOver({ account, owner }: { account: number; owner: Bytes }): void {
    const held = this.#held[account];
    if (held === undefined) return;
    // If below zero, an unknown instruction filled it; the new owner takes that over too.
    const [source, destination] = held.amount < 0n ? [owner, held.owner] : [held.owner, owner];
    const amount = held.amount < 0n ? -held.amount : held.amount;
    this.#push({ kind: "spl", token: held.mint, source, destination, amount });
    this.#held[account] = { ...held, owner };
  }

  #freeze({ effect, account, mint }: Extract<InstructionStep, { does: "freeze" }>): void {
    const holding = this.#raw.accounts.bytes(account);
    this.#freezes.push({ effect, token: mint, account: this.#held[account]?.owner ?? holding, holding });
  }

  #approve({ account, delegate, amount }: Extract<InstructionStep, { does: "approve" }>): void {
    const held = this.#held[account];
    // An account that no balance names: readers query its state on demand (docs/design/families.md).
    if (held !== undefined) this.#approvals.push({ token: held.mint, owner: held.owner, spender: delegate, amount });
  }

  #settleTokens(): void {
    if (!this.#has_held && this.#raw.tokens.after.length === 0) return;
    const after: (TokenBalance | undefined)[] = [];
    for (const balance of this.#raw.tokens.after) after[balance.account] = balance;
    const changes: { readonly held: TokenBalanceRow; readonly list: LamportChange[] }[] = [];
    const note = (held: TokenBalanceRow, difference: bigint): void => {
      const known = changes.find((one) => equalBytes(one.held.mint, held.mint));
      const change = { holder: held.owner, difference };
      if (known === undefined) changes.push({ held, list: [change] });
      else known.list.push(change);
    };
    for (const { held, difference } of this.#lost) note(held, difference);
    for (let account = 0; account < this.#raw.accounts.length; account += 1) {
      const ours = this.#held[account];
      const balance = after[account];
      // The instructions explain most accounts.
      if (ours !== undefined && balance !== undefined && isSame(ours, balance)) continue;
      const theirs = balance === undefined ? undefined : this.#heldOf(balance, ours?.owner ?? null);
      if (ours !== undefined) note(ours, -ours.amount);
      if (theirs !== undefined) note(theirs, theirs.amount);
    }
    for (const { held, list } of changes) {
      const rest = held.program === TOKEN_2022_PROGRAM && !held.is_native ? held.mint : EMPTY;
      for (const { source, destination, amount } of match(list, rest)) {
        const is_void = source.length === 0 || destination.length === 0;
        this.#push({ kind: held.is_native && is_void ? "wrap" : "spl", token: held.mint, source, destination, amount });
      }
    }
  }

  #settleLamports(): void {
    const { accounts, lamports, coins } = this.#raw;
    const list: LamportChange[] = [];
    for (let account = 0; account < lamports.after.length; account += 1) {
      // Neither a step nor anything else changed it.
      if (this.#lamports[account] === undefined && coins?.changed.includes(account) === false) continue;
      const difference = (lamports.after[account] ?? 0n) - this.#lamportsOf(account);
      if (difference !== 0n) list.push({ holder: accounts.bytes(account), difference });
    }
    for (const flow of match(list, EMPTY)) this.#push({ kind: "internal", token: EMPTY, ...flow });
  }
}
