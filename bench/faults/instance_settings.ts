import type { AccountsSettings } from "../../src/accounts/open.ts";
import type { Plans } from "../../src/accounts/plans.ts";
import { Secret } from "../../src/lib/log.ts";

/** Settings of a service process at its start. */
export interface ServiceSettings {
  /** By `writePlace`. */
  readonly place: string;
  readonly lease_ms?: number;
  /** Simultaneous calls. */
  readonly calls_max?: number;
  /** Share of them that one account may take; all of them by default. */
  readonly account_share_percent?: number;
  readonly deadline_ms?: number;
  /** Time of a turn of the tool `work`. */
  readonly work_ms?: number;
  /** Watches the answers on its connections, and reports at the end. */
  readonly watched?: boolean;
  /** The Redis that shares its rate limits with other services. */
  readonly redis_url?: string;
  readonly instances?: number;
}

/** `wide` meets no limit; `narrow` limits the account; `paced` limits the rate. */
export const WIDE_PLANS: Plans = {
  wide: { monthly_credits: 1_000_000_000_000, keys_max: 10, calls_per_minute: 10_000_000 },
  narrow: { monthly_credits: 10, keys_max: 10, calls_per_minute: 10_000_000 },
  paced: { monthly_credits: 1_000_000_000_000, keys_max: 10, calls_per_minute: 60 },
  custom: { monthly_credits: null, keys_max: null, calls_per_minute: null },
};

/** @throws Error without settings */
export const readServiceSettings = (text: string | undefined): ServiceSettings => {
  if (text === undefined) throw new Error("quick_instance.js SETTINGS");
  // Written by the process that started this one.
  return JSON.parse(text) as ServiceSettings;
};

export const sharedLimitsOf = ({ redis_url, instances }: ServiceSettings): Pick<AccountsSettings, "shared_limits"> =>
  redis_url === undefined ? {} : { shared_limits: { redis_url: new Secret(redis_url), instances: instances ?? 1 } };
