/**
 * The answers of status 429. The header `Retry-After` is set where it is known when a repeat can succeed: when the credits of a plan reset
 * and when delayed sign-ins are accepted again. A key's rate limit is a sliding window, so its answer has no such header.
 */
import type { ChargeResult } from "../accounts/meter.ts";
import { iso } from "../lib/time.ts";
import { refusal, type SurfaceResponse } from "./surface_response.ts";

export const retryAfter = (seconds: number): Readonly<Record<string, string>> => ({ "retry-after": String(seconds) });

/** The key has made all calls of its last 60 seconds: 429 without `Retry-After`. */
export const rateLimited = (limit_per_minute: number): SurfaceResponse =>
  refusal(429, `Rate limit exceeded: ${limit_per_minute} requests per minute for this key`);

type PlanLimit = Extract<ChargeResult, { readonly kind: "plan_limit" }>;

/** The credits of the plan do not cover the call: 429 with `Retry-After` when the plan resets. */
export const planLimitReached = ({ meter, plan_id, limit, resets_at }: PlanLimit, now_ms: number): SurfaceResponse => {
  const reset = resets_at === null ? null : iso(Math.floor(resets_at / 1000));
  const when = reset === null ? "This plan does not reset." : `It resets at ${reset}.`;
  const message = `The credits left on plan '${plan_id}' do not cover this call. ${when}`;
  const detail = { error_code: "PLAN_LIMIT_REACHED", meter, plan_id, limit, resets_at: reset, message };
  const seconds = resets_at === null ? null : Math.max(0, Math.ceil((resets_at - now_ms) / 1000));
  return refusal(429, detail, seconds === null ? {} : retryAfter(seconds));
};
