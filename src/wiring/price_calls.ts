/** Calls that need prices of networks that are read on demand: the wait until the network's indexer has read them. */
import { pause } from "../lib/pause.ts";
import type { DemandedPrice, PriceQuestion } from "../store/facts.ts";
import type { FactsStore } from "../store/open.ts";
import { questionKey, readDemandedPrices, writePriceWishes } from "../store/subjects/price_records.ts";

const LOOK_MS = 100;
/** Prices that a node did not tell are wished again after this time. */
const FAILED_AGAIN_MS = 60_000;

interface PricesAsked {
  readonly network: string;
  readonly asked: readonly PriceQuestion[];
  readonly account: string;
  /** Monotonic milliseconds; null: the answers so far suffice. */
  readonly until_ms: number | null;
  readonly signal: AbortSignal;
}

interface PriceCallsOptions {
  readonly facts: Pick<FactsStore, "engine" | "writer">;
  /** @throws AssayError SUBJECT_LIMIT */
  readonly mayAsk: (account: string) => Promise<void>;
  /** The refusal of a call that cannot wait longer. */
  readonly refusal: (network: string, so_far: string) => Error;
}

/** Answers to all questions, wished where there are none; with a limit of time, all of them. @throws AssayError READING, SUBJECT_LIMIT */
export const whenPriced = async (
  { facts, mayAsk, refusal }: PriceCallsOptions,
  { network, asked, account, until_ms, signal }: PricesAsked,
): Promise<readonly DemandedPrice[]> => {
  for (let is_first = true; ; is_first = false) {
    const answers = await readDemandedPrices(facts.engine, network, asked);
    const known = new Set(answers.map(questionKey));
    const missing = asked.filter((question) => !known.has(questionKey(question)));
    const failed = answers.filter(
      ({ state, written_ms }) => state === "failed" && Date.now() - written_ms > FAILED_AGAIN_MS,
    );
    const wished = is_first ? [...missing, ...failed] : [];
    if (wished.length > 0) {
      await mayAsk(account);
      const wishes = wished.map(({ token, hour, at_block }) => ({ token, hour, at_block, asked_by: account }));
      await writePriceWishes(facts.writer, network, wishes);
    }
    if (missing.length === 0 || until_ms === null) return answers;
    if (signal.aborted || performance.now() >= until_ms)
      throw refusal(network, `${answers.length} of ${asked.length} prices read`);
    await pause(LOOK_MS, signal);
  }
};
