import { toAmount } from "./money.ts";

const DECIMALS = 9;
/** USD of one movement that sums still hold: an amount that no coin has is no reason for one that no number has. */
const USD_MAX = 1e30;

/** Whole nanodollars of an amount at a price per base unit, as a double that is an integer. */
export const nanoUsd = (amount: number, unit_usd: number): number =>
  Math.round(Math.min(amount * unit_usd, USD_MAX) * 1e9);

/** A sum of whole nanodollars: exact, so that their order does not matter. */
export class NanoSum {
  #low = 0;
  #high = 0n;

  /** `nano`: an integer, of any size and sign. */
  add(nano: number): void {
    const sum = this.#low + nano;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(nano)) {
      this.#low = sum;
      return;
    }
    this.#high += BigInt(nano);
  }

  addSum(other: NanoSum): void {
    // Hardly any sum has outgrown a number, and wallets have as many of them as counterparties.
    if (other.#high !== 0n) this.#high += other.#high;
    this.add(other.#low);
  }

  get nano(): bigint {
    const low = BigInt(this.#low);
    return this.#high === 0n ? low : this.#high + low;
  }

  /** Both together, exactly: a number as long as one holds it. Numbers and big integers compare with each other. */
  plus(other: NanoSum): number | bigint {
    const sum = this.#low + other.#low;
    if (this.#high === 0n && other.#high === 0n && Number.isSafeInteger(sum)) return sum;
    const whole = this.nano + other.nano;
    const near = Number(whole);
    return Number.isSafeInteger(near) ? near : whole;
  }

  /** Rounded once, to the nearest double. */
  get usd(): number {
    return toAmount(this.nano, DECIMALS);
  }
}
