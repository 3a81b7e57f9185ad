/** How far each network was matched, and what its blocks made of the rules: written together, so that neither is there without the other. */
import { AssayError } from "../../lib/errors.ts";
import type { Database, Queries, Scope } from "../database.ts";
import { askForLevel, RULE_COLUMNS, type RuleRow, ruleOf, type WatchRule } from "./rules.ts";

/** Which facts store's network. */
export interface Followed {
  readonly facts: string;
  readonly network: string;
}

export interface BlockMark {
  readonly number: number;
  /** Hex. */
  readonly hash: string;
}

/** Inclusive. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/** What was matched already. */
export interface FollowState {
  /** Ascending; the last one is how far matching came. None: nothing was matched yet. */
  readonly blocks: readonly BlockMark[];
  readonly holes: readonly BlockRange[];
}

export interface NewEvent {
  readonly id: string;
  readonly account_id: string;
  readonly rule_id: string;
  readonly block: BlockMark;
  /** What tells it from other events of the rule in this block. */
  readonly place: string;
  readonly kind: string;
  /** JSON as it is sent. */
  readonly body: string;
}

/** What was made of some blocks. */
export interface Pass {
  /** Blocks that are no longer there. */
  readonly dropped: readonly BlockMark[];
  /** Blocks that were matched. */
  readonly blocks: readonly BlockMark[];
  /** Blocks up to this one cannot be dropped any more. */
  readonly settled_to: number;
  /** The hole that this pass has found, or of which it matched the upper part: what is left of it. */
  readonly hole: { readonly was: BlockRange | null; readonly left: BlockRange | null } | null;
  readonly events: readonly NewEvent[];
  /** What moved and is to be judged again. */
  readonly due: readonly Pick<WatchRule, "network" | "subject_kind" | "subject">[];
  /** The body of what takes an event back. */
  readonly retraction: (event: { readonly id: string; readonly body: string }) => { id: string; body: string };
}

export interface WatchFollow {
  /** Grows with every change of a rule. */
  revision(): Promise<number>;
  /** The rules of a network that are active. */
  rules(network: string): Promise<readonly WatchRule[]>;
  state(of: Followed): Promise<FollowState>;
  /**
   * Writes a pass, whole or not at all; done twice it changes nothing more.
   * @throws AssayError LEASE_LOST when a newer holder has matched this network
   */
  commit(of: Followed & { readonly epoch: number }, pass: Pass): Promise<void>;
}

/** Events are numbered one after another: everything that numbers or makes some runs alone. */
export const WATCH_SCOPE: Scope = { lock: "watch", proof: null };

const EPOCH_SQL = `insert into watch_followers (facts, network, epoch) values ($1, $2, $3)
  on conflict (facts, network) do update set epoch = excluded.epoch where watch_followers.epoch <= excluded.epoch`;

const RULES_SQL = `select ${RULE_COLUMNS} from watch_rules where network = $1 and state = 'active' order by id`;
const BLOCKS_SQL = `select block_number as number, block_hash as hash from watch_blocks where facts = $1 and network = $2
  order by block_number`;
const HOLES_SQL = `select from_block as "from", to_block as "to" from watch_holes where facts = $1 and network = $2
  order by from_block desc`;

// A rule that was paused or removed meanwhile makes nothing; one event that was taken back may come again.
const EVENT_SQL = `insert into watch_events (id, account_id, rule_id, network, block_number, block_hash, place, kind, round,
    retracts, is_retracted, state, seq, body, created_at)
  select $1, $2, $3, $4, cast($5 as bigint), $6, $7, $8, (select count(*) from watch_events e where e.rule_id = $3 and
      e.network = $4 and e.block_hash = $6 and e.place = $7 and e.kind = $8 and e.is_retracted = 1),
    null, 0, 'made', null, $9, cast($10 as bigint)
  where exists (select 1 from watch_rules where id = $3 and state = 'active')
  on conflict do nothing`;

const LIVE_SQL = `select id, account_id, rule_id, state, body from watch_events
  where network = $1 and block_number = $2 and block_hash = $3 and is_retracted = 0 and retracts is null order by created_at, id`;
const TAKE_BACK_SQL = `update watch_events set is_retracted = 1, state = case when state = 'made' then 'dropping'
    when state = 'unpaid' then 'dropped' else state end
  where id = $1`;
const RETRACT_SQL = `insert into watch_events (id, account_id, rule_id, network, block_number, block_hash, place, kind, round,
    retracts, is_retracted, state, seq, body, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'retracted', 0, $7, 0, 'made', null, $8, $9) on conflict do nothing`;

// What was judged in a dropped block, or because of it, may be another level now.
const JUDGE_AGAIN_SQL = `update watch_levels set due_at = cast($4 as bigint) where network = $1 and exists (select 1
  from watch_events e join watch_rules r on r.id = e.rule_id where e.network = $1 and e.block_number = $2
    and e.block_hash = $3 and e.retracts is null and r.subject_kind = watch_levels.subject_kind
    and r.subject = watch_levels.subject)`;

// Risks are judged beside the comparing: at blocks, too, that are dropped before they were compared.
const STRAY_SQL = `select distinct block_number as number, block_hash as hash from watch_events
  where network = $1 and block_number >= $2 and block_number <= $3 and kind = 'risk' and is_retracted = 0`;

const UNMARK_SQL =
  "delete from watch_blocks where facts = $1 and network = $2 and block_number = $3 and block_hash = $4";
const MARK_SQL = `insert into watch_blocks (facts, network, block_number, block_hash) values ($1, $2, $3, $4)
  on conflict (facts, network, block_number) do update set block_hash = excluded.block_hash`;
// The newest settled one stays: matching goes on behind it.
const SETTLE_SQL = `delete from watch_blocks where facts = $1 and network = $2 and block_number <
    (select max(block_number) from watch_blocks where facts = $1 and network = $2 and block_number <= $3)`;
const FILLED_SQL = "delete from watch_holes where facts = $1 and network = $2 and from_block = $3";
const HOLE_SQL = `insert into watch_holes (facts, network, from_block, to_block) values ($1, $2, $3, $4)
  on conflict (facts, network, from_block) do update set to_block = excluded.to_block`;

interface FollowSettings {
  readonly database: Database;
  readonly now: () => number;
}

export const openFollow = ({ database, now }: FollowSettings): WatchFollow => ({
  revision: async () => (await database.get<{ revision: number }>("select revision from watch_changes"))?.revision ?? 0,
  rules: async (network) => (await database.all<RuleRow>(RULES_SQL, [network])).map(ruleOf),
  async state({ facts, network }) {
    const [blocks, holes] = await Promise.all([
      database.all<{ number: number; hash: string }>(BLOCKS_SQL, [facts, network]),
      database.all<{ from: number; to: number }>(HOLES_SQL, [facts, network]),
    ]);
    return { blocks, holes };
  },
  commit: (of, pass) =>
    database.transaction(WATCH_SCOPE, async (within) => {
      if ((await within.run(EPOCH_SQL, [of.facts, of.network, of.epoch])) === 0) throw lost(of.network);
      const at = now();
      for (const block of [...pass.dropped, ...(await straysOf(within, of, pass))])
        await takeBack(within, { of, block, at, retraction: pass.retraction });
      for (const event of pass.events) await addEvent(within, { of, event, at });
      for (const one of pass.due) await askForLevel(within, one, at);
      await mark(within, of, pass);
    }),
});

const lost = (network: string): AssayError =>
  new AssayError({ code: "LEASE_LOST", message: `${network}: another process matches it`, retryable: true });

/** Once: what was made of this place of the block already, and not taken back since, stays as it is. */
export const addEvent = async (
  within: Queries,
  { of, event, at }: { readonly of: Followed; readonly event: NewEvent; readonly at: number },
): Promise<void> => {
  const { id, account_id, rule_id, block, place, kind, body } = event;
  const row = [id, account_id, rule_id, of.network, block.number, block.hash, place, kind, body, at];
  await within.run(EVENT_SQL, row);
};

interface TakenBack extends Pick<Pass, "retraction"> {
  readonly of: Followed;
  readonly block: BlockMark;
  readonly at: number;
}

type LiveRow = {
  readonly id: string;
  readonly account_id: string;
  readonly rule_id: string;
  readonly state: string;
  readonly body: string;
};

/** What was shown is taken back by an event of its own; of what nobody saw nothing is told. */
const takeBack = async (within: Queries, { of, block, at, retraction }: TakenBack): Promise<void> => {
  const place = [of.network, block.number, block.hash];
  await within.run(JUDGE_AGAIN_SQL, [...place, at]);
  for (const row of await within.all<LiveRow>(LIVE_SQL, place)) {
    await within.run(TAKE_BACK_SQL, [row.id]);
    if (row.state !== "shown") continue;
    const { id, body } = retraction(row);
    await within.run(RETRACT_SQL, [id, row.account_id, row.rule_id, ...place, row.id, body, at]);
  }
  await within.run(UNMARK_SQL, [of.facts, ...place]);
};

/** Blocks at which something was judged, and in whose place others were compared. */
const straysOf = async (within: Queries, { network }: Followed, { blocks }: Pass): Promise<readonly BlockMark[]> => {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return [];
  const known = new Map(blocks.map(({ number, hash }) => [number, hash]));
  const judged = await within.all<{ number: number; hash: string }>(STRAY_SQL, [network, first.number, last.number]);
  return judged.filter(({ number, hash }) => known.has(number) && known.get(number) !== hash);
};

const mark = async (within: Queries, { facts, network }: Followed, pass: Pass): Promise<void> => {
  const { hole, settled_to } = pass;
  // Blocks of a hole lie below what is marked already.
  if (hole === null || hole.was === null)
    for (const { number, hash } of pass.blocks) await within.run(MARK_SQL, [facts, network, number, hash]);
  await within.run(SETTLE_SQL, [facts, network, settled_to]);
  if (hole === null) return;
  if (hole.was !== null) await within.run(FILLED_SQL, [facts, network, hole.was.from]);
  if (hole.left !== null) await within.run(HOLE_SQL, [facts, network, hole.left.from, hole.left.to]);
};
