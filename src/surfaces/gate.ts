import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";

/** Why a call did not get a slot: all are taken, or those that its account may have. */
export type GateRefusal = "slots" | "share";

export interface GateSettings {
  /** Calls of all accounts and surfaces that run at one time. */
  readonly slots: number;
  /** Part of them that one account may take, percent; one slot at least. */
  readonly share_percent: number;
  readonly onRefusal?: (why: GateRefusal) => void;
}

/**
 * Slots for calls. One more than there are, or than its account may take, is refused at once: who waited in a queue instead would
 * wait out of its own deadline, and a caller may ask again.
 */
export interface Gate {
  /** The slot is free again however `work` ends. */
  run<A extends Answer | null>(account_id: string, work: () => Promise<A>): Promise<A | Answer>;
  /**
   * From now on there are so many slots of the first. Who has one keeps it, and an account that has none gets one of the first: what
   * others took before must not keep it out.
   */
  resize(slots: number): void;
  readonly slots: number;
  readonly used: number;
}

/** How many slots one account may take. */
export const shareOf = (slots: number, share_percent: number): number =>
  Math.max(1, Math.floor((slots * share_percent) / 100));

export const openGate = ({ slots: first, share_percent, onRefusal }: GateSettings): Gate => {
  /** Slots of each account that has any. */
  const taken = new Map<string, number>();
  let [slots, used] = [first, 0];
  const refusalOf = (account_id: string): GateRefusal | null => {
    const own = taken.get(account_id) ?? 0;
    if (own >= shareOf(slots, share_percent)) return "share";
    return used >= (own === 0 ? first : slots) ? "slots" : null;
  };
  const change = (account_id: string, by: 1 | -1): void => {
    const now = (taken.get(account_id) ?? 0) + by;
    if (now === 0) taken.delete(account_id);
    else taken.set(account_id, now);
    used += by;
  };
  return {
    async run(account_id, work) {
      const refusal = refusalOf(account_id);
      if (refusal !== null) {
        onRefusal?.(refusal);
        return refusal === "share" ? answers.shareTaken : answers.overloaded;
      }
      change(account_id, 1);
      try {
        return await work();
      } finally {
        change(account_id, -1);
      }
    },
    resize(wanted) {
      slots = Math.min(wanted, first);
    },
    get slots() {
      return slots;
    },
    get used() {
      return used;
    },
  };
};
