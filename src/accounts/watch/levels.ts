/** Last assessed risk of subjects that rules watch for changes. */
import type { Database, Queries } from "../database.ts";
import { freshOf, makeEvents } from "./event_rows.ts";
import { type BlockMark, type FollowedNetwork, type NewEvent, WATCH_SCOPE } from "./follow.ts";
import { RULE_COLUMNS, ruleOf, type WatchRule, type WatchRuleRow } from "./rules.ts";

export interface LevelSubject {
  readonly network: string;
  readonly subject_kind: WatchRule["subject_kind"];
  /** Hex. */
  readonly subject: string;
}

export interface DueLevel extends LevelSubject {
  /** Null before the first assessment. */
  readonly level: string | null;
  readonly due_at: number;
  /** The rules that watch for its changes; empty when no rule does any more. */
  readonly rules: readonly WatchRule[];
}

/** An assessment at a block, and its events. */
export interface NewLevel {
  /** The facts store that was queried. */
  readonly facts: FollowedNetwork["facts"];
  readonly block: BlockMark;
  readonly level: string;
  readonly events: readonly NewEvent[];
  /** When the subject is assessed again although it has not moved; null: never. */
  readonly again_at: number | null;
}

export interface WatchLevels {
  /** The longest-waiting subjects of each account on these networks, at most `limit` per account. A subject of several accounts is listed for each. */
  waiting(networks: readonly string[], limit: number): Promise<readonly WaitingLevel[]>;
  /** One of them in its current state; null when it is no longer due. */
  due(level: LevelSubject): Promise<DueLevel | null>;
  /** Records an assessment and its events, once: false when another one was recorded in the meantime, or its block was dropped. */
  note(due: DueLevel, level: NewLevel): Promise<boolean>;
  /** Deletes due levels that no rule watches, at most `limit` of them. @returns how many. */
  forget(limit: number): Promise<number>;
  /** Makes every screening of these networks due, because a list or a rule has changed. */
  screenAgain(networks: readonly string[]): Promise<void>;
  /** Postpones a subject that could not be assessed. */
  defer(due: LevelSubject, due_at: number): Promise<void>;
}

/** An assessment that an account waits for. */
export interface WaitingLevel extends LevelSubject {
  readonly account_id: string;
}

type LevelRow = Omit<DueLevel, "rules"> & { readonly [column: string]: string | number | null };

const ASKS = `r.state = 'active' and ' ' || r.events || ' ' like '% risk %'
    and not exists (select 1 from watch_accounts a where a.account_id = r.account_id and a.paused_at is not null)`;
const waitingSql = (networks: number): string => `select account_id, network, subject_kind, subject from (
    select r.account_id, l.network, l.subject_kind, l.subject, min(l.due_at) as since,
      row_number() over (partition by r.account_id order by min(l.due_at), l.network, l.subject) as place
    from watch_levels l join watch_rules r on r.network = l.network and r.subject_kind = l.subject_kind
      and r.subject = l.subject and ${ASKS}
    where l.due_at <= $1 and l.network in (${Array.from({ length: networks }, (_, index) => `$${index + 3}`).join(", ")})
    group by r.account_id, l.network, l.subject_kind, l.subject) ranked
  where place <= $2 order by since, account_id, place`;
const ONE_SQL = `select network, subject_kind, subject, level, due_at from watch_levels
  where network = $1 and subject_kind = $2 and subject = $3 and due_at <= $4`;
const RULES_SQL = `select ${RULE_COLUMNS} from watch_rules r where network = $1 and subject_kind = $2 and subject = $3
    and ${ASKS} order by id`;
// A subject that moved during its assessment has another due_at, and is due again.
const NOTE_SQL = `update watch_levels set level = $4, judged_at = cast($5 as bigint),
    due_at = case when due_at = $6 then cast($8 as bigint) else due_at end
  where network = $1 and subject_kind = $2 and subject = $3 and coalesce(level, '') = $7`;
const UNASKED_SQL = `select network, subject_kind, subject, due_at from watch_levels l where due_at <= $1
    and not exists (select 1 from watch_rules r where r.network = l.network and r.subject_kind = l.subject_kind
      and r.subject = l.subject and r.state = 'active' and ' ' || r.events || ' ' like '% risk %')
  order by due_at limit $2`;
const FORGET_SQL = "delete from watch_levels where network = $1 and subject_kind = $2 and subject = $3 and due_at = $4";
const DEFER_SQL = `update watch_levels set due_at = $4 where network = $1 and subject_kind = $2 and subject = $3
    and due_at is not null`;
const SCREEN_SQL = `update watch_levels set due_at = $1 where subject_kind = 'screening' and network = $2
    and (due_at is null or due_at > $1)`;
const MARK_SQL =
  "select block_hash from watch_blocks where facts = $1 and network = $2 and block_number = $3 and block_hash <> $4";

interface LevelSettings {
  readonly database: Database;
  readonly now: () => number;
}

export const openLevels = ({ database, now }: LevelSettings): WatchLevels => ({
  waiting: async (networks, limit) =>
    networks.length === 0
      ? []
      : database.all<WaitingLevel & { [column: string]: string }>(waitingSql(networks.length), [
          now(),
          limit,
          ...networks,
        ]),
  async due({ network, subject_kind, subject }) {
    const place = [network, subject_kind, subject];
    const row = await database.get<LevelRow>(ONE_SQL, [...place, now()]);
    if (row === null) return null;
    const rules = (await database.all<WatchRuleRow>(RULES_SQL, place)).map(ruleOf);
    return { network, subject_kind, subject, level: row.level, due_at: row.due_at, rules };
  },
  note: (due, level) => database.transaction(WATCH_SCOPE, (within) => noteLevel(within, { due, level, at: now() })),
  async forget(limit) {
    const rows = await database.all<LevelRow>(UNASKED_SQL, [now(), limit]);
    let forgotten = 0;
    for (const { network, subject_kind, subject, due_at } of rows)
      forgotten += await database.run(FORGET_SQL, [network, subject_kind, subject, due_at]);
    return forgotten;
  },
  async screenAgain(networks) {
    for (const network of networks) await database.run(SCREEN_SQL, [now(), network]);
  },
  defer: async ({ network, subject_kind, subject }, due_at) =>
    void (await database.run(DEFER_SQL, [network, subject_kind, subject, due_at])),
});

interface LevelUpdate {
  readonly due: DueLevel;
  readonly level: NewLevel;
  readonly at: number;
}

const ACTIVE_SQL = "select id from watch_rules where id = $1 and state = 'active'";

const noteLevel = async (within: Queries, { due, level: noted, at }: LevelUpdate): Promise<boolean> => {
  const { network, subject_kind, subject, due_at } = due;
  const { facts, block, level, events, again_at } = noted;
  // Another block was matched at its height. A block that is not matched yet is checked when it is (follow.ts).
  if ((await within.get(MARK_SQL, [facts, network, block.number, block.hash])) !== null) return false;
  const row = [network, subject_kind, subject, level, at, due_at, due.level ?? "", again_at];
  if ((await within.run(NOTE_SQL, row)) === 0) return false;
  for (const event of events) {
    if ((await within.get(ACTIVE_SQL, [event.rule_id])) === null) continue;
    // They are paid and shown under their accounts' own locks (payments.ts).
    await makeEvents(within, await freshOf(within, network, [event]), at);
  }
  return true;
};
