import { FairShare } from "../../lib/fair_share.ts";

/** Answers of one process that consist of many calls: the first one of each account has a place of its own, all share those beyond. */
const PLACES = { shared: 64, per_account: 4, accounts: 4_096 };

/** Places for answers that consist of many calls (batches, exports). */
export class LongAnswers {
  readonly #places = new FairShare(PLACES);

  /** Runs `work` in a place of the account; "share" where it has none left. */
  async run<T extends object | null>(account_id: string, work: () => Promise<T>): Promise<T | "share"> {
    if (!this.#places.take(account_id)) return "share";
    try {
      return await work();
    } finally {
      this.#places.free(account_id);
    }
  }
}
