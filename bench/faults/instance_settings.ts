import type { AccountsSettings } from "../../src/accounts/open.ts";
import type { Plans } from "../../src/accounts/plans.ts";
import { Secret } from "../../src/lib/log.ts";

/** Settings of a service process at its start. */
export interface ServiceSettings {
  /** By `writePlace`. */
  readonly place: string;
  readonly lease_ms?: number;
  /** Maximum concurrent calls. */
  readonly calls_max?: number;
  /** Share of them for one account; all of them by default. */
  readonly account_share_percent?: number;
  readonly deadline_ms?: number;
  /** Duration of a turn of the tool `work`. */
  readonly work_ms?: number;
  /** Watches the data handed to its connections, and reports at the end. */
  readonly watched?: boolean;
  /** The shared store of its rate limits, and the number of instances. */
  readonly redis_url?: string;
  readonly instances?: number;
}

/** `wide` meets no limit; `narrow` is the plan of a downgraded account; `paced` is held back by its rate. */
export const WIDE_PLANS: Plans = {
  wide: { monthly_credits: 1_000_000_000_000, keys_max: 10, calls_per_minute: 10_000_000 },
  narrow: { monthly_credits: 10, keys_max: 10, calls_per_minute: 10_000_000 },
  paced: { monthly_credits: 1_000_000_000_000, keys_max: 10, calls_per_minute: 60 },
  custom: { monthly_credits: null, keys_max: null, calls_per_minute: null },
};

/** @throws Error without any */
export const readServiceSettings = (text: string | undefined): ServiceSettings => {
  if (text === undefined) throw new Error("quick_instance.js SETTINGS");
  // The parent process wrote it.
  return JSON.parse(text) as ServiceSettings;
};

export const sharedLimitsOf = ({ redis_url, instances }: ServiceSettings): Pick<AccountsSettings, "shared_limits"> =>
  redis_url === undefined ? {} : { shared_limits: { redis_url: new Secret(redis_url), instances: instances ?? 1 } };
