/**
 * Trades at exchanges whose pools are unknown: by the movements beneath an instruction of a listed exchange, or of any
 * program that Jupiter's router called and reported as a hop of its route.
 */
import { type Bytes, equalBytes, toHex } from "../../lib/bytes.ts";
import type { PoolAct } from "../pool_act.ts";
import { knownProgram, nameOfProgram } from "./known_programs.ts";
import type { OwnerNet, TransactionLedger } from "./ledger.ts";
import { poolProgram } from "./pool_programs.ts";
import { isTokenProgram, WRAPPED_SOL_MINT } from "./programs.ts";
import { type RouteLeg, routeLegsOf } from "./route_events.ts";

export interface PositionedAct {
  /** Position of the instruction. */
  readonly at: number;
  readonly act: PoolAct;
}

/** One token for another, from one side's view. */
interface TokenExchange {
  readonly owner: Bytes;
  readonly paid: Bytes;
  readonly amount_in: bigint;
  readonly got: Bytes;
  readonly amount_out: bigint;
}

/** `taken`: positions of instructions whose pools are known. */
export const tradesOf = (ledger: TransactionLedger, taken: ReadonlySet<number>): readonly PositionedAct[] => {
  const { instructions, accounts } = ledger.raw;
  const found = new Map<number, PositionedAct[]>();
  for (const [at, { program }] of instructions.entries()) {
    const id = accounts.hex(program);
    const known = knownProgram(id);
    if (known === null || taken.has(at)) continue;
    if (known.role === "router")
      for (const one of routeTrades(ledger, at, taken)) found.set(one.at, [...(found.get(one.at) ?? []), one]);
    if (known.role !== "exchange" || poolProgram(id) !== null || found.has(at)) continue;
    const trade = tradeBeneath(ledger, at);
    if (trade !== null) found.set(at, [{ at, act: actOf(ledger, accounts.bytes(program), trade) }]);
  }
  return [...found.values()].flat();
};

const routeTrades = (ledger: TransactionLedger, at: number, taken: ReadonlySet<number>): readonly PositionedAct[] => {
  const { instructions, accounts } = ledger.raw;
  const router = instructions[at]?.program ?? 0;
  const legs = routeLegsOf(
    ledger.childrenOf(at).flatMap((one) => instructions[one] ?? []),
    router,
  );
  const isVenue = (one: number): boolean => {
    const program = instructions[one]?.program ?? router;
    return program !== router && !isTokenProgram(accounts.hex(program));
  };
  const venues = ledger.childrenOf(at).filter(isVenue);
  const used = new Set<number>();
  return legs.flatMap((leg): readonly PositionedAct[] => {
    const venue = venues.find((one) => !used.has(one) && isSameTrade(exchangedIn(ledger, one, leg), leg)) ?? null;
    if (venue === null) return [{ at, act: actOf(ledger, leg.program ?? accounts.bytes(router), traded(ledger, leg)) }];
    used.add(venue);
    const program = accounts.bytes(instructions[venue]?.program ?? 0);
    const trade = exchangedIn(ledger, venue, leg);
    return taken.has(venue) || trade === null ? [] : [{ at: venue, act: actOf(ledger, program, trade) }];
  });
};

/** A refunded part of an input was not traded: then only the output equals the event's. */
const isSameTrade = (trade: TokenExchange | null, { amount_in, amount_out }: RouteLeg): boolean =>
  trade !== null && (trade.amount_in === amount_in || trade.amount_out === amount_out);

/** By the event alone: nothing beneath the route shows the owner of the tokens. */
const traded = ({ raw }: TransactionLedger, leg: RouteLeg): TokenExchange => ({ ...leg, owner: raw.accounts.bytes(0) });

/** The owner that gave the leg's one token beneath an instruction and got its other. */
const exchangedIn = (ledger: TransactionLedger, at: number, { paid, got }: RouteLeg): TokenExchange | null =>
  ledger
    .netsBeneath(at)
    .map(exchangedBy)
    .find((one) => one !== null && equalBytes(one.paid, paid) && equalBytes(one.got, got)) ?? null;

/** Null for an owner that did not give exactly one token for exactly one other; coins beside two tokens are a fee. */
const exchangedBy = ({ owner, changes, has_issue }: OwnerNet): TokenExchange | null => {
  const tokens = changes.filter(({ token }) => token.length > 0);
  const sides = tokens.length === 2 ? tokens : changes;
  const [lost, ...more_lost] = sides.filter(({ amount }) => amount < 0n);
  const [gained, ...more_gained] = sides.filter(({ amount }) => amount > 0n);
  if (has_issue || lost === undefined || gained === undefined || more_lost.length + more_gained.length > 0) return null;
  const [paid, got] = [mintOf(lost.token), mintOf(gained.token)];
  return equalBytes(paid, got) ? null : { owner, paid, amount_in: -lost.amount, got, amount_out: gained.amount };
};

const mintOf = (token: Bytes): Bytes => (token.length === 0 ? WRAPPED_SOL_MINT : token);

/** Of both sides the signer is the trader; else the side whose account paid first. */
const tradeBeneath = (ledger: TransactionLedger, at: number): TokenExchange | null => {
  const sides = ledger.netsBeneath(at).flatMap((net) => exchangedBy(net) ?? []);
  const [first] = ledger.sendsBeneath(at);
  const payer = first === undefined || first.from === null ? null : ledger.ownerOf(first.from);
  return (
    sides.find(({ owner }) => ledger.isSigner(owner)) ??
    sides.find(({ owner }) => payer !== null && equalBytes(owner, payer)) ??
    null
  );
};

const actOf = (
  ledger: TransactionLedger,
  program: Bytes,
  { owner, paid, amount_in, got, amount_out }: TokenExchange,
): PoolAct => {
  const is_first = Buffer.compare(paid, got) < 0;
  const parties = {
    caller: owner,
    recipient: owner,
    trader: ledger.isSigner(owner) ? owner : ledger.raw.accounts.bytes(0),
  };
  return {
    ...{ program, name: nameOfProgram(toHex(program)), pool: null },
    ...{ token0: is_first ? paid : got, token1: is_first ? got : paid },
    is_new: false,
    swap: {
      ...parties,
      ...(is_first ? { amount0: amount_in, amount1: -amount_out } : { amount0: -amount_out, amount1: amount_in }),
      ...{ given: amount_in, received: amount_out },
    },
    ...{ shares: null, state: null },
  };
};
