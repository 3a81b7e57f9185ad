/** Why a call gets no slot: all slots are in use, or all that its account may use. */
export type SlotRefusal = "slots" | "share";

export interface CallSlotSettings {
  /** Calls of all accounts and surfaces that run at one time. */
  readonly slots: number;
  /** Part of them that one account may use, percent; one slot at least. */
  readonly share_percent: number;
  readonly onRefusal?: (why: SlotRefusal) => void;
}

/** Slots for calls. A call beyond them, or beyond its account's share, is refused at once: a queue would use up its deadline, and the caller can repeat it. */
export interface CallSlots {
  /** Runs `work` in a slot, which is free again when it ends or throws. @returns why, where there is no slot for the account. */
  run<T extends object | null>(account_id: string, work: () => Promise<T>): Promise<T | SlotRefusal>;
  /**
   * Changes the number of slots, at most to the first number. Running calls keep their slots. An account without any can still use one of
   * the first number: calls of others must not keep it out.
   */
  resize(slots: number): void;
  readonly slots: number;
  readonly used: number;
}

/** How many slots one account may use. */
export const shareOf = (slots: number, share_percent: number): number =>
  Math.max(1, Math.floor((slots * share_percent) / 100));

export const openCallSlots = ({ slots: first, share_percent, onRefusal }: CallSlotSettings): CallSlots => {
  /** Slots of each account that has any. */
  const taken = new Map<string, number>();
  let [slots, used] = [first, 0];
  const refusalOf = (account_id: string): SlotRefusal | null => {
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
        return refusal;
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
