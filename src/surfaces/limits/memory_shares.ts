/** This part of the limit is never refused to an account, however much the others use. */
const SMALL_PART = 64;

export interface MemoryShareSettings {
  readonly bytes_max: number;
  /** Part of it that one account may use, percent. */
  readonly share_percent: number;
}

/**
 * Memory that waits for clients, by account: bodies that are arriving, and answers that clients have not read yet. Only the client can
 * end such a wait, so each account has a share, and an account that uses little is never refused for what others use.
 */
export interface MemoryShares {
  /** Whether the account may use no more. */
  isFull(account_id: string): boolean;
  take(account_id: string, bytes: number): void;
  release(account_id: string, bytes: number): void;
  readonly bytes: number;
}

export const openMemoryShares = ({ bytes_max, share_percent }: MemoryShareSettings): MemoryShares => {
  const share = Math.floor((bytes_max * share_percent) / 100);
  const small = Math.min(share, Math.floor(bytes_max / SMALL_PART));
  const used = new Map<string, number>();
  let total = 0;
  const change = (account_id: string, by: number): void => {
    const now = (used.get(account_id) ?? 0) + by;
    if (now === 0) used.delete(account_id);
    else used.set(account_id, now);
    total += by;
  };
  return {
    isFull(account_id) {
      const own = used.get(account_id) ?? 0;
      return own >= share || (total >= bytes_max && own >= small);
    },
    take: (account_id, bytes) => change(account_id, bytes),
    release: (account_id, bytes) => change(account_id, -bytes),
    get bytes() {
      return total;
    },
  };
};
