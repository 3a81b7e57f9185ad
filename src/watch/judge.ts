/** Reassesses subjects that moved, account by account in turn at a limited rate each, and emits events for changes. */
import type { NewEvent } from "../accounts/watch/follow.ts";
import type { DueLevel, WaitingLevel, WatchLevels } from "../accounts/watch/levels.ts";
import type { Chain } from "../chains/chain.ts";
import { eventLocation } from "../domain/watch/describe.ts";
import type { WatchedBlock } from "../domain/watch/read.ts";
import { messageOf } from "../lib/errors.ts";
import { FairShare, RateBudget } from "../lib/fair_share.ts";
import type { Log } from "../lib/log.ts";
import { bodyOf } from "./body.ts";

/** Assessment of a subject by a risk tool at a block. */
export interface Judgement {
  /** The level, such as `high`; for a token with its outcome, such as `critical honeypot`. */
  readonly level: string;
  /** Members of the event. */
  readonly says: Readonly<Record<string, unknown>>;
  readonly block: WatchedBlock;
  readonly final_block: number;
}

/** Null when the assessment is not possible now. */
export type Judge = (subject: Pick<DueLevel, "network" | "subject_kind" | "subject">) => Promise<Judgement | null>;

export interface LevelWatcherOptions {
  readonly levels: WatchLevels;
  /** Id of the facts store. */
  readonly facts_id: string;
  readonly chains: readonly Chain[];
  readonly judge: Judge;
  /** The lists and rules by which a screening is judged, as one text. */
  readonly readBasis: () => Promise<string>;
  /** Maximum assessments of one account. */
  readonly per_minute: number;
  readonly newId: (kind: string) => string;
  readonly now_ms: () => number;
  readonly log: Log;
}

/** Pause before retrying a failed assessment. */
const AGAIN_MS = 60_000;
const MINUTE_MS = 60_000;
/** Subjects of one account read at a time, and how long that list is used. */
const READ_OF_ACCOUNT = 8;
const READ_FOR_MS = 1_000;
const FORGET_EVERY_MS = 60_000;
/** Screenings are judged again when lists or rules change, and this long after the last time. */
const SCREEN_EVERY_MS = 86_400_000;
const BASIS_EVERY_MS = 10_000;
const FORGET_MAX = 100;
/** One assessment at a time: an account waits for at most one of each other account. */
const SLOTS = { shared: 0, per_account: 1, accounts: 1 };

export class LevelWatcher {
  readonly #parts: LevelWatcherOptions;
  readonly #turns = new FairShare(SLOTS);
  readonly #budget: RateBudget;
  #waiting: readonly WaitingLevel[] = [];
  #read_at = Number.NEGATIVE_INFINITY;
  #forgot_at = Number.NEGATIVE_INFINITY;
  #basis_at = Number.NEGATIVE_INFINITY;
  /** Null at first: rules may have changed while no process watched. */
  #basis: string | null = null;

  constructor(parts: LevelWatcherOptions) {
    this.#parts = parts;
    // A rate below one per minute becomes one per longer interval.
    const times = Math.max(1, Math.floor(parts.per_minute));
    this.#budget = new RateBudget({ times, window_ms: (times / parts.per_minute) * MINUTE_MS });
  }

  /** Assesses the longest-waiting subject of the next account. @returns whether there was one. */
  async next(): Promise<boolean> {
    const { levels, now_ms } = this.#parts;
    await this.#read();
    const ready = this.#waiting.filter(({ account_id }) => this.#budget.left(account_id, now_ms()) > 0);
    const [account_id] = this.#turns.inTurn(ready.map((one) => one.account_id));
    const first = ready.find((one) => one.account_id === account_id);
    if (account_id === undefined || first === undefined) return false;
    this.#waiting = this.#waiting.filter((one) => !isSame(one, first));
    this.#turns.take(account_id);
    try {
      const due = await levels.due(first);
      // Another account may have assessed the same subject in the meantime.
      if (due === null || due.rules.length === 0) return true;
      this.#budget.spend(account_id, now_ms());
      await judgeOne(due, this.#parts);
      return true;
    } finally {
      this.#turns.free(account_id);
    }
  }

  async #noteBasis(now: number): Promise<void> {
    if (now < this.#basis_at + BASIS_EVERY_MS) return;
    const { levels, chains, readBasis } = this.#parts;
    const basis = await readBasis();
    this.#basis_at = now;
    if (basis === this.#basis) return;
    await levels.screenAgain(chains.map(({ network }) => network.id));
    this.#basis = basis;
  }

  async #read(): Promise<void> {
    const { levels, chains, now_ms } = this.#parts;
    const now = now_ms();
    await this.#noteBasis(now);
    if (this.#waiting.length > 0 && now < this.#read_at + READ_FOR_MS) return;
    if (now >= this.#forgot_at + FORGET_EVERY_MS) {
      this.#forgot_at = now;
      await levels.forget(FORGET_MAX);
    }
    this.#read_at = now;
    this.#waiting = await levels.waiting(
      chains.map(({ network }) => network.id),
      READ_OF_ACCOUNT,
    );
  }
}

const isSame = (a: WaitingLevel, b: WaitingLevel): boolean =>
  a.network === b.network && a.subject_kind === b.subject_kind && a.subject === b.subject;

const judgeOne = async (due: DueLevel, parts: LevelWatcherOptions): Promise<void> => {
  const { levels, facts_id, chains, judge, newId, now_ms, log } = parts;
  const chain = chains.find(({ network }) => network.id === due.network);
  if (chain === undefined) return;
  const judgement = await judge(due).catch((error: unknown) => {
    log.warn({ network: due.network, error: messageOf(error) }, "could not assess a watched risk");
    return null;
  });
  if (judgement === null) return levels.defer(due, now_ms() + AGAIN_MS);
  const { level, block } = judgement;
  const mark = { number: block.block_number, hash: block.hash };
  const is_change = due.level !== null && due.level !== level;
  const events = is_change ? due.rules.map((rule) => eventOf(due, rule, { chain, judgement, newId, now_ms })) : [];
  const again_at = due.subject_kind === "screening" ? now_ms() + SCREEN_EVERY_MS : null;
  await levels.note(due, { facts: facts_id, block: mark, level, events, again_at });
};

interface LevelEventContext extends Pick<LevelWatcherOptions, "newId" | "now_ms"> {
  readonly chain: Chain;
  readonly judgement: Judgement;
}

const eventOf = (due: DueLevel, rule: DueLevel["rules"][number], making: LevelEventContext): NewEvent => {
  const { chain, judgement, newId, now_ms } = making;
  const { block, final_block, level, says } = judgement;
  const id = newId("event");
  const body = bodyOf({
    ...{ id, rule_id: rule.id, at_ms: now_ms() },
    says: {
      type: "risk",
      ...eventLocation(chain, due, { block, final_block }),
      risk: { before: due.level, now: level, ...says },
    },
  });
  const mark = { number: block.block_number, hash: block.hash };
  // A level may change twice at one block when a list is imported in between.
  const place = `${due.level}>${level}`;
  return { id, account_id: rule.account_id, rule_id: rule.id, block: mark, place, kind: "risk", body };
};
