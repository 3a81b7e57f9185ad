import { toAmount } from "./money.ts";

const DECIMALS = 9;
/** Upper bound of one movement's USD value in sums, so that an absurd amount cannot overflow a sum. */
const USD_MAX = 1e30;

/** Whole nanodollars of a value, as a double that is an integer. */
export const nanoUsd = (usd: number): number => Math.round(Math.min(usd, USD_MAX) * 1e9);

/** An exact sum of whole nanodollars; the order of the addends does not matter. */
export class NanoSum {
  #low = 0;
  #high = 0n;

  /** `nano`: an integer of any size and sign. */
  add(nano: number): void {
    const sum = this.#low + nano;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(nano)) {
      this.#low = sum;
      return;
    }
    this.#high += BigInt(nano);
  }

  addSum(other: NanoSum): void {
    // Few sums exceed a number, and a wallet has one sum per counterparty.
    if (other.#high !== 0n) this.#high += other.#high;
    this.add(other.#low);
  }

  get nano(): bigint {
    const low = BigInt(this.#low);
    return this.#high === 0n ? low : this.#high + low;
  }

  /** The exact total: a number while it is a safe integer, else a bigint. Numbers and bigints compare with each other. */
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
