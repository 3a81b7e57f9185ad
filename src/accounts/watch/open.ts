/** The part of watching in the accounts store (docs/design/tenancy.md). */
import { recorderOf } from "../audit.ts";
import type { Database } from "../database.ts";
import type { Ledger } from "../ledger.ts";
import type { ToolPrices } from "../prices.ts";
import type { Peppers, RandomBytes } from "../secret.ts";
import { openDeliveries, type WatchDeliveries } from "./deliveries.ts";
import { openEvents, type WatchEvents } from "./events.ts";
import { openFollow, type WatchFollow } from "./follow.ts";
import { openLevels, type WatchLevels } from "./levels.ts";
import { openPayments, type WatchPayments } from "./payments.ts";
import type { HoldLimits } from "./quota.ts";
import { openRules, type WatchRules } from "./rules.ts";
import { sealWith } from "./seal.ts";

/** Limits and prices set by the operator. */
export interface WatchTerms {
  readonly rules_per_account: number;
  /** Whether events have a price (pay.ts); without one they are free. */
  readonly is_priced: boolean;
  /** Maximum stored events of one account; `HOLD` when omitted. */
  readonly hold?: HoldLimits;
}

const HOLD: HoldLimits = { events: 20_000, bytes: 32 * 1_048_576 };

export const NO_TERMS: WatchTerms = { rules_per_account: 0, is_priced: false };

export interface WatchStore {
  /** The audit trail records changes under the actor's name. */
  rules(actor: string): WatchRules;
  readonly events: WatchEvents;
  readonly follow: WatchFollow;
  readonly payments: WatchPayments;
  readonly deliveries: WatchDeliveries;
  readonly levels: WatchLevels;
  /** Makes an id, ordered by time. */
  readonly newId: (kind: string) => string;
}

export interface WatchSettings {
  readonly database: Database;
  readonly ledger: Pick<Ledger, "retract">;
  readonly prices: ToolPrices;
  /** Name under which this process owns charges. */
  readonly owner: () => string;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly random: RandomBytes;
  readonly peppers: Peppers;
  readonly terms: WatchTerms;
}

export const openWatchStore = (settings: WatchSettings): WatchStore => {
  const { terms, now } = settings;
  const own = { ...settings, seal: sealWith(settings.peppers), is_priced: terms.is_priced, hold: terms.hold ?? HOLD };
  return {
    rules: (actor) => openRules({ ...own, rules_max: terms.rules_per_account, record: recorderOf(actor, now) }),
    events: openEvents(own),
    follow: openFollow(own),
    payments: openPayments(own),
    deliveries: openDeliveries(own),
    levels: openLevels(own),
    newId: settings.newId,
  };
};
