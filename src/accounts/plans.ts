import { AssayError } from "../lib/errors.ts";
import type { AuditChange, Recorder } from "./audit.ts";
import type { Queries } from "./database.ts";

/** Limits of a plan. Null = each account of the plan has its own number. */
export interface Plan {
  readonly monthly_credits: number | null;
  readonly keys_max: number | null;
  /** Calls in any 60 seconds, per key and surface. */
  readonly calls_per_minute: number | null;
}

export type Plans = Readonly<Record<string, Plan>>;

/** Limits of one account. Only accounts of a plan with open numbers have them. */
export interface PlanNumbers {
  readonly monthly_credits: number;
  readonly keys_max: number;
  readonly calls_per_minute: number;
}

/** Key counts and rates are fixed; monthly credits are a default that configuration may change. */
export const DEFAULT_PLANS: Plans = {
  free: { monthly_credits: 500, keys_max: 1, calls_per_minute: 10 },
  plus: { monthly_credits: 5_000, keys_max: 1, calls_per_minute: 10 },
  pro: { monthly_credits: 20_000, keys_max: 2, calls_per_minute: 10 },
  max: { monthly_credits: 100_000, keys_max: 5, calls_per_minute: 60 },
  business: { monthly_credits: 500_000, keys_max: 10, calls_per_minute: 120 },
  custom: { monthly_credits: null, keys_max: null, calls_per_minute: null },
};

const FIELDS = ["monthly_credits", "keys_max", "calls_per_minute"] as const;

/** @throws AssayError BAD_PLAN when an id is not lower-case or a number is not a whole one. */
export const checkPlans = (plans: Plans): void => {
  for (const [id, plan] of Object.entries(plans)) {
    if (!/^[a-z][a-z0-9_-]{0,31}$/.test(id))
      throw badPlan(`Plan id '${id}' must be lower-case letters, digits, _ or -.`);
    for (const field of FIELDS) {
      const value = plan[field];
      if (value !== null && !isCount(value))
        throw badPlan(`${field} of plan '${id}' must be a whole number from 0, not ${value}.`);
    }
  }
};

/** Writes the configured plans. A plan that is no longer configured keeps its last limits for its accounts. */
export const storePlans = async (within: Queries, plans: Plans, record: Recorder): Promise<void> => {
  const changes: AuditChange[] = [];
  for (const [id, plan] of Object.entries(plans)) {
    const stored = await within.get(`select ${FIELDS.join(", ")} from plans where id = $1`, [id]);
    const { monthly_credits, keys_max, calls_per_minute } = plan;
    const after = { monthly_credits, keys_max, calls_per_minute };
    if (stored === null || FIELDS.some((field) => stored[field] !== plan[field]))
      changes.push({ action: "plan.set", subject: id, before: stored === null ? null : { ...stored }, after });
    await within.run(
      `insert into plans (id, monthly_credits, keys_max, calls_per_minute) values ($1, $2, $3, $4)
       on conflict (id) do update set monthly_credits = excluded.monthly_credits, keys_max = excluded.keys_max,
         calls_per_minute = excluded.calls_per_minute`,
      [id, plan.monthly_credits, plan.keys_max, plan.calls_per_minute],
    );
  }
  for (const change of changes) await record(within, change);
};

/** The limits that an account of this plan must have itself: all of a plan with open numbers, none of another plan. */
export const ownNumbers = (plans: Plans, plan_id: string, numbers: Partial<PlanNumbers>): Plan => {
  const plan = Object.hasOwn(plans, plan_id) ? plans[plan_id] : undefined;
  if (plan === undefined)
    throw badPlan(`Plan '${plan_id}' does not exist. Available plans: ${Object.keys(plans).join(", ")}.`);
  const own = { monthly_credits: null, keys_max: null, calls_per_minute: null } as Record<keyof Plan, number | null>;
  for (const field of FIELDS) {
    const value = numbers[field];
    if (plan[field] !== null && value !== undefined)
      throw badPlan(`Plan '${plan_id}' fixes ${field}; only a plan without that number takes one.`);
    if (plan[field] !== null) continue;
    if (value === undefined || !isCount(value))
      throw badPlan(`Plan '${plan_id}' needs ${field} as a whole number from 0.`);
    own[field] = value;
  }
  return own;
};

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const badPlan = (message: string): AssayError => new AssayError({ code: "BAD_PLAN", message, public: message });
