/** Judges again what has moved, at a bounded rate, and tells of changes. */
import type { NewEvent } from "../accounts/watch/follow.ts";
import type { DueLevel, WatchLevels } from "../accounts/watch/levels.ts";
import type { Chain } from "../chains/chain.ts";
import { placeOf } from "../domain/watch/describe.ts";
import type { WatchedBlock } from "../domain/watch/read.ts";
import { messageOf } from "../lib/errors.ts";
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
  readonly newId: (kind: string) => string;
  readonly now_ms: () => number;
  readonly log: Log;
}

/** When what could not be judged is tried again. */
const AGAIN_MS = 60_000;

/** Judges the one that waits longest. @returns whether one was due. */
export const judgeNext = async ({
  levels,
  facts_id,
  chains,
  judge,
  newId,
  now_ms,
  log,
}: JudgeParts): Promise<boolean> => {
  const due = await levels.next(chains.map(({ network }) => network.id));
  const chain = chains.find(({ network }) => network.id === due?.network);
  if (due === null || chain === undefined) return false;
  if (due.rules.length === 0) return levels.forget(due);
  const judgement = await judge(due).catch((error: unknown) => {
    log.warn({ network: due.network, error: messageOf(error) }, "a watched risk could not be judged");
    return null;
  });
  if (judgement === null) {
    await levels.defer(due, now_ms() + AGAIN_MS);
    return true;
  }
  const { level, block } = judgement;
  const mark = { number: block.block_number, hash: block.hash };
  const is_change = due.level !== null && due.level !== level;
  const events = is_change ? due.rules.map((rule) => eventOf(due, rule, { chain, judgement, newId, now_ms })) : [];
  await levels.note(due, { facts: facts_id, block: mark, level, events });
  return true;
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
