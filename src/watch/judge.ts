/** Judges again what has moved, account by account in turn, each at its own bounded rate, and tells of changes. */
import type { NewEvent } from "../accounts/watch/follow.ts";
import type { DueLevel, WaitingLevel, WatchLevels } from "../accounts/watch/levels.ts";
import type { Chain } from "../chains/chain.ts";
import { placeOf } from "../domain/watch/describe.ts";
import type { WatchedBlock } from "../domain/watch/read.ts";
import { messageOf } from "../lib/errors.ts";
import { FairShare, RateBudget } from "../lib/fair_share.ts";
import type { Log } from "../lib/log.ts";
import { bodyOf } from "./body.ts";

/** What a risk tool says of a subject at a block. */
export interface Judgement {
  /** In one word: `high`; of a token with what came of it, `critical honeypot`. */
  readonly level: string;
  /** Members of the event. */
  readonly says: Readonly<Record<string, unknown>>;
  readonly block: WatchedBlock;
  readonly final_block: number;
}

/** Null where it cannot be said now. */
export type Judge = (subject: Pick<DueLevel, "network" | "subject_kind" | "subject">) => Promise<Judgement | null>;

export interface JudgeParts {
  readonly levels: WatchLevels;
  /** Identity of the facts that are judged. */
  readonly facts_id: string;
  readonly chains: readonly Chain[];
  readonly judge: Judge;
  /** Judgements of one account. */
  readonly per_minute: number;
  readonly newId: (kind: string) => string;
  readonly now_ms: () => number;
  readonly log: Log;
}

/** When what could not be judged is tried again. */
const AGAIN_MS = 60_000;
const MINUTE_MS = 60_000;
/** How many of one account are read at one time, and for how long that is the list of what waits. */
const READ_OF_ACCOUNT = 8;
const READ_FOR_MS = 1_000;
const FORGET_EVERY_MS = 60_000;
const FORGET_MAX = 100;
/** One judgement at one time: an account waits for one of each other account at most. */
const PLACES = { shared: 0, per_account: 1, accounts: 1 };

export class Judging {
  readonly #parts: JudgeParts;
  readonly #turns = new FairShare(PLACES);
  readonly #budget: RateBudget;
  #waiting: readonly WaitingLevel[] = [];
  #read_at = Number.NEGATIVE_INFINITY;
  #forgot_at = Number.NEGATIVE_INFINITY;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    // A rate below one a minute is one in more than a minute.
    const times = Math.max(1, Math.floor(parts.per_minute));
    this.#budget = new RateBudget({ times, window_ms: (times / parts.per_minute) * MINUTE_MS });
  }

  /** Judges what waits longest of the account whose turn it is. @returns whether there was something to judge. */
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
      // Another account's turn may have come with the same subject.
      if (due === null || due.rules.length === 0) return true;
      this.#budget.spend(account_id, now_ms());
      await judgeOne(due, this.#parts);
      return true;
    } finally {
      this.#turns.free(account_id);
    }
  }

  async #read(): Promise<void> {
    const { levels, chains, now_ms } = this.#parts;
    const now = now_ms();
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

const judgeOne = async (due: DueLevel, parts: JudgeParts): Promise<void> => {
  const { levels, facts_id, chains, judge, newId, now_ms, log } = parts;
  const chain = chains.find(({ network }) => network.id === due.network);
  if (chain === undefined) return;
  const judgement = await judge(due).catch((error: unknown) => {
    log.warn({ network: due.network, error: messageOf(error) }, "a watched risk could not be judged");
    return null;
  });
  if (judgement === null) return levels.defer(due, now_ms() + AGAIN_MS);
  const { level, block } = judgement;
  const mark = { number: block.block_number, hash: block.hash };
  const is_change = due.level !== null && due.level !== level;
  const events = is_change ? due.rules.map((rule) => eventOf(due, rule, { chain, judgement, newId, now_ms })) : [];
  await levels.note(due, { facts: facts_id, block: mark, level, events });
};

interface Making extends Pick<JudgeParts, "newId" | "now_ms"> {
  readonly chain: Chain;
  readonly judgement: Judgement;
}

const eventOf = (due: DueLevel, rule: DueLevel["rules"][number], making: Making): NewEvent => {
  const { chain, judgement, newId, now_ms } = making;
  const { block, final_block, level, says } = judgement;
  const id = newId("event");
  const body = bodyOf({
    ...{ id, rule_id: rule.id, at_ms: now_ms() },
    says: {
      type: "risk",
      ...placeOf(chain, due, { block, final_block }),
      risk: { before: due.level, now: level, ...says },
    },
  });
  const mark = { number: block.block_number, hash: block.hash };
  // A level may change twice at one block: lists are imported between.
  const place = `${due.level}>${level}`;
  return { id, account_id: rule.account_id, rule_id: rule.id, block: mark, place, kind: "risk", body };
};
