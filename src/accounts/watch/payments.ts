/** Events that were written before they were paid (risks are assessed under another lock): paid and shown, account by account. */
import type { Database, Queries } from "../database.ts";
import type { Ledger } from "../ledger.ts";
import { periodOf } from "../period.ts";
import { lockOf } from "../pools.ts";
import { sendEvents, sendingRules, takeNumbers } from "./event_rows.ts";
import { pauseAccount, resumeAccount } from "./notices.ts";
import { payEvents, priceOf } from "./pay.ts";
import { evictOldest, forgetEvents } from "./quota.ts";
import type { WriteSettings } from "./write.ts";

export interface WatchPayments {
  /** Charges and shows made events, at most `limit` of each account, after refunding the revoked ones. @returns how many. */
  release(limit: number): Promise<number>;
  /** Resumes the rules of paused accounts whose reason for the pause has ended. @returns how many accounts. */
  resume(): Promise<number>;
}

export interface PaymentSettings extends WriteSettings {
  readonly database: Database;
  readonly ledger: Pick<Ledger, "retract">;
  readonly now: () => number;
}

type MadeRow = {
  readonly id: string;
  readonly key_id: string;
  readonly rule_id: string;
  readonly network: string;
  readonly block_number: number;
  readonly bytes: number;
};

const ACCOUNTS_SQL = `with recursive making (account_id) as (
    select min(account_id) from watch_events where state in ('made', 'dropping')
    union all
    select (select min(e.account_id) from watch_events e
      where e.state in ('made', 'dropping') and e.account_id > making.account_id)
    from making where making.account_id is not null)
  select account_id from making where account_id is not null`;
const MADE_SQL = `select e.id, e.rule_id, e.network, e.block_number, e.bytes, r.key_id
  from watch_events e join watch_rules r on r.id = e.rule_id
  where e.account_id = $1 and e.state = 'made' order by e.id limit $2`;
const DROPPING_SQL = "select id from watch_events where account_id = $1 and state = 'dropping' order by id limit $2";
const PAID_SQL = `select id from charges where account_id = $1 and surface = 'api' and idempotency_key = $2 and state = 'done'`;
const DROPPED_SQL = "update watch_events set state = 'dropped' where id = $1 and state = 'dropping'";
const UNPAID_SQL = "update watch_events set state = 'unpaid' where id = $1 and state = 'made'";
const SHOW_SQL = "update watch_events set state = 'shown', seq = $2 where id = $1 and state in ('made', 'unpaid')";

export const openPayments = (settings: PaymentSettings): WatchPayments => {
  const { database } = settings;
  return {
    async release(limit) {
      let moved = 0;
      for (const { account_id } of await database.all<{ account_id: string }>(ACCOUNTS_SQL)) {
        moved += await refundDropped(settings, account_id, limit);
        moved += await database.transaction({ lock: lockOf(account_id), proof: null }, (within) =>
          releaseOf(within, { account_id, limit }, settings),
        );
      }
      return moved;
    },
    resume: () => resume(settings),
  };
};

/** Events that were paid and dropped before they were shown. */
const refundDropped = async (
  { database, ledger }: PaymentSettings,
  account_id: string,
  limit: number,
): Promise<number> => {
  const rows = await database.all<{ id: string }>(DROPPING_SQL, [account_id, limit]);
  for (const { id } of rows) {
    const charge = await database.get<{ id: string }>(PAID_SQL, [account_id, `watch:${id}`]);
    if (charge !== null) await ledger.retract(charge.id, "block_dropped");
    await database.run(DROPPED_SQL, [id]);
  }
  return rows.length;
};

const releaseOf = async (
  within: Queries,
  { account_id, limit }: { readonly account_id: string; readonly limit: number },
  settings: PaymentSettings,
): Promise<number> => {
  const at = settings.now();
  const rows = await within.all<MadeRow>(MADE_SQL, [account_id, limit]);
  const { paid, taken, because } = await payEvents(within, { account_id, at, events: rows }, settings);
  await showStored(
    within,
    rows.filter(({ id }) => paid.has(id)),
    { account_id, at },
  );
  for (const id of taken) await within.run(UNPAID_SQL, [id]);
  const rest = rows.filter(({ id }) => !paid.has(id) && !taken.has(id));
  const [first] = rest;
  if (because !== null && first !== undefined) {
    await forgetEvents(within, account_id, rest);
    await pauseAccount(within, { account_id, because, at, first, left_out: rest.length }, settings);
  }
  return rows.length;
};

/** Numbers written and paid events, and queues them for delivery. */
export const showStored = async (
  within: Queries,
  events: readonly { readonly id: string; readonly rule_id: string }[],
  { account_id, at }: { readonly account_id: string; readonly at: number },
): Promise<void> => {
  if (events.length === 0) return;
  const first_seq = await takeNumbers(within, account_id, events.length);
  for (const [index, { id }] of events.entries()) await within.run(SHOW_SQL, [id, first_seq + index]);
  await sendEvents(within, events, { account_id, at, sending: await sendingRules(within, account_id) });
};

/** Share of a full account's storage that must be free before its rules are matched again. */
const ROOM_SHARE = 0.9;
/** Pause before checking an account again after it was paused, so that one without credits does not resume with each credit. */
const RESUMED_AFTER_MS = 5_000;
const RESUMED_MAX = 100;

// An unavailable price ($3 below 0) covers nothing.
const RESUMABLE_SQL = `select w.account_id, w.paused_at from watch_accounts w join accounts a on a.id = w.account_id
    join plans p on p.id = a.plan_id left join pools o on o.account_id = a.id and o.period = $2
  where w.paused_at is not null and w.paused_at <= $1 and cast($3 as bigint) >= 0
    and coalesce(a.monthly_credits, p.monthly_credits, 0) + coalesce(o.granted, 0) - coalesce(o.used, 0) >= cast($3 as bigint)
    and (w.paused_because <> 'storage' or (w.held_events <= cast($4 as bigint) and w.held_bytes <= cast($5 as bigint)))
  order by w.paused_at, w.account_id limit ${RESUMED_MAX}`;

const FULL_SQL = `select account_id, held_events from watch_accounts where paused_at is not null and paused_at <= $1
    and paused_because = 'storage' order by paused_at limit ${RESUMED_MAX}`;

/** Deletes settled events of full accounts. */
const evictSettled = async ({ database, hold }: PaymentSettings, before: number): Promise<void> => {
  const rows = await database.all<{ account_id: string; held_events: number }>(FULL_SQL, [before]);
  for (const { account_id, held_events } of rows) {
    // The events in excess, or a share of them where their bytes are in excess.
    const most = Math.max(held_events - hold.events * ROOM_SHARE, held_events * (1 - ROOM_SHARE));
    await database.transaction({ lock: lockOf(account_id), proof: null }, (within) =>
      evictOldest(within, account_id, Math.ceil(most)),
    );
  }
};

const resume = async (settings: PaymentSettings): Promise<number> => {
  const { database, hold } = settings;
  const at = settings.now();
  await evictSettled(settings, at - RESUMED_AFTER_MS);
  const price = await priceOf(database, settings);
  const room = [Math.floor(hold.events * ROOM_SHARE), Math.floor(hold.bytes * ROOM_SHARE)];
  const values = [at - RESUMED_AFTER_MS, periodOf(at), price ?? -1, ...room];
  const rows = await database.all<{ account_id: string; paused_at: number }>(RESUMABLE_SQL, values);
  let resumed = 0;
  for (const { account_id, paused_at } of rows) {
    const scope = { lock: lockOf(account_id), proof: null };
    const change = { account_id, paused_at, at };
    if (await database.transaction(scope, (within) => resumeAccount(within, change, settings))) resumed += 1;
  }
  return resumed;
};
