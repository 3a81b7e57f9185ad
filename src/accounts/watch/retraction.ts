/** Revokes events of dropped blocks, account by account. */
import type { Database, Queries } from "../database.ts";
import { lockOf } from "../pools.ts";
import { insertShownEvents, sendingRules } from "./event_rows.ts";
import type { BlockMark, FollowedNetwork, Pass } from "./follow.ts";

// A level that was assessed in a dropped block, or because of it, may be different now.
const JUDGE_AGAIN_SQL = `update watch_levels set due_at = cast($4 as bigint) where network = $1 and (subject_kind, subject) in (
  select r.subject_kind, r.subject from watch_events e join watch_rules r on r.id = e.rule_id
  where e.network = $1 and e.block_number = $2 and e.block_hash = $3 and e.is_retracted = 0 and e.retracts is null)`;

const ACCOUNTS_SQL = `select account_id from watch_events
  where network = $1 and block_number = $2 and block_hash = $3 and is_retracted = 0 and retracts is null
  group by account_id order by count(*), account_id`;

const LIVE_SQL = `select id, rule_id, state, body from watch_events
  where network = $1 and block_number = $2 and block_hash = $3 and is_retracted = 0 and retracts is null and account_id = $4
  order by created_at, id`;
const TAKE_BACK_SQL = `update watch_events set is_retracted = 1, state = case when state = 'made' then 'dropping'
    when state = 'unpaid' then 'dropped' else state end
  where network = $1 and block_number = $2 and block_hash = $3 and is_retracted = 0 and retracts is null and account_id = $4`;

// Blocks with written events that other blocks have replaced: a risk is assessed concurrently with matching, and a process may have
// ended between the accounts of a pass.
const STRAY_SQL = `select distinct block_number as number, block_hash as hash from watch_events
  where network = $1 and block_number >= $2 and block_number <= $3 and is_retracted = 0 and retracts is null
    and block_hash <> ''`;
const LIVES_SQL = `select 1 as lives from watch_events
  where network = $1 and block_number = $2 and block_hash = $3 and is_retracted = 0 and retracts is null limit 1`;

/** Blocks with unrevoked events that a pass reports as dropped or replaced. */
export const staleBlocks = async (
  queries: Queries,
  { network }: FollowedNetwork,
  { dropped, blocks }: Pass,
): Promise<readonly BlockMark[]> => {
  const stale: BlockMark[] = [];
  for (const block of dropped)
    if ((await queries.get(LIVES_SQL, [network, block.number, block.hash])) !== null) stale.push(block);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return stale;
  const known = new Map(blocks.map(({ number, hash }) => [number, hash]));
  const found = await queries.all<{ number: number; hash: string }>(STRAY_SQL, [network, first.number, last.number]);
  return [...stale, ...found.filter(({ number, hash }) => known.has(number) && known.get(number) !== hash)];
};

interface BlockRetraction extends Pick<Pass, "retraction"> {
  readonly of: FollowedNetwork;
  readonly block: BlockMark;
  readonly at: number;
  /** Rejects a writer whose lease was taken over. */
  readonly holdLease: (within: Queries) => Promise<void>;
}

type LiveRow = {
  readonly id: string;
  readonly rule_id: string;
  readonly state: string;
  readonly body: string;
};

/** Revokes shown events with a further event, and unseen events silently. Idempotent. */
export const retractBlocks = async (database: Database, taking: BlockRetraction): Promise<void> => {
  const { of, block, at } = taking;
  const place = [of.network, block.number, block.hash];
  await database.run(JUDGE_AGAIN_SQL, [...place, at]);
  for (const { account_id } of await database.all<{ account_id: string }>(ACCOUNTS_SQL, place))
    await database.transaction({ lock: lockOf(account_id), proof: null }, (within) =>
      takeBackOf(within, account_id, taking),
    );
};

const takeBackOf = async (within: Queries, account_id: string, taking: BlockRetraction): Promise<void> => {
  const { of, block, at, retraction, holdLease } = taking;
  await holdLease(within);
  const place = [of.network, block.number, block.hash, account_id];
  const rows = await within.all<LiveRow>(LIVE_SQL, place);
  await within.run(TAKE_BACK_SQL, place);
  const events = rows.flatMap((row) => {
    if (row.state !== "shown") return [];
    const { id, body } = retraction(row);
    const { rule_id } = row;
    const event = { id, account_id, rule_id, block, place: row.id, kind: "retracted", body };
    return [{ ...event, network: of.network, round: 0, retracts: row.id }];
  });
  await insertShownEvents(within, events, { at, sending: await sendingRules(within, account_id) });
};
