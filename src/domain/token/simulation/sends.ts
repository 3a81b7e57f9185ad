import type { TokenTraits } from "../../../chains/token_accounts.ts";
import type { SimulatedTransfer } from "../../../chains/transfer_trials.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { largestByEvents } from "../holders/holders.ts";
import type { HolderReplay } from "./replay.ts";

/**
 * Simulation where balances are accounts: real holders send coins, without their keys, to the largest account of a
 * program, which is what a sale does to the token; and that account sends some to a holder, as a purchase does.
 */

/** Maximum number of holders to try. */
const SENDERS_MAX = 10;
/** Number of the largest holders to search for the pool's side. */
const LARGEST_MAX = 20;
/** Fewer failures show that some holders were stopped, not that all are. */
const HONEYPOT_SENDERS_MIN = 2;

export const SENDS_METHOD = "sim/solana@1";

/** Why nothing was simulated. */
export type NoSends = "no_overrides" | "no_holders" | "transfer_hook";

export interface SendSimulation extends HolderReplay {
  /** The receiver of the coins. */
  readonly payee: Hex;
  /** The account belongs to a program: it has no private key. */
  readonly is_programs: boolean;
  /** The loss of a purchase and of a sale to the token itself, in percent; null when unobserved. */
  readonly buy_tax_percent: number | null;
  readonly sell_tax_percent: number | null;
  /**
   * Every real holder that was tried is rejected; null when too few were tried, and while all transfers are paused,
   * which may end.
   */
  readonly is_honeypot: boolean | null;
}

const PERCENT = 100;

/** Two decimals. */
const taxOf = ({ sent, arrived }: SimulatedTransfer): number | null =>
  arrived === null ? null : Math.round((Number(sent - arrived) / Number(sent)) * PERCENT * 100) / 100;

const highest = (taxes: readonly (number | null)[]): number | null => {
  const known = taxes.flatMap((tax) => tax ?? []);
  return known.length === 0 ? null : Math.max(...known);
};

/** Result of the simulations. `purchase`: the payee sends to a holder; null: not tried. */
export const sendsOf = (
  { payee, is_programs, is_paused }: Pick<SendSimulation, "payee" | "is_programs"> & { readonly is_paused: boolean },
  sales: readonly SimulatedTransfer[],
  purchase: SimulatedTransfer | null,
): SendSimulation => {
  const failed = sales.filter(({ failure }) => failure !== null);
  const [first] = failed;
  const is_enough = sales.length >= HONEYPOT_SENDERS_MIN && !is_paused;
  return {
    ...{ payee, is_programs },
    holders_tested: sales.length,
    holders_failed: failed.length,
    fail_percent: sales.length === 0 ? null : (PERCENT * failed.length) / sales.length,
    first_failure: first === undefined ? null : { holder: first.from, reason: first.failure ?? "" },
    buy_tax_percent: !is_programs || purchase === null ? null : taxOf(purchase),
    sell_tax_percent: is_programs ? highest(sales.map(taxOf)) : null,
    is_honeypot: is_enough ? failed.length === sales.length : null,
  };
};

/** @param people holders that may have a key, spread over time */
export const simulateSends = async (
  scope: SnapshotContext,
  token: Hex,
  { people, traits, at }: { readonly people: readonly Hex[]; readonly traits: TokenTraits; readonly at: number },
): Promise<SendSimulation | NoSends> => {
  const { chain, signal } = scope;
  if (chain.simulateTransfers === undefined) return "no_overrides";
  // Every transfer would have to name accounts that only the program knows.
  if (traits.hook_program !== null) return "transfer_hook";
  const largest = (await largestByEvents(scope, token)).slice(0, LARGEST_MAX);
  const kept = largest.find(({ holder }) => holder !== "" && !chain.mayHaveKey(holder));
  const payee = (kept ?? largest.find(({ holder }) => holder !== ""))?.holder ?? null;
  const senders = people.filter((one) => one !== payee && chain.mayHaveKey(one)).slice(0, SENDERS_MAX);
  const [first] = senders;
  if (payee === null || first === undefined) return "no_holders";
  const trials = [...senders.map((from) => ({ from, to: payee })), { from: payee, to: first }];
  const ends = await chain.simulateTransfers({ token, trials }, signal, at);
  const sales = ends.slice(0, senders.length).flatMap((one) => one ?? []);
  if (sales.length === 0) return "no_holders";
  return sendsOf({ payee, is_programs: kept !== undefined, is_paused: traits.is_paused }, sales, ends.at(-1) ?? null);
};
