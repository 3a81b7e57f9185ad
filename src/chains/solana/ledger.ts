/** Token accounts of one transaction: their owners, their balances, and the movements between owners by instruction. */
import { type Bytes, EMPTY, equalBytes } from "../../lib/bytes.ts";
import { stepsOf } from "./instructions.ts";
import { poolCall } from "./pool_calls.ts";
import { isNativeMint } from "./programs.ts";
import type { InstructionStep } from "./step.ts";
import type { RawTransaction, SolanaInstruction } from "./transaction.ts";

export interface Vault {
  readonly mint: Bytes;
  readonly before: bigint;
  readonly after: bigint;
}

type SendStep = Extract<InstructionStep, { does: "send" }>;
type Pay = Extract<InstructionStep, { does: "pay" }>;
export type Sends = readonly SendStep[];

/** Net gain (above zero) or loss of one owner by transfers. Coins have an empty token. */
export interface OwnerNet {
  readonly owner: Bytes;
  readonly changes: readonly { readonly token: Bytes; readonly amount: bigint }[];
  /** Tokens were minted to it, or burnt. */
  readonly has_issue: boolean;
}

/** Positions of instructions, `to` excluded. */
interface InstructionSpan {
  readonly from: number;
  readonly to: number;
}

/** Depth of an instruction that an inner instruction called. Nodes that omit depths never state it. */
const TOLD_DEPTH = 3;

/**
 * The instructions that one called. Nodes before 2023 omitted depths: all inner instructions then have the same one,
 * and the range ends at the next instruction of a pool.
 */
const beneath = (raw: RawTransaction, at: number, has_depths: boolean): InstructionSpan => {
  const own = raw.instructions[at]?.depth ?? 0;
  const end = (stops: (other: SolanaInstruction) => boolean): number => {
    let next = at + 1;
    for (let other = raw.instructions[next]; other !== undefined && !stops(other); other = raw.instructions[next])
      next += 1;
    return next;
  };
  const called = { from: at + 1, to: end(({ depth }) => depth <= own) };
  if (called.to > called.from || own === 1 || has_depths) return called;
  return { from: at + 1, to: end((other) => other.depth < own || poolCall(raw, other) !== null) };
};

const changeOf = (account: number, sends: Sends): bigint =>
  sends.reduce((sum, send) => {
    const lost = send.from === account ? send.amount : 0n;
    return sum + (send.to === account ? send.amount - (send.fee ?? 0n) : 0n) - lost;
  }, 0n);

interface LedgerSteps {
  /** By instruction. */
  readonly steps: readonly (readonly InstructionStep[])[];
  /** Of all instructions. */
  readonly sends: Sends;
  readonly owners: ReadonlyMap<number, Bytes>;
  readonly mints: ReadonlyMap<number, Bytes>;
}

/** Computes everything on demand: most transactions have nothing that a caller needs. */
export class TransactionLedger {
  readonly raw: RawTransaction;
  readonly #has_depths: boolean;
  readonly #steps: readonly (readonly InstructionStep[])[] | null;
  #read: LedgerSteps | null = null;
  /** Cache of the last span, because callers repeat it. */
  #last: { readonly at: number; readonly steps: readonly InstructionStep[]; readonly sends: Sends } | null = null;

  /** `steps`: by instruction, if known. */
  constructor(raw: RawTransaction, steps: readonly (readonly InstructionStep[])[] | null = null) {
    this.raw = raw;
    this.#steps = steps;
    this.#has_depths = raw.instructions.some(({ depth }) => depth >= TOLD_DEPTH);
  }

  get #known(): LedgerSteps {
    this.#read ??= readLedger(
      this.raw,
      this.#steps ?? this.raw.instructions.map((one) => stepsOf(one, this.raw.accounts)),
    );
    return this.#read;
  }

  #beneath(at: number): InstructionSpan {
    return beneath(this.raw, at, this.#has_depths);
  }

  calledBy(at: number): readonly SolanaInstruction[] {
    const { from, to } = this.#beneath(at);
    return this.raw.instructions.slice(from, to);
  }

  /** Positions of the instructions that one called itself, in order. */
  childrenOf(at: number): readonly number[] {
    const { from, to } = this.#beneath(at);
    const depth = (this.raw.instructions[at]?.depth ?? 0) + 1;
    const all = Array.from({ length: to - from }, (_, i) => from + i);
    return all.filter((one) => this.raw.instructions[one]?.depth === depth);
  }

  sendsBeneath(at: number): Sends {
    return this.#allBeneath(at).sends;
  }

  #allBeneath(at: number): { readonly steps: readonly InstructionStep[]; readonly sends: Sends } {
    if (this.#last?.at === at) return this.#last;
    const { from, to } = this.#beneath(at);
    const steps: InstructionStep[] = [];
    for (let one = from; one < to; one += 1) steps.push(...(this.#known.steps[one] ?? []));
    this.#last = { at, steps, sends: steps.filter((step) => step.does === "send") };
    return this.#last;
  }

  /** If the owner is unknown, the account itself counts as its owner, as in its movements. */
  ownerOf(account: number): Bytes {
    return this.#known.owners.get(account) ?? this.raw.accounts.bytes(account);
  }

  /** Null for an account that no balance and no opening names. */
  mintOf(account: number): Bytes | null {
    return this.#known.mints.get(account) ?? null;
  }

  /** Null for an account without tokens before and after. */
  vault(account: number): Vault | null {
    const find = ({ account: other }: { readonly account: number }): boolean => other === account;
    const before = this.raw.tokens.before.find(find);
    const after = this.raw.tokens.after.find(find);
    const known = after ?? before;
    return known === undefined ? null : { mint: known.mint, before: before?.amount ?? 0n, after: after?.amount ?? 0n };
  }

  /**
   * Effect of the sends on a vault. If all sends together do not explain its balance (a fee that Token-2022 withholds
   * without an event), the change is known only for the vault's sole user; else null.
   */
  changeIn(account: number, sends: Sends, is_sole_user: boolean): bigint | null {
    const vault = this.vault(account);
    if (vault === null) return null;
    const real = vault.after - vault.before;
    if (changeOf(account, this.#known.sends) === real) return changeOf(account, sends);
    return is_sole_user ? real : null;
  }

  isSigner(address: Bytes): boolean {
    for (let account = 0; account < this.raw.signers; account += 1)
      if (equalBytes(this.raw.accounts.bytes(account), address)) return true;
    return false;
  }

  /** Owners whose holdings changed beneath an instruction, in the order of their first change. */
  netsBeneath(at: number): readonly OwnerNet[] {
    const nets = new Nets();
    for (const step of this.#allBeneath(at).steps) {
      if (step.does === "send") this.#addSend(nets, step);
      if (step.does === "pay" && step.space === null) this.#addPay(nets, step);
    }
    return nets.all();
  }

  #addSend(nets: Nets, { from, to, amount, fee }: SendStep): void {
    const mint = this.mintOf(from ?? to ?? -1) ?? this.mintOf(to ?? -1);
    if (mint === null) return;
    const is_issue = from === null || to === null;
    if (from !== null) nets.add(this.ownerOf(from), { token: mint, amount: -amount, is_issue });
    if (to !== null) nets.add(this.ownerOf(to), { token: mint, amount: amount - (fee ?? 0n), is_issue });
  }

  /** Coins sent to an account of wrapped ones belong to its owner, who holds them as a token from then on. */
  #addPay(nets: Nets, { from, to, lamports }: Pay): void {
    const wrapped = this.mintOf(to);
    const payee = wrapped !== null && isNativeMint(wrapped) ? this.ownerOf(to) : this.raw.accounts.bytes(to);
    nets.add(this.raw.accounts.bytes(from), { token: EMPTY, amount: -lamports, is_issue: false });
    nets.add(payee, { token: EMPTY, amount: lamports, is_issue: false });
  }
}

const readLedger = (raw: RawTransaction, steps: LedgerSteps["steps"]): LedgerSteps => {
  const owners = new Map<number, Bytes>();
  const mints = new Map<number, Bytes>();
  const sends: SendStep[] = [];
  for (const of_one of steps)
    for (const step of of_one) {
      if (step.does === "send") sends.push(step);
      if (step.does !== "open") continue;
      owners.set(step.account, step.owner);
      mints.set(step.account, step.mint);
    }
  for (const { account, owner, mint } of [...raw.tokens.after, ...raw.tokens.before]) {
    if (owner !== null) owners.set(account, owner);
    mints.set(account, mint);
  }
  return { steps, sends, owners, mints };
};

interface LedgerChange {
  readonly token: Bytes;
  readonly amount: bigint;
  readonly is_issue: boolean;
}

interface OwnerChanges {
  readonly owner: Bytes;
  readonly changes: { readonly token: Bytes; amount: bigint }[];
  has_issue: boolean;
}

/** Of few owners and tokens: those of one instruction. */
class Nets {
  readonly #owners: OwnerChanges[] = [];

  add(owner: Bytes, { token, amount, is_issue }: LedgerChange): void {
    const net = this.#of(owner);
    net.has_issue ||= is_issue;
    for (const change of net.changes)
      if (equalBytes(change.token, token)) {
        change.amount += amount;
        return;
      }
    net.changes.push({ token, amount });
  }

  #of(owner: Bytes): OwnerChanges {
    for (const net of this.#owners) if (equalBytes(net.owner, owner)) return net;
    const net: OwnerChanges = { owner, changes: [], has_issue: false };
    this.#owners.push(net);
    return net;
  }

  all(): readonly OwnerNet[] {
    return this.#owners.map(({ owner, changes, has_issue }) => ({
      owner,
      has_issue,
      changes: changes.filter(({ amount }) => amount !== 0n),
    }));
  }
}
