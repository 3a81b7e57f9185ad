/** Watch rules of accounts. */
import { Secret } from "../../lib/log.ts";
import type { Recorder } from "../audit.ts";
import type { Database, Queries, Scope, SqlRow } from "../database.ts";
import { isoMs } from "../period.ts";
import { lockOf } from "../pools.ts";
import { refusal } from "../refusal.ts";
import type { RandomBytes } from "../secret.ts";
import { requeue } from "./queues.ts";
import type { Seal } from "./seal.ts";

export const WATCH_EVENTS = ["movement", "freeze", "approval", "risk"] as const;
export type WatchEvent = (typeof WATCH_EVENTS)[number];
export const DIRECTIONS = ["in", "out", "both"] as const;
/** `screening` is one transfer of a transaction (lib/transfer_subject.ts). */
export const SUBJECT_KINDS = ["address", "token", "screening"] as const;
export type RuleState = "active" | "paused" | "ended" | "removed";

/** Settings of a rule, without its state. */
export interface RuleDefinition {
  readonly network: string;
  readonly subject_kind: (typeof SUBJECT_KINDS)[number];
  /** Bytes as hex; of a screening as `transferSubject` writes it. */
  readonly subject: string;
  readonly events: readonly WatchEvent[];
  readonly direction: (typeof DIRECTIONS)[number];
  /** Millionths of a dollar; null = of any value. */
  readonly min_usd_micros: number | null;
  /** With a minimum value: match transfers without a price too. */
  readonly include_unpriced: boolean;
  /** Categories of the counterparty; empty = any. */
  readonly categories: readonly string[];
  readonly note: string | null;
  readonly url: string | null;
}

export interface WatchRule extends RuleDefinition {
  readonly id: string;
  readonly account_id: string;
  /** The key that made it. */
  readonly key_id: string;
  readonly state: RuleState;
  readonly ended_because: string | null;
  readonly created_at: string;
  readonly changed_at: string;
}

/** A rule with the secret of its url, which is shown only once; null without a url. */
export interface RuleWithSecret extends WatchRule {
  readonly secret: string | null;
}

export interface WatchRules {
  /** @throws AssayError RULE_LIMIT */
  create(by: { readonly account_id: string; readonly key_id: string }, wish: RuleDefinition): Promise<RuleWithSecret>;
  /** Without removed rules. */
  list(account_id: string | null): Promise<readonly WatchRule[]>;
  /** @throws AssayError UNKNOWN_RULE, also for a rule of another account */
  show(account_id: string, id: string): Promise<WatchRule>;
  /** Idempotent. @throws AssayError UNKNOWN_RULE, RULE_ENDED */
  setPaused(account_id: string, id: string, is_paused: boolean): Promise<WatchRule>;
  /** @throws AssayError UNKNOWN_RULE */
  remove(account_id: string, id: string): Promise<WatchRule>;
  /**
   * Issues a new secret for the rule's url; the old one signs beside it for `grace_s` seconds. An ended rule is active again.
   * @throws AssayError UNKNOWN_RULE, RULE_ENDED (a rule without a url)
   */
  rotate(account_id: string, id: string, grace_s: number): Promise<RuleWithSecret>;
}

export interface RulesSettings {
  readonly database: Database;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly random: RandomBytes;
  readonly seal: Seal;
  readonly rules_max: number;
  readonly record: Recorder;
}

export type WatchRuleRow = SqlRow & {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly network: string;
  readonly subject_kind: RuleDefinition["subject_kind"];
  readonly subject: string;
  readonly events: string;
  readonly direction: RuleDefinition["direction"];
  readonly min_usd_micros: number | null;
  readonly include_unpriced: number;
  readonly categories: string;
  readonly note: string | null;
  readonly url: string | null;
  readonly state: RuleState;
  readonly ended_because: string | null;
  readonly created_at: number;
  readonly changed_at: number;
};

export const RULE_COLUMNS = `id, account_id, key_id, network, subject_kind, subject, events, direction, min_usd_micros,
    include_unpriced, categories, note, url, state, ended_because, created_at, changed_at`;

interface ChangeOfRule {
  readonly account_id: string;
  readonly id: string;
  /** Name of the action in the audit trail. */
  readonly action: string;
  readonly proof?: Scope["proof"];
}

const CREATE_SQL = `insert into watch_rules (id, account_id, key_id, network, subject_kind, subject, events, direction,
    min_usd_micros, include_unpriced, categories, note, url, secret, previous_secret, previous_until, state, ended_because,
    created_at, changed_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, null, null, 'active', null, $15, $15)`;

const CHANGED_SQL = `insert into watch_changes (only_row, revision) values (1, 1)
  on conflict (only_row) do update set revision = watch_changes.revision + 1`;

const COUNT_SQL = "select count(*) as live from watch_rules where account_id = $1 and state in ('active', 'paused')";
const ONE_SQL = `select ${RULE_COLUMNS} from watch_rules where account_id = $1 and id = $2 and state <> 'removed'`;
const LIST_SQL = `select ${RULE_COLUMNS} from watch_rules where ($1 = '' or account_id = $1) and state <> 'removed'
  order by created_at, id`;
const STATE_SQL = `update watch_rules set state = $3, changed_at = $4 where account_id = $1 and id = $2
  returning ${RULE_COLUMNS}`;
const ROTATE_SQL = `update watch_rules set previous_secret = secret, previous_until = $4, secret = $3, changed_at = $5,
    state = case when state = 'ended' then 'active' else state end, ended_because = null
  where account_id = $1 and id = $2 returning ${RULE_COLUMNS}`;

const SECRET_BYTES = 32;

/** https://www.standardwebhooks.com: 24 to 64 random bytes, in base64 after `whsec_`. */
const makeSecret = (random: RandomBytes): Secret =>
  new Secret(`whsec_${Buffer.from(random(SECRET_BYTES)).toString("base64")}`);

export const ruleOf = (row: WatchRuleRow): WatchRule => ({
  ...row,
  // Words that `create` has written.
  events: row.events.split(" ") as WatchEvent[],
  categories: row.categories === "" ? [] : row.categories.split(" "),
  include_unpriced: row.include_unpriced === 1,
  created_at: isoMs(row.created_at),
  changed_at: isoMs(row.changed_at),
});

const unknownRule = (id: string) => refusal("UNKNOWN_RULE", `Watch rule '${id}' does not exist.`);

/** In the transaction that changes a rule: makes matching processes read the rules again. */
export const noteRuleChange = (within: Queries): Promise<number> => within.run(CHANGED_SQL);

const find = async (queries: Queries, account_id: string, id: string): Promise<WatchRule> => {
  const row = await queries.get<WatchRuleRow>(ONE_SQL, [account_id, id]);
  if (row === null) throw unknownRule(id);
  return ruleOf(row);
};

const changerOf =
  ({ database, record }: RulesSettings) =>
  async (
    { account_id, id, action, proof = null }: ChangeOfRule,
    make: (within: Queries, before: WatchRule) => Promise<WatchRuleRow | null>,
  ): Promise<WatchRule> =>
    database.transaction({ lock: lockOf(account_id), proof }, async (within) => {
      const before = await find(within, account_id, id);
      const row = await make(within, before);
      if (row === null) return before;
      await requeue(within, id);
      await noteRuleChange(within);
      const after = ruleOf(row);
      await record(within, { action, subject: id, before: { state: before.state }, after: auditState(after) });
      return after;
    });

const createRule = (
  settings: RulesSettings,
  { account_id, key_id }: Parameters<WatchRules["create"]>[0],
  wish: RuleDefinition,
): Promise<RuleWithSecret> => {
  const { database, seal, record } = settings;
  const id = settings.newId("rule");
  const at = settings.now();
  const secret = wish.url === null ? null : makeSecret(settings.random);
  const sealed = secret === null ? null : seal.seal(secret);
  const proof = { sql: "select id from watch_rules where id = $1", values: [id] };
  const row = [
    wish.network,
    wish.subject_kind,
    wish.subject,
    wish.events.join(" "),
    wish.direction,
    wish.min_usd_micros,
  ];
  const limits = [wish.include_unpriced ? 1 : 0, wish.categories.join(" "), wish.note, wish.url];
  return database.transaction({ lock: lockOf(account_id), proof }, async (within) => {
    await checkRuleLimit(within, account_id, settings.rules_max);
    await within.run(CREATE_SQL, [id, account_id, key_id, ...row, ...limits, sealed, at]);
    if (wish.events.includes("risk")) await requestLevel(within, wish, at);
    await noteRuleChange(within);
    const made = await find(within, account_id, id);
    await record(within, { action: "watch.create", subject: id, before: null, after: auditState(made) });
    return { ...made, secret: secret?.reveal() ?? null };
  });
};

export const openRules = (settings: RulesSettings): WatchRules => {
  const { database, now, seal, random } = settings;
  const change = changerOf(settings);
  return {
    create: (by, wish) => createRule(settings, by, wish),
    list: async (account_id) => (await database.all<WatchRuleRow>(LIST_SQL, [account_id ?? ""])).map(ruleOf),
    show: (account_id, id) => find(database, account_id, id),
    setPaused: (account_id, id, is_paused) =>
      change(
        { account_id, id, action: is_paused ? "watch.pause" : "watch.resume" },
        (within, { state, ended_because }) => {
          if (state === "ended") throw refusal("RULE_ENDED", `The rule has ended: ${ended_because}.`);
          const next = is_paused ? "paused" : "active";
          if (next === state) return Promise.resolve(null);
          return within.get<WatchRuleRow>(STATE_SQL, [account_id, id, next, now()]);
        },
      ),
    remove: (account_id, id) =>
      change({ account_id, id, action: "watch.remove" }, (within) =>
        within.get<WatchRuleRow>(STATE_SQL, [account_id, id, "removed", now()]),
      ),
    async rotate(account_id, id, grace_s) {
      const secret = makeSecret(random);
      const sealed = seal.seal(secret);
      const proof = { sql: "select id from watch_rules where id = $1 and secret = $2", values: [id, sealed] };
      const rule = await change({ account_id, id, action: "watch.rotate", proof }, (within, { url }) => {
        if (url === null) throw refusal("RULE_ENDED", "The rule has no url and therefore no secret.");
        return within.get<WatchRuleRow>(ROTATE_SQL, [account_id, id, sealed, now() + grace_s * 1000, now()]);
      });
      return { ...rule, secret: secret.reveal() };
    },
  };
};

/** A rule as the audit trail shows it. */
const auditState = ({ account_id, network, subject_kind, subject, events, url, state }: WatchRule) => ({
  ...{ account_id, network, subject_kind, subject, events: events.join(" "), url, state },
});

const checkRuleLimit = async (within: Queries, account_id: string, most: number): Promise<void> => {
  const row = await within.get<{ live: number }>(COUNT_SQL, [account_id]);
  if ((row?.live ?? 0) < most) return;
  throw refusal(
    "RULE_LIMIT",
    `The account has ${row?.live} watch rules; the operator allows ${most}. Remove one first.`,
  );
};

const DUE_SQL = `insert into watch_levels (network, subject_kind, subject, level, judged_at, due_at)
  values ($1, $2, $3, null, null, $4) on conflict (network, subject_kind, subject) do update set due_at = excluded.due_at`;

/** Schedules the first assessment, with which later ones are compared. */
export const requestLevel = async (
  within: Queries,
  { network, subject_kind, subject }: Pick<RuleDefinition, "network" | "subject_kind" | "subject">,
  at: number,
): Promise<void> => void (await within.run(DUE_SQL, [network, subject_kind, subject, at]));
