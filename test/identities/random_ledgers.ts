/** Books of a random chain, kept by its events and not by its rows. Pure. */
import { type Hex, hex } from "../../src/lib/bytes.ts";

/** Effect of an event on one wallet, beside the balance. */
export interface WalletEntry {
  readonly wallet: Hex;
  readonly side: "in" | "out";
  /** Nanodollars; null without a price. */
  readonly nano: bigint | null;
  readonly part?: "voided" | "wraps" | "rewards";
}

/** Sums of one wallet in nanodollars. */
export interface NanoSums {
  in: bigint;
  out: bigint;
  voided_in: bigint;
  voided_out: bigint;
  wraps_in: bigint;
  wraps_out: bigint;
  rewards_in: bigint;
}

/** Activity of one wallet. */
export interface WalletLedger {
  readonly sums: NanoSums;
  readonly sent: Set<string>;
  readonly seen: Set<string>;
  readonly days: Set<number>;
  times: number[];
  unpriced: number;
  spam: number;
  /** Base units of the coin paid as fees. */
  fees: bigint;
}

const emptyLedger = (): WalletLedger => ({
  sums: { in: 0n, out: 0n, voided_in: 0n, voided_out: 0n, wraps_in: 0n, wraps_out: 0n, rewards_in: 0n },
  ...{ sent: new Set(), seen: new Set(), days: new Set(), times: [], unpriced: 0, spam: 0, fees: 0n },
});

export class WalletLedgers {
  readonly openings: [holder: Hex, token: Hex, amount: bigint][] = [];
  readonly #balances = new Map<string, bigint>();
  readonly #wallets = new Map<Hex, WalletLedger>();

  balance(holder: Hex, token: Hex): bigint {
    return this.#balances.get(`${holder} ${token}`) ?? 0n;
  }

  /** Total of all balances. */
  supply(token: Hex): bigint {
    return [...this.#balances].reduce((sum, [key, amount]) => (key.split(" ")[1] === token ? sum + amount : sum), 0n);
  }

  open(holder: Hex, token: Hex, amount: bigint): void {
    if (amount === 0n) return;
    this.openings.push([holder, token, amount]);
    this.#add(holder, token, amount);
  }

  /** An empty side means minted, or burned. */
  move(from: Hex, to: Hex, token: Hex, amount: bigint): void {
    if (from !== "") this.#add(from, token, -amount);
    if (to !== "") this.#add(to, token, amount);
  }

  /** Address of a wallet's account for wrapped coins, which follows from its own, and the rent of an account. */
  accountOf(wallet: Hex): Hex {
    return hex([...wallet].toReversed().join(""));
  }

  of(wallet: Hex): WalletLedger {
    const book = this.#wallets.get(wallet) ?? emptyLedger();
    this.#wallets.set(wallet, book);
    return book;
  }

  enter({ wallet, side, nano, part }: WalletEntry): void {
    const book = this.of(wallet);
    if (nano === null) {
      book.unpriced += 1;
      return;
    }
    book.sums[side] += nano;
    if (part === "rewards") book.sums.rewards_in += nano;
    else if (part !== undefined) book.sums[`${part}_${side}`] += nano;
  }

  /** The wallet took part in something at a time. `transaction`: null without one. */
  see(wallet: Hex, time: number, transaction: string | null): void {
    const book = this.of(wallet);
    book.times.push(time);
    if (transaction === null) return;
    book.seen.add(transaction);
    book.days.add(Math.floor(time / 86_400));
  }

  #add(holder: Hex, token: Hex, amount: bigint): void {
    this.#balances.set(`${holder} ${token}`, this.balance(holder, token) + amount);
  }
}
