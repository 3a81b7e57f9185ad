import type { Hex } from "../lib/bytes.ts";
import type { QueryRow } from "../store/facts.ts";

interface Wallet {
  readonly address: Hex;
  /** Unix seconds from which on it is known to be hot; null = not before enough accounts have paid it. */
  readonly hot_since: number | null;
}
type FirstPayment = QueryRow<"indexer/first_payments">;

/**
 * Accounts that must have paid an exchange's wallet before it counts as a hot one, unless its label says that it is:
 * lists of exchanges contain deposit addresses too, which only one or a few customers pay.
 */
export const SENDERS_MIN = 10;

/** The hot wallets of exchanges and their dates, by the payments added so far, oldest days first. */
export class HotWallets {
  readonly #since = new Map<Hex, number>();
  /** First senders of the other wallets; fewer than `SENDERS_MIN`. */
  readonly #senders = new Map<Hex, Set<Hex>>();

  constructor(wallets: readonly Wallet[]) {
    for (const { address, hot_since } of wallets) {
      if (hot_since !== null) this.#since.set(address, hot_since);
      else this.#senders.set(address, new Set());
    }
  }

  /** Unix seconds from which on each is known to be hot. */
  get since(): ReadonlyMap<Hex, number> {
    return this.#since;
  }

  /** Wallets that are not known to be hot yet. */
  get open(): readonly Hex[] {
    return [...this.#senders.keys()];
  }

  /** Adds the payments of some days. Returns whether a wallet has turned out to be hot. */
  add(payments: readonly FirstPayment[]): boolean {
    let has_new = false;
    for (const { wallet, sender, time } of payments) {
      const senders = this.#senders.get(wallet);
      if (senders === undefined || senders.has(sender)) continue;
      senders.add(sender);
      if (senders.size < SENDERS_MIN) continue;
      this.#since.set(wallet, time);
      this.#senders.delete(wallet);
      has_new = true;
    }
    return has_new;
  }
}
