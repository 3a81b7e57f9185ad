/**
 * Fairness for background work that accounts cause: each account has its own queue, the queues take turns, and an account can use
 * its reserved slot and idle slots, never the slot of another account (docs/design/tenancy.md).
 */

export interface FairShareLimits {
  /** Slots beyond the first slot of each account; all accounts share them. */
  readonly shared: number;
  /** Maximum slots of one account. */
  readonly per_account: number;
  /** Accounts that can have a first slot at one time. */
  readonly accounts: number;
}

/** Accounts remembered for the order of turns; evicts the least recently served. */
const REMEMBERED_MAX = 10_000;

export class FairShare {
  readonly #limits: FairShareLimits;
  readonly #held = new Map<string, number>();
  /** Least recently served first. */
  readonly #served = new Map<string, number>();
  #turn = 0;
  #shared = 0;

  constructor(limits: FairShareLimits) {
    this.#limits = limits;
  }

  /** Accounts in turn order: fewest slots in use, then least recently served. */
  inTurn(accounts: Iterable<string>): readonly string[] {
    const known = [...new Set(accounts)].map((account) => ({
      account,
      held: this.held(account),
      served: this.#served.get(account) ?? 0,
    }));
    return known.sort((a, b) => a.held - b.held || a.served - b.served).map(({ account }) => account);
  }

  held(account: string): number {
    return this.#held.get(account) ?? 0;
  }

  /** Number of slots the account may take now. */
  room(account: string): number {
    const { shared, per_account, accounts } = this.#limits;
    const held = this.held(account);
    const first = held === 0 && this.#held.size < accounts ? 1 : 0;
    const beyond = held > 0 || first === 1 ? Math.max(0, shared - this.#shared) : 0;
    return Math.max(0, Math.min(per_account - held, first + beyond));
  }

  /** Returns false, and takes nothing, when the account has no free slot. */
  take(account: string): boolean {
    if (this.room(account) === 0) return false;
    const held = this.held(account);
    if (held > 0) this.#shared += 1;
    this.#held.set(account, held + 1);
    this.#noteServed(account);
    return true;
  }

  /** Releases a slot that `take` returned. */
  free(account: string): void {
    const held = this.held(account);
    if (held > 1) this.#shared -= 1;
    if (held > 1) this.#held.set(account, held - 1);
    else this.#held.delete(account);
  }

  #noteServed(account: string): void {
    this.#turn += 1;
    this.#served.delete(account);
    this.#served.set(account, this.#turn);
    const [oldest] = this.#served.keys();
    if (this.#served.size > REMEMBERED_MAX && oldest !== undefined) this.#served.delete(oldest);
  }
}

/** Limits how often each account may do something within a sliding window. */
export class RateBudget {
  readonly #limits: { readonly times: number; readonly window_ms: number };
  readonly #recent = new Map<string, number[]>();

  constructor(limits: { readonly times: number; readonly window_ms: number }) {
    this.#limits = limits;
  }

  /** Remaining uses of the account now. */
  left(account: string, now: number): number {
    return Math.max(0, this.#limits.times - this.#recentOf(account, now).length);
  }

  spend(account: string, now: number): void {
    const recent = this.#recentOf(account, now);
    recent.push(now);
    this.#recent.set(account, recent);
  }

  #recentOf(account: string, now: number): number[] {
    const recent = this.#recent.get(account) ?? [];
    while ((recent[0] ?? now) <= now - this.#limits.window_ms) recent.shift();
    if (recent.length === 0) this.#recent.delete(account);
    return recent;
  }
}

/** Takes one element of each queue in turn, each queue in its own order, up to `most`. */
export const interleave = <T>(queues: readonly (readonly T[])[], most: number): readonly T[] => {
  const taken: T[] = [];
  const longest = queues.reduce((length, queue) => Math.max(length, queue.length), 0);
  for (let place = 0; place < longest; place += 1) {
    for (const queue of queues) {
      if (taken.length >= most) return taken;
      const next = queue[place];
      if (next !== undefined) taken.push(next);
    }
  }
  return taken;
};
