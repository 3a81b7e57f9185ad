/**
 * Effects of a transaction on pools (docs/design/families.md): the instruction names the pool and its vaults, and the
 * token movements beneath it give the amounts in and out. Movements that do not balance, one side in and the other out,
 * are no swap.
 */
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { PoolAct, PoolHoldings, PoolShares, PoolSwap } from "../pool_act.ts";
import { type CurveTrade, curveTradeOf } from "./curve_trade.ts";
import { nameOfProgram } from "./known_programs.ts";
import { TransactionLedger } from "./ledger.ts";
import { type PoolCall, poolCall } from "./pool_calls.ts";
import type { PoolInstruction } from "./pool_programs.ts";
import { WRAPPED_SOL_MINT } from "./programs.ts";
import { type PositionedAct, tradesOf } from "./trades.ts";
import type { RawTransaction } from "./transaction.ts";

const NONE: readonly PoolAct[] = [];
const NO_ACTS: readonly PositionedAct[] = [];
const UNTOUCHED: ReadonlySet<number> = new Set();

/** In order of execution. Empty for a failed transaction. */
export const poolActsOf = (
  raw: RawTransaction,
  ledger: TransactionLedger = new TransactionLedger(raw),
): readonly PoolAct[] => {
  if (!raw.succeeded) return NONE;
  const touched = touchedIn(ledger);
  const acts = touched.length === 0 ? NO_ACTS : actsOf(ledger, touched);
  const trades = tradesOf(ledger, touched.length === 0 ? UNTOUCHED : new Set(touched.map(({ at }) => at)));
  if (acts.length + trades.length === 0) return NONE;
  if (trades.length === 0) return acts.map(({ act }) => act);
  return [...acts, ...trades].sort((a, b) => a.at - b.at).map(({ act }) => act);
};

/** One pool that one instruction touched; accounts are positions within the transaction. */
interface TouchedPool {
  /** Position of the instruction. */
  readonly at: number;
  readonly program: number;
  readonly does: PoolInstruction["does"];
  readonly pool: number;
  readonly vaults: readonly [number, number];
  /** The bonding curve's own event; null for other pools, and at the creation of a curve. */
  readonly trade: CurveTrade | null;
  /** The second side is lamports of the pool itself. */
  readonly is_in_coins: boolean;
}

const touchedIn = (ledger: TransactionLedger): TouchedPool[] => {
  const { raw } = ledger;
  const touched: TouchedPool[] = [];
  for (let at = 0; at < raw.instructions.length; at += 1) {
    const instruction = raw.instructions[at];
    const known = instruction === undefined ? null : poolCall(raw, instruction);
    if (instruction === undefined || known === null) continue;
    const trade = known.is_curve ? curveTradeOf(ledger.calledBy(at), instruction.program) : null;
    const is_in_coins = known.is_curve && isCurveInCoins(raw, known, trade);
    if (known.is_curve && trade === null && !is_in_coins && known.does !== "end") continue;
    for (const { pool, vaults } of known.places) {
      const { [pool]: own, [vaults[0]]: first, [vaults[1]]: second } = known.accounts;
      if (own === undefined || first === undefined || second === undefined) continue;
      const { program } = instruction;
      touched.push({ at, program, does: known.does, pool: own, vaults: [first, second], trade, is_in_coins });
    }
  }
  return touched;
};

/** A trade shows it by its amount. A curve that begins against a token is known from its first trade. */
const isCurveInCoins = ({ accounts }: RawTransaction, { does, quote }: PoolCall, trade: CurveTrade | null): boolean =>
  does === "create" || does === "end"
    ? quote === null || equalBytes(accounts.bytes(quote), WRAPPED_SOL_MINT)
    : trade !== null && trade.lamports > 0n;

const actsOf = (ledger: TransactionLedger, touched: readonly TouchedPool[]): readonly PositionedAct[] => {
  const last = new Map(touched.map(({ pool }, index) => [pool, index]));
  const vaults = touched.flatMap((one) => one.vaults);
  const isSoleUser = (vault: number): boolean => vaults.filter((other) => other === vault).length === 1;
  return touched.flatMap((one, index) => {
    const sides = sidesOf(ledger, one, isSoleUser);
    if (sides === null) return [];
    const { accounts } = ledger.raw;
    const swap = one.does === "swap" ? swapOf(ledger, one, sides) : null;
    const act: PoolAct = {
      program: accounts.bytes(one.program),
      name: nameOfProgram(accounts.hex(one.program)),
      pool: accounts.bytes(one.pool),
      token0: sides.first.mint,
      token1: sides.second.mint,
      is_new: one.does === "create",
      swap,
      // Tokens minted while a pool ends belong to another one.
      shares: one.does === "swap" || one.does === "end" ? null : sharesOf(ledger, one.at, sides),
      state: last.get(one.pool) === index ? holdingsOf(one, sides) : null,
    };
    // A trade without a movement that Assay understands shows nothing about the pool either.
    return one.does === "swap" && swap === null ? [] : [{ at: one.at, act }];
  });
};

/** One side of a pool: the movement of the instruction, and the pool's balance after the transaction. */
interface TouchedPoolSide {
  readonly mint: Bytes;
  readonly change: bigint | null;
  readonly holds: bigint;
}

interface TouchedPoolSides {
  /** Of the lower mint. */
  readonly first: TouchedPoolSide;
  readonly second: TouchedPoolSide;
  readonly is_turned: boolean;
}

const sidesOf = (
  ledger: TransactionLedger,
  touched: TouchedPool,
  isSoleUser: (vault: number) => boolean,
): TouchedPoolSides | null => {
  const sends = ledger.sendsBeneath(touched.at);
  const side = (account: number): TouchedPoolSide | null => {
    const vault = ledger.vault(account);
    if (vault === null) return null;
    return { mint: vault.mint, change: ledger.changeIn(account, sends, isSoleUser(account)), holds: vault.after };
  };
  const { vaults, trade, is_in_coins } = touched;
  const [one, other] = [side(vaults[0]), is_in_coins ? coinsOf(trade) : side(vaults[1])];
  if (one === null || other === null) return null;
  const order = Buffer.compare(one.mint, other.mint);
  if (order === 0) return null;
  return order < 0 ? { first: one, second: other, is_turned: false } : { first: other, second: one, is_turned: true };
};

const coinsOf = (trade: CurveTrade | null): TouchedPoolSide => {
  if (trade === null) return { mint: WRAPPED_SOL_MINT, change: 0n, holds: 0n };
  const change = trade.is_buy ? trade.lamports : -trade.lamports;
  return { mint: WRAPPED_SOL_MINT, change, holds: trade.lamports_held };
};

const swapOf = (
  ledger: TransactionLedger,
  touched: TouchedPool,
  { first, second }: TouchedPoolSides,
): PoolSwap | null => {
  const [amount0, amount1] = [first.change, second.change];
  if (amount0 === null || amount1 === null) return null;
  if (!((amount0 > 0n && amount1 < 0n) || (amount0 < 0n && amount1 > 0n))) return null;
  const parties = partiesOf(ledger, touched);
  const [paid, got] = amount0 > 0n ? [first.mint, second.mint] : [second.mint, first.mint];
  const [entered, left] = amount0 > 0n ? [amount0, -amount1] : [amount1, -amount0];
  const { trade, is_in_coins } = touched;
  const coins = is_in_coins ? (trade?.lamports_of_trader ?? null) : null;
  const nets = ledger.netsBeneath(touched.at);
  const change = (owner: Bytes, mint: Bytes): bigint => {
    const net = nets.find((one) => equalBytes(one.owner, owner));
    return net?.changes.find(({ token }) => equalBytes(token, mint))?.amount ?? 0n;
  };
  // If the party's own accounts do not show it, it is the amount of the pool.
  const given = coins !== null && trade?.is_buy === true ? coins : -change(parties.caller, paid);
  const received = coins !== null && trade?.is_buy === false ? coins : change(parties.recipient, got);
  return {
    caller: parties.caller,
    recipient: parties.recipient,
    trader: parties.trader,
    amount0,
    amount1,
    given: given > 0n ? given : entered,
    received: received > 0n ? received : left,
  };
};

/**
 * The largest movement into a vault that was not from the other one, and the largest out of one: fees go the same ways.
 */
const partiesOf = (
  ledger: TransactionLedger,
  { at, vaults }: TouchedPool,
): Pick<PoolSwap, "caller" | "recipient" | "trader"> => {
  const payer = ledger.raw.accounts.bytes(0);
  let paid: { amount: bigint; owner: Bytes } | null = null;
  let got: { amount: bigint; owner: Bytes } | null = null;
  for (const send of ledger.sendsBeneath(at)) {
    if (send.from === null || send.to === null) continue;
    const { from, to, amount } = send;
    if (vaults.includes(to) && amount > (paid?.amount ?? 0n)) paid = { amount, owner: ledger.ownerOf(from) };
    if (vaults.includes(from) && amount > (got?.amount ?? 0n)) got = { amount, owner: ledger.ownerOf(to) };
  }
  // The side of a curve in coins has no transfer of its own: the account that gave tokens gets coins, and vice versa.
  const caller = paid?.owner ?? got?.owner ?? payer;
  const recipient = got?.owner ?? paid?.owner ?? payer;
  return { caller, recipient, trader: ledger.isSigner(caller) ? caller : payer };
};

/**
 * Tokens that an instruction about liquidity mints or burns are the pool's shares; a single unit is the NFT of a
 * position.
 */
const sharesOf = (ledger: TransactionLedger, at: number, { first, second }: TouchedPoolSides): PoolShares | null => {
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

const holdingsOf = (
  { trade, is_in_coins }: TouchedPool,
  { first, second, is_turned }: TouchedPoolSides,
): PoolHoldings => {
  const price = is_in_coins ? (trade?.priceOf(is_turned) ?? null) : null;
  return {
    reserve0: first.holds,
    reserve1: second.holds,
    sqrt_price_x96: price?.sqrt_price_x96 ?? 0n,
    liquidity: price?.liquidity ?? 0n,
  };
};
