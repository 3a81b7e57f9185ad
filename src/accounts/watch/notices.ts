/** Notices to an account about its own watching: free events in its stream, and in the webhooks of a rule. */
import type { Queries } from "../database.ts";
import { isoMs } from "../period.ts";
import { insertShownEvents, NO_BLOCK, sendingRules } from "./event_rows.ts";
import { markPaused, markResumed, type PauseReason } from "./quota.ts";
import { noteRuleChange } from "./rules.ts";

export interface NoticeSettings {
  readonly newId: (kind: string) => string;
}

interface PauseNotice {
  readonly account_id: string;
  readonly because: PauseReason;
  readonly at: number;
  /** The first event that was not written, and how many events of its pass were not. */
  readonly first: { readonly rule_id: string; readonly network: string; readonly block_number: number };
  readonly left_out: number;
}

/** In the account's transaction: stops matching its rules until the reason for the pause has ended. */
export const pauseAccount = async (
  within: Queries,
  { account_id, because, at, first, left_out }: PauseNotice,
  settings: NoticeSettings,
): Promise<void> => {
  if (!(await markPaused(within, { account_id, because, at }))) return;
  await noteRuleChange(within);
  const { rule_id, network, block_number } = first;
  const says = { network, because, from_block: block_number, left_out };
  await insertNotice(within, { account_id, rule_id, network, at, says: { type: "paused", ...says } }, settings);
};

type NoticeRuleRow = { readonly id: string; readonly network: string };

const FIRST_RULE_SQL = `select id, network from watch_rules where account_id = $1 and state = 'active'
  order by created_at, id limit 1`;

/** In the account's transaction: resumes matching its rules at the newest block. False when they were not paused. */
export const resumeAccount = async (
  within: Queries,
  { account_id, paused_at, at }: { readonly account_id: string; readonly paused_at: number; readonly at: number },
  settings: NoticeSettings,
): Promise<boolean> => {
  if (!(await markResumed(within, account_id))) return false;
  await noteRuleChange(within);
  const rule = await within.get<NoticeRuleRow>(FIRST_RULE_SQL, [account_id]);
  if (rule === null) return true;
  const says = { type: "resumed", network: rule.network, not_compared_since: isoMs(paused_at) };
  await insertNotice(within, { account_id, rule_id: rule.id, network: rule.network, at, says }, settings);
  return true;
};

interface NoticeText {
  readonly account_id: string;
  readonly rule_id: string;
  readonly network: string;
  readonly at: number;
  readonly says: Readonly<Record<string, unknown>>;
}

const insertNotice = async (
  within: Queries,
  { account_id, rule_id, network, at, says }: NoticeText,
  { newId }: NoticeSettings,
): Promise<void> => {
  const id = newId("event");
  const { type, ...rest } = says;
  const body = JSON.stringify({ type, id, created_at: isoMs(at), rule_id, ...rest });
  const event = { id, account_id, rule_id, network, block: NO_BLOCK, place: id, kind: "notice", body };
  const sending = await sendingRules(within, account_id);
  await insertShownEvents(within, [{ ...event, round: 0, retracts: null }], { at, sending });
};
