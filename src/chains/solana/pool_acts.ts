/**
 * What a transaction did to pools (docs/decisions/0030): the instruction names the pool and its vaults, and the token
 * movements beneath it say how much went in and out. What does not balance, one side in and the other out, is no swap.
 */
import { type Bytes, equalBytes, toHex } from "../../lib/bytes.ts";
import type { PoolAct, PoolHoldings, PoolShares, PoolSwap } from "../pool_act.ts";
import { type CurveTrade, curveTradeOf } from "./curve_trade.ts";
import { stepsOf } from "./instructions.ts";
import {
  CURVE_QUOTE_AT,
  type PoolInstruction,
  type PoolPlaces,
  poolInstruction,
  poolProgram,
} from "./pool_programs.ts";
import { WRAPPED_SOL_MINT } from "./programs.ts";
import type { Step } from "./step.ts";
import type { Instruction, RawTransaction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

const NONE: readonly PoolAct[] = [];
/** Of Anchor's tags; the longest there is. */
const TAG_BYTES = 8;
/** Pool, vaults, parties: events, which have one account and long data, need not be decoded. */
const ACCOUNTS_MIN = 7;

/** In order of execution. Of a failed transaction nothing is left. */
export const poolActsOf = (raw: RawTransaction): readonly PoolAct[] => {
  if (!raw.succeeded) return NONE;
  const touched = touchedIn(raw);
  return touched.length === 0 ? NONE : actsOf(new Ledger(raw, touched), touched);
};

/** One pool that one instruction touched; accounts are positions within the transaction. */
interface Touched {
  /** Position of the instruction. */
  readonly at: number;
  readonly program: number;
  readonly does: PoolInstruction["does"];
  readonly pool: number;
  readonly vaults: readonly [number, number];
  /** What a bonding curve's own event says of it; null for other pools, and where it begins. */
  readonly trade: CurveTrade | null;
  /** The second side is lamports of the pool itself. */
  readonly is_in_coins: boolean;
}

const touchedIn = (raw: RawTransaction): Touched[] => {
  const touched: Touched[] = [];
  for (const [at, instruction] of raw.instructions.entries()) {
    const known = knownIn(raw, instruction);
    if (known === null) continue;
    const trade = known.is_curve ? curveTradeOf(calledBy(raw, at), instruction.program) : null;
    const is_in_coins = known.is_curve && isCurveInCoins(raw, known, trade);
    if (known.is_curve && trade === null && !is_in_coins) continue;
    for (const { pool, vaults } of known.places) {
      const [own, first, second] = [pool, ...vaults].map((place) => known.accounts[place]);
      if (own === undefined || first === undefined || second === undefined) continue;
      const { program } = instruction;
      touched.push({ at, program, does: known.does, pool: own, vaults: [first, second], trade, is_in_coins });
    }
  }
  return touched;
};

/** A trade says it by its amount. A curve that begins against a token is known from its first trade. */
const isCurveInCoins = ({ accounts }: RawTransaction, known: Known, trade: CurveTrade | null): boolean => {
  if (known.does === "end") return true;
  if (known.does !== "create") return trade !== null && trade.lamports > 0n;
  const quote = known.accounts[CURVE_QUOTE_AT];
  return quote === undefined || equalBytes(accounts.bytes(quote), WRAPPED_SOL_MINT);
};

interface Known {
  readonly does: PoolInstruction["does"];
  readonly accounts: readonly number[];
  readonly places: readonly PoolPlaces[];
  readonly is_curve: boolean;
}

/** Null for an instruction of another program, or one that we do not follow. */
const knownIn = ({ accounts }: RawTransaction, { program, call }: Instruction): Known | null => {
  const pools = poolProgram(accounts.hex(program));
  if (pools === null || "type" in call || call.accounts.length < ACCOUNTS_MIN) return null;
  const data = typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
  const found = poolInstruction(pools, toHex(data.subarray(0, TAG_BYTES)));
  if (found === null) return null;
  const { is_curve } = pools;
  return { does: found.does, accounts: call.accounts, places: found.places(call.accounts.length), is_curve };
};

/**
 * The instructions that one called. Nodes before 2023 did not tell depths: then all inner instructions have the same,
 * and those up to the next instruction of a pool are taken.
 */
const beneath = (raw: RawTransaction, at: number): Span => {
  const own = raw.instructions[at]?.depth ?? 0;
  const end = (stops: (other: Instruction) => boolean): number => {
    let next = at + 1;
    for (let other = raw.instructions[next]; other !== undefined && !stops(other); other = raw.instructions[next])
      next += 1;
    return next;
  };
  const called = { from: at + 1, to: end(({ depth }) => depth <= own) };
  if (called.to > called.from || own === 1) return called;
  return { from: at + 1, to: end((other) => other.depth < own || knownIn(raw, other) !== null) };
};

/** Positions of instructions, `to` excluded. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const calledBy = (raw: RawTransaction, at: number): readonly Instruction[] => {
  const { from, to } = beneath(raw, at);
  return raw.instructions.slice(from, to);
};

interface Vault {
  readonly mint: Bytes;
  readonly before: bigint;
  readonly after: bigint;
}

type Send = Extract<Step, { does: "send" }>;

type Sends = readonly Send[];

const changeOf = (account: number, sends: Sends): bigint =>
  sends.reduce((sum, send) => {
    const lost = send.from === account ? send.amount : 0n;
    return sum + (send.to === account ? send.amount - (send.fee ?? 0n) : 0n) - lost;
  }, 0n);

/** Token accounts of one transaction: who owns them, and what the vaults among them held. */
class Ledger {
  readonly raw: RawTransaction;
  /** By instruction. */
  readonly #sends: readonly Sends[];
  readonly #owners = new Map<number, Bytes>();
  /** In how many touched pools an account is a vault. */
  readonly #uses = new Map<number, number>();

  constructor(raw: RawTransaction, touched: readonly Touched[]) {
    this.raw = raw;
    this.#sends = raw.instructions.map((one) => {
      const steps = stepsOf(one, raw.accounts);
      for (const step of steps) if (step.does === "open") this.#owners.set(step.account, step.owner);
      return steps.filter((step) => step.does === "send");
    });
    for (const { account, owner } of [...raw.tokens.after, ...raw.tokens.before])
      if (owner !== null) this.#owners.set(account, owner);
    for (const { vaults } of touched)
      for (const vault of vaults) this.#uses.set(vault, (this.#uses.get(vault) ?? 0) + 1);
  }

  sendsBeneath(at: number): Sends {
    const { from, to } = beneath(this.raw, at);
    return this.#sends.slice(from, to).flat();
  }

  /** Without a told owner an account stands for its owner, as in its movements. */
  ownerOf(account: number): Bytes {
    return this.#owners.get(account) ?? this.raw.accounts.bytes(account);
  }

  /** Null for an account that held no tokens before and holds none after. */
  vault(account: number): Vault | null {
    const find = ({ account: other }: { readonly account: number }): boolean => other === account;
    const before = this.raw.tokens.before.find(find);
    const after = this.raw.tokens.after.find(find);
    const known = after ?? before;
    return known === undefined ? null : { mint: known.mint, before: before?.amount ?? 0n, after: after?.amount ?? 0n };
  }

  /**
   * What the sends did to a vault. Where all sends together do not explain its balance (a fee that Token-2022 withholds
   * without a word), only the sole user of the vault can be told; else null.
   */
  changeIn(account: number, sends: Sends): bigint | null {
    const vault = this.vault(account);
    if (vault === null) return null;
    const real = vault.after - vault.before;
    if (changeOf(account, this.#sends.flat()) === real) return changeOf(account, sends);
    return this.#uses.get(account) === 1 ? real : null;
  }

  isSigner(address: Bytes): boolean {
    for (let account = 0; account < this.raw.signers; account += 1)
      if (equalBytes(this.raw.accounts.bytes(account), address)) return true;
    return false;
  }
}

const actsOf = (ledger: Ledger, touched: readonly Touched[]): readonly PoolAct[] => {
  const last = new Map(touched.map(({ pool }, index) => [pool, index]));
  return touched.flatMap((one, index) => {
    const sides = sidesOf(ledger, one);
    if (sides === null) return [];
    const { accounts } = ledger.raw;
    const swap = one.does === "swap" ? swapOf(ledger, one, sides) : null;
    const act: PoolAct = {
      program: accounts.bytes(one.program),
      pool: accounts.bytes(one.pool),
      token0: sides.first.mint,
      token1: sides.second.mint,
      is_new: one.does === "create",
      swap,
      // What is minted while a pool ends is another one's.
      shares: one.does === "swap" || one.does === "end" ? null : sharesOf(ledger, one.at, sides),
      state: last.get(one.pool) === index ? holdingsOf(one, sides) : null,
    };
    // A trade that moved nothing that we understand says nothing of the pool either.
    return one.does === "swap" && swap === null ? [] : [act];
  });
};

/** One side of a pool: what the instruction moved, and what the pool holds after the transaction. */
interface Side {
  readonly mint: Bytes;
  readonly change: bigint | null;
  readonly holds: bigint;
}

interface Sides {
  /** Of the lower mint. */
  readonly first: Side;
  readonly second: Side;
  readonly is_turned: boolean;
}

const sidesOf = (ledger: Ledger, touched: Touched): Sides | null => {
  const sends = ledger.sendsBeneath(touched.at);
  const side = (account: number): Side | null => {
    const vault = ledger.vault(account);
    return vault === null ? null : { mint: vault.mint, change: ledger.changeIn(account, sends), holds: vault.after };
  };
  const { vaults, trade, is_in_coins } = touched;
  const [one, other] = [side(vaults[0]), is_in_coins ? coinsOf(trade) : side(vaults[1])];
  if (one === null || other === null) return null;
  const order = Buffer.compare(one.mint, other.mint);
  if (order === 0) return null;
  return order < 0 ? { first: one, second: other, is_turned: false } : { first: other, second: one, is_turned: true };
};

const coinsOf = (trade: CurveTrade | null): Side => {
  if (trade === null) return { mint: WRAPPED_SOL_MINT, change: 0n, holds: 0n };
  const change = trade.is_buy ? trade.lamports : -trade.lamports;
  return { mint: WRAPPED_SOL_MINT, change, holds: trade.lamports_held };
};

const swapOf = (ledger: Ledger, touched: Touched, { first, second }: Sides): PoolSwap | null => {
  const [amount0, amount1] = [first.change, second.change];
  if (amount0 === null || amount1 === null) return null;
  if (!((amount0 > 0n && amount1 < 0n) || (amount0 < 0n && amount1 > 0n))) return null;
  const parties = partiesOf(ledger, touched);
  return { ...parties, amount0, amount1 };
};

/** Largest movement into a vault that was not from the other one, and largest out of one: fees go the same ways. */
const partiesOf = (ledger: Ledger, { at, vaults }: Touched): Omit<PoolSwap, "amount0" | "amount1"> => {
  const payer = ledger.raw.accounts.bytes(0);
  let paid: { amount: bigint; owner: Bytes } | null = null;
  let got: { amount: bigint; owner: Bytes } | null = null;
  for (const send of ledger.sendsBeneath(at)) {
    if (send.from === null || send.to === null) continue;
    const { from, to, amount } = send;
    if (vaults.includes(to) && amount > (paid?.amount ?? 0n)) paid = { amount, owner: ledger.ownerOf(from) };
    if (vaults.includes(from) && amount > (got?.amount ?? 0n)) got = { amount, owner: ledger.ownerOf(to) };
  }
  // The side of a curve in coins has no transfer of its own: who gave tokens gets coins, and the other way round.
  const caller = paid?.owner ?? got?.owner ?? payer;
  const recipient = got?.owner ?? paid?.owner ?? payer;
  return { caller, recipient, trader: ledger.isSigner(caller) ? caller : payer };
};

/** What an instruction about liquidity mints or burns is the pool's shares; a single unit is the NFT of a position. */
const sharesOf = (ledger: Ledger, at: number, { first, second }: Sides): PoolShares | null => {
  for (const send of ledger.sendsBeneath(at)) {
    if (send === null || (send.from !== null && send.to !== null)) continue;
    const account = send.to ?? send.from ?? 0;
    const held = ledger.vault(account);
    if (held === null || send.amount <= 1n) continue;
    if (equalBytes(held.mint, first.mint) || equalBytes(held.mint, second.mint)) continue;
    const amount = send.to === null ? -send.amount : send.amount;
    return { token: held.mint, holder: ledger.ownerOf(account), amount };
  }
  return null;
};

const holdingsOf = ({ trade, is_in_coins }: Touched, { first, second, is_turned }: Sides): PoolHoldings => {
  const price = is_in_coins ? (trade?.priceOf(is_turned) ?? null) : null;
  return {
    reserve0: first.holds,
    reserve1: second.holds,
    sqrt_price_x96: price?.sqrt_price_x96 ?? 0n,
    liquidity: price?.liquidity ?? 0n,
  };
};
