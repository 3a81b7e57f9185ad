/** Progress of matching per network, and the events that its blocks produce. */
import { AssayError } from "../../lib/errors.ts";
import type { Database, Queries, Scope } from "../database.ts";
import { lockOf } from "../pools.ts";
import { retractBlocks, staleBlocks } from "./retraction.ts";
import { RULE_COLUMNS, requestLevel, ruleOf, type WatchRule, type WatchRuleRow } from "./rules.ts";
import { type WriteSettings, writeEvents } from "./write.ts";

/** A facts store's network. */
export interface FollowedNetwork {
  readonly facts: string;
  readonly network: string;
}

export interface BlockMark {
  readonly number: number;
  /** Hex. */
  readonly hash: string;
}

/** Inclusive. */
export interface FollowedRange {
  readonly from: number;
  readonly to: number;
}

/** Progress of matching. */
export interface FollowState {
  /** Ascending; the last one is the newest matched block. Empty: no block was matched yet. */
  readonly blocks: readonly BlockMark[];
  readonly holes: readonly FollowedRange[];
}

export interface NewEvent {
  readonly id: string;
  readonly account_id: string;
  readonly rule_id: string;
  readonly block: BlockMark;
  /** Distinguishes it from other events of the rule in this block. */
  readonly place: string;
  readonly kind: string;
  /** JSON as sent. */
  readonly body: string;
}

/** Result of matching some blocks. */
export interface Pass {
  /** Blocks that were dropped. */
  readonly dropped: readonly BlockMark[];
  /** Matched blocks. */
  readonly blocks: readonly BlockMark[];
  /** Blocks up to this one are final. */
  readonly settled_to: number;
  /** The rest of the gap that this pass found, or whose upper part it matched. */
  readonly hole: { readonly was: FollowedRange | null; readonly left: FollowedRange | null } | null;
  readonly events: readonly NewEvent[];
  /** Subjects that moved and are to be assessed again. */
  readonly due: readonly Pick<WatchRule, "network" | "subject_kind" | "subject">[];
  /** Makes the body of an event that revokes another. */
  readonly retraction: (event: { readonly id: string; readonly body: string }) => { id: string; body: string };
}

type FollowedRule = WatchRule & { readonly subject_kind: Exclude<WatchRule["subject_kind"], "screening"> };

const isFollowed = (rule: WatchRule): rule is FollowedRule => rule.subject_kind !== "screening";

export interface WatchFollow {
  /** Grows with every change of a rule. */
  revision(): Promise<number>;
  /** The active rules of a network that blocks are compared with: all but those of screenings. */
  rules(network: string): Promise<readonly FollowedRule[]>;
  state(of: FollowedNetwork): Promise<FollowState>;
  /**
   * Writes a pass: the events of each account atomically, and the progress last. Idempotent.
   * @throws AssayError LEASE_LOST when a newer holder has matched this network
   */
  commit(of: FollowedNetwork & { readonly epoch: number }, pass: Pass): Promise<void>;
}

/** Lock for the marks of blocks and the levels of risk. Rows of an account are written under the account's own lock. */
export const WATCH_SCOPE: Scope = { lock: "watch", proof: null };

const EPOCH_SQL = `insert into watch_followers (facts, network, epoch) values ($1, $2, $3)
  on conflict (facts, network) do update set epoch = excluded.epoch where watch_followers.epoch <= excluded.epoch`;
// The row stays locked to the end of the transaction: a newer holder waits for it, and then sees its writes.
const HOLD_SQL = "update watch_followers set epoch = epoch where facts = $1 and network = $2 and epoch = $3";

const RULES_SQL = `select ${RULE_COLUMNS} from watch_rules where network = $1 and state = 'active'
    and not exists (select 1 from watch_accounts a where a.account_id = watch_rules.account_id and a.paused_at is not null)
  order by id`;
const BLOCKS_SQL = `select block_number as number, block_hash as hash from watch_blocks where facts = $1 and network = $2
  order by block_number`;
const HOLES_SQL = `select from_block as "from", to_block as "to" from watch_holes where facts = $1 and network = $2
  order by from_block desc`;

const UNMARK_SQL =
  "delete from watch_blocks where facts = $1 and network = $2 and block_number = $3 and block_hash = $4";
const MARK_SQL = `insert into watch_blocks (facts, network, block_number, block_hash) values ($1, $2, $3, $4)
  on conflict (facts, network, block_number) do update set block_hash = excluded.block_hash`;
// The newest final mark stays: matching continues after it.
const SETTLE_SQL = `delete from watch_blocks where facts = $1 and network = $2 and block_number <
    (select max(block_number) from watch_blocks where facts = $1 and network = $2 and block_number <= $3)`;
const FILLED_SQL = "delete from watch_holes where facts = $1 and network = $2 and from_block = $3";
const HOLE_SQL = `insert into watch_holes (facts, network, from_block, to_block) values ($1, $2, $3, $4)
  on conflict (facts, network, from_block) do update set to_block = excluded.to_block`;

export interface FollowSettings extends WriteSettings {
  readonly database: Database;
  readonly now: () => number;
}

type Holder = FollowedNetwork & { readonly epoch: number };

export const openFollow = (settings: FollowSettings): WatchFollow => {
  const { database } = settings;
  return {
    revision: async () =>
      (await database.get<{ revision: number }>("select revision from watch_changes"))?.revision ?? 0,
    rules: async (network) => (await database.all<WatchRuleRow>(RULES_SQL, [network])).map(ruleOf).filter(isFollowed),
    async state({ facts, network }) {
      const [blocks, holes] = await Promise.all([
        database.all<{ number: number; hash: string }>(BLOCKS_SQL, [facts, network]),
        database.all<{ from: number; to: number }>(HOLES_SQL, [facts, network]),
      ]);
      return { blocks, holes };
    },
    commit: (of, pass) => commit(settings, of, pass),
  };
};

/**
 * Runs a transaction for each account with events in the pass, the one with the fewest events first, and then one for the marks. A process
 * that ends in between repeats the pass: events that are already written stay, and events of other blocks are revoked.
 */
const commit = async (settings: FollowSettings, of: Holder, pass: Pass): Promise<void> => {
  const { database, now } = settings;
  const at = now();
  const holdLease = async (within: Queries): Promise<void> => {
    if ((await within.run(HOLD_SQL, [of.facts, of.network, of.epoch])) === 0) throw lost(of.network);
  };
  if (pass.events.length + pass.dropped.length > 0)
    await database.transaction(WATCH_SCOPE, (within) => takeLease(within, of));
  let stale = await staleBlocks(database, of, pass);
  let is_written = false;
  for (;;) {
    for (const { account_id, events } of is_written ? [] : byAccount(pass.events))
      await database.transaction({ lock: lockOf(account_id), proof: null }, async (within) => {
        await holdLease(within);
        await writeEvents(within, { account_id, network: of.network, events, at }, settings);
      });
    is_written = true;
    // After the events, so that ids ascend like the numbers of the stream: revoking events get their ids here.
    for (const block of stale) await retractBlocks(database, { of, block, at, retraction: pass.retraction, holdLease });
    stale = await database.transaction(WATCH_SCOPE, async (within) => {
      await takeLease(within, of);
      // A risk may have been recorded in the meantime.
      const left = await staleBlocks(within, of, pass);
      if (left.length === 0) await finish(within, { of, pass, at });
      return left;
    });
    if (stale.length === 0) return;
  }
};

const takeLease = async (within: Queries, of: Holder): Promise<void> => {
  if ((await within.run(EPOCH_SQL, [of.facts, of.network, of.epoch])) === 0) throw lost(of.network);
};

const lost = (network: string): AssayError =>
  new AssayError({ code: "LEASE_LOST", message: `${network}: another process matches it`, retryable: true });

interface AccountShare {
  readonly account_id: string;
  readonly events: readonly NewEvent[];
}

const byAccount = (events: readonly NewEvent[]): readonly AccountShare[] => {
  const shares = new Map<string, NewEvent[]>();
  for (const event of events) {
    const own = shares.get(event.account_id);
    if (own === undefined) shares.set(event.account_id, [event]);
    else own.push(event);
  }
  return [...shares]
    .map(([account_id, own]) => ({ account_id, events: own }))
    .sort((a, b) => a.events.length - b.events.length);
};

const finish = async (
  within: Queries,
  { of, pass, at }: { readonly of: FollowedNetwork; readonly pass: Pass; readonly at: number },
): Promise<void> => {
  for (const { number, hash } of pass.dropped) await within.run(UNMARK_SQL, [of.facts, of.network, number, hash]);
  for (const one of pass.due) await requestLevel(within, one, at);
  await mark(within, of, pass);
};

const mark = async (within: Queries, { facts, network }: FollowedNetwork, pass: Pass): Promise<void> => {
  const { hole, settled_to } = pass;
  // Blocks of a gap are below the marked ones.
  if (hole === null || hole.was === null)
    for (const { number, hash } of pass.blocks) await within.run(MARK_SQL, [facts, network, number, hash]);
  await within.run(SETTLE_SQL, [facts, network, settled_to]);
  if (hole === null) return;
  if (hole.was !== null) await within.run(FILLED_SQL, [facts, network, hole.was.from]);
  if (hole.left !== null) await within.run(HOLE_SQL, [facts, network, hole.left.from, hole.left.to]);
};
