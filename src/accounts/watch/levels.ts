/** Risk of what is watched for changes of it, as it was last judged. */
import type { Database } from "../database.ts";
import { addEvent, type BlockMark, type Followed, type NewEvent, WATCH_SCOPE } from "./follow.ts";
import { RULE_COLUMNS, type RuleRow, ruleOf, type WatchRule } from "./rules.ts";

export interface Judged {
  readonly network: string;
  readonly subject_kind: WatchRule["subject_kind"];
  /** Hex. */
  readonly subject: string;
}

export interface DueLevel extends Judged {
  /** Null before the first judgement. */
  readonly level: string | null;
  readonly due_at: number;
  /** Who wants to hear of a change; none: nobody any more. */
  readonly rules: readonly WatchRule[];
}

/** What was judged at a block, and what it made. */
export interface NewLevel {
  /** Of the facts that were asked. */
  readonly facts: Followed["facts"];
  readonly block: BlockMark;
  readonly level: string;
  readonly events: readonly NewEvent[];
}

export interface WatchLevels {
  /** The one on these networks that waits longest; null when none is due. */
  next(networks: readonly string[]): Promise<DueLevel | null>;
  /** Notes a judgement and what it made, once: false when another one was noted meanwhile, or its block was dropped. */
  note(due: DueLevel, level: NewLevel): Promise<boolean>;
  /** Nobody wants to hear of it. False when it moved meanwhile. */
  forget(due: DueLevel): Promise<boolean>;
  /** It could not be judged now. */
  defer(due: Judged, due_at: number): Promise<void>;
}

type LevelRow = Omit<DueLevel, "rules">;

const nextSql = (networks: number): string => `select network, subject_kind, subject, level, due_at from watch_levels
  where due_at <= $1 and network in (${Array.from({ length: networks }, (_, index) => `$${index + 2}`).join(", ")})
  order by due_at, network, subject limit 1`;
const RULES_SQL = `select ${RULE_COLUMNS} from watch_rules where network = $1 and subject_kind = $2 and subject = $3
    and state = 'active' and ' ' || events || ' ' like '% risk %' order by id`;
// What moved while it was judged is due again: then due_at is another one.
const NOTE_SQL = `update watch_levels set level = $4, judged_at = cast($5 as bigint),
    due_at = case when due_at = $6 then null else due_at end
  where network = $1 and subject_kind = $2 and subject = $3 and coalesce(level, '') = $7`;
const FORGET_SQL = "delete from watch_levels where network = $1 and subject_kind = $2 and subject = $3 and due_at = $4";
const DEFER_SQL = `update watch_levels set due_at = $4 where network = $1 and subject_kind = $2 and subject = $3
    and due_at is not null`;
const MARK_SQL =
  "select block_hash from watch_blocks where facts = $1 and network = $2 and block_number = $3 and block_hash <> $4";

interface LevelSettings {
  readonly database: Database;
  readonly now: () => number;
}

export const openLevels = ({ database, now }: LevelSettings): WatchLevels => ({
  async next(networks) {
    if (networks.length === 0) return null;
    const row = await database.get<LevelRow & { [column: string]: string | number | null }>(nextSql(networks.length), [
      now(),
      ...networks,
    ]);
    if (row === null) return null;
    const { network, subject_kind, subject, level, due_at } = row;
    const rules = (await database.all<RuleRow>(RULES_SQL, [network, subject_kind, subject])).map(ruleOf);
    return { network, subject_kind, subject, level, due_at, rules };
  },
  note: (due, { facts, block, level, events }) =>
    database.transaction(WATCH_SCOPE, async (within) => {
      const { network, subject_kind, subject, due_at } = due;
      // Another block was compared at its place. One that is not compared yet is looked at when it is (follow.ts).
      if ((await within.get(MARK_SQL, [facts, network, block.number, block.hash])) !== null) return false;
      const at = now();
      const noted = [network, subject_kind, subject, level, at, due_at, due.level ?? ""];
      if ((await within.run(NOTE_SQL, noted)) === 0) return false;
      for (const event of events) await addEvent(within, { of: { facts, network }, event, at });
      return true;
    }),
  forget: async ({ network, subject_kind, subject, due_at }) =>
    (await database.run(FORGET_SQL, [network, subject_kind, subject, due_at])) === 1,
  defer: async ({ network, subject_kind, subject }, due_at) =>
    void (await database.run(DEFER_SQL, [network, subject_kind, subject, due_at])),
});
