/** Risk of what is watched for changes of it, as it was last judged. */
import type { Database } from "../database.ts";
import { type NewEvent, WATCH_SCOPE } from "./follow.ts";
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

export interface WatchLevels {
  /** The one on these networks that waits longest; null when none is due. */
  next(networks: readonly string[]): Promise<DueLevel | null>;
  /** Notes a judgement and what it made, once: false when another one was noted meanwhile. `level` null: nobody wants it. */
  note(due: DueLevel, level: string | null, events: readonly NewEvent[]): Promise<boolean>;
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
const EVENT_SQL = `insert into watch_events (id, account_id, rule_id, network, block_number, block_hash, place, kind, round,
    retracts, is_retracted, state, seq, body, ordinal, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 0, null, 0, 'made', null, $9, 0, $10) on conflict do nothing`;

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
  note: (due, level, events) =>
    database.transaction(WATCH_SCOPE, async (within) => {
      const { network, subject_kind, subject, due_at } = due;
      const named = [network, subject_kind, subject];
      if (level === null) return (await within.run(FORGET_SQL, [...named, due_at])) === 1;
      const at = now();
      const changed = await within.run(NOTE_SQL, [...named, level, at, due_at, due.level ?? ""]);
      if (changed === 0) return false;
      for (const { id, account_id, rule_id, block, place, kind, body } of events)
        await within.run(EVENT_SQL, [
          id,
          account_id,
          rule_id,
          network,
          block.number,
          block.hash,
          place,
          kind,
          body,
          at,
        ]);
      return true;
    }),
  defer: async ({ network, subject_kind, subject }, due_at) =>
    void (await database.run(DEFER_SQL, [network, subject_kind, subject, due_at])),
});
