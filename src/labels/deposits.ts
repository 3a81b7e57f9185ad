import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Rule of deposit addresses (03, 3.4). */
const DEPOSIT_RULE = { share_percent_min: 90, transactions_min: 3, prompt_seconds: DAY_S } as const;

/** One thing that an account sent. Rows of an account stand together, oldest first. */
export interface Outflow {
  readonly address: Hex;
  readonly peer: Hex;
  readonly token: Hex;
  /** Base units. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly tx_hash: Hex;
  /** When the token had last come in, unix seconds; 0 = never. */
  readonly last_in: number;
}

/** An account that passes what it gets on to one hot wallet. */
export interface DepositAddress {
  readonly address: Hex;
  readonly hot_wallet: Hex;
  /** First second of the day at whose end the rule held for the first time, unix seconds. */
  readonly day: number;
  /** The last transaction that it needed. */
  readonly tx_hash: Hex;
}

const dayOf = (time: number): number => time - (time % DAY_S);

/** What one account has sent so far. */
class Sent {
  readonly transactions = new Set<Hex>();
  /** By token, base units. */
  readonly amounts = new Map<Hex, bigint>();

  add({ tx_hash, token, amount }: Outflow): void {
    this.transactions.add(tx_hash);
    this.amounts.set(token, (this.amounts.get(token) ?? 0n) + amount);
  }

  /** True when this is at least the wanted share of `all`, in transactions and in every token. */
  isMostOf(all: Sent): boolean {
    const share = BigInt(DEPOSIT_RULE.share_percent_min);
    const is_enough = (part: bigint, whole: bigint) => part * 100n >= whole * share;
    return (
      is_enough(BigInt(this.transactions.size), BigInt(all.transactions.size)) &&
      [...all.amounts].every(([token, amount]) => is_enough(this.amounts.get(token) ?? 0n, amount))
    );
  }
}

/** The hot wallet that the rule holds for; null when it holds for none. */
const holdsFor = (all: Sent, promptly: ReadonlyMap<Hex, Sent>): Hex | null => {
  for (const [wallet, sent] of [...promptly].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (sent.transactions.size >= DEPOSIT_RULE.transactions_min && sent.isMostOf(all)) return wallet;
  }
  return null;
};

const judge = (rows: readonly Outflow[], isHotWallet: (address: Hex) => boolean): DepositAddress | null => {
  const all = new Sent();
  const promptly = new Map<Hex, Sent>();
  for (const [at, row] of rows.entries()) {
    all.add(row);
    const is_prompt = row.last_in > 0 && row.time - row.last_in <= DEPOSIT_RULE.prompt_seconds;
    if (is_prompt && isHotWallet(row.peer)) {
      const sent = promptly.get(row.peer) ?? new Sent();
      sent.add(row);
      promptly.set(row.peer, sent);
    }
    const next = rows[at + 1];
    if (next !== undefined && dayOf(next.time) === dayOf(row.time)) continue;
    const hot_wallet = holdsFor(all, promptly);
    if (hot_wallet !== null) return { address: row.address, hot_wallet, day: dayOf(row.time), tx_hash: row.tx_hash };
  }
  return null;
};

/**
 * Accounts of which at least 90 % of what they sent (transactions, and base units of every token), in at least three
 * transactions, went to one hot wallet of an exchange within 24 hours of coming in. Judged at the end of each day, so that
 * the day does not depend on when it is asked. Hot wallets themselves are none.
 */
export const depositAddresses = (
  outflows: readonly Outflow[],
  isHotWallet: (address: Hex) => boolean,
): readonly DepositAddress[] => {
  const byAddress = new Map<Hex, Outflow[]>();
  for (const row of outflows) {
    const own = byAddress.get(row.address);
    if (own === undefined) byAddress.set(row.address, [row]);
    else own.push(row);
  }
  return [...byAddress].flatMap(([address, rows]) => {
    const found = isHotWallet(address) ? null : judge(rows, isHotWallet);
    return found === null ? [] : [found];
  });
};
