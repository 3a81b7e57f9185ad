/**
 * Draws of generated chains, the same for the same seed: numbers, bytes, sizes, and names of which few are busy and
 * most are rare.
 */
import { createHash } from "node:crypto";
import { type Signer, signerOf } from "./sealed.ts";

const signers: Signer[] = [];
const keyed = (place: number): Signer => {
  signers[place] ??= signerOf(`account:${place}`);
  return signers[place];
};

export interface Crowd {
  readonly accounts: number;
  /** The busiest accounts sign: their keys are known. */
  readonly signers: number;
}

export class Draws {
  readonly #salt: string;
  readonly #crowd: Crowd;
  #state: number;
  #serial = 0;

  constructor(salt: string, seed: number, crowd: Crowd) {
    this.#salt = `${salt}:${seed}`;
    this.#crowd = crowd;
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  /** A linear congruential generator (Numerical Recipes), in [0, 1). */
  random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** Few are large: of Pareto's distribution with the exponent 1.25, not below `least`. */
  size(least: number): number {
    return least * (1 - this.random()) ** -0.8;
  }

  /** Hex digits. */
  bytes(count: number): string {
    let text = "";
    while (text.length < count * 2) {
      this.#serial += 1;
      text += createHash("sha512").update(`${this.#salt}:${this.#serial}`).digest("hex");
    }
    return text.slice(0, count * 2);
  }

  hash(): string {
    return `0x${this.bytes(32)}`;
  }

  /** A place among `count`, of which the first are drawn most. */
  place(count: number): number {
    return Math.floor(count * this.random() ** 3);
  }

  named(kind: string, count: number): string {
    const place = this.place(count);
    return kind === "account" && place < this.#crowd.signers ? keyed(place).address : addressOf(`${kind}:${place}`);
  }

  account(): string {
    return this.named("account", this.#crowd.accounts);
  }

  sender(): Signer {
    return keyed(this.place(this.#crowd.signers));
  }
}

export const addressOf = (name: string): string => `0x${createHash("sha1").update(name).digest("hex")}`;
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
