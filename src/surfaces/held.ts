/** Part of all that may be held below which an account is never refused, whatever the others hold. */
const SMALL_PART = 64;

export interface HeldSettings {
  readonly bytes_max: number;
  /** Part of it that one account may hold, percent. */
  readonly share_percent: number;
}

/**
 * Memory that waits for clients: bodies that are arriving, and answers that nobody has taken yet. Only the client of each can end
 * that wait, so each account has its part, and one that holds little is never refused for what others hold.
 */
export interface Held {
  /** Whether the account may hold no more. */
  isFull(account_id: string): boolean;
  take(account_id: string, bytes: number): void;
  give(account_id: string, bytes: number): void;
  readonly bytes: number;
}

export const openHeld = ({ bytes_max, share_percent }: HeldSettings): Held => {
  const share = Math.floor((bytes_max * share_percent) / 100);
  const small = Math.min(share, Math.floor(bytes_max / SMALL_PART));
  const mine = new Map<string, number>();
  let all = 0;
  const change = (account_id: string, by: number): void => {
    const now = (mine.get(account_id) ?? 0) + by;
    if (now === 0) mine.delete(account_id);
    else mine.set(account_id, now);
    all += by;
  };
  return {
    isFull(account_id) {
      const own = mine.get(account_id) ?? 0;
      return own >= share || (all >= bytes_max && own >= small);
    },
    take: (account_id, bytes) => change(account_id, bytes),
    give: (account_id, bytes) => change(account_id, -bytes),
    get bytes() {
      return all;
    },
  };
};
