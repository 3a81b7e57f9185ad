/** The whole money side as surfaces see it. Refusals are values; a broken store is a throw. */

/** Where tools are called. */
export type Surface = "api" | "mcp";
/** What a key opens: a surface, or what its own account may see and do about itself. */
export type CallerSurface = Surface | "account";

export interface Caller<D extends CallerSurface = Surface> {
  /** Under which calls stand in the ledger: of a key, or of a user who is signed in. */
  readonly key_id: string;
  readonly account_id: string;
  readonly plan_id: string;
  readonly surface: D;
  readonly scopes: readonly string[];
  /** min(key, plan), calls in any 60 seconds. */
  readonly limit_per_minute: number;
}

/** Current prices. `version` is a short hash of all (tool, credits) pairs; null credits = temporarily unavailable. */
export interface Catalog {
  readonly version: string;
  readonly credits: Readonly<Record<string, number | null>>;
}

export interface CreditStatus {
  readonly credits_remaining: number;
  readonly catalog_version: string;
}

export interface ChargeRequest {
  readonly caller: Caller;
  readonly tool: string;
  readonly idempotency_key: string | null;
  /** SHA-256 of tool and canonical arguments, hex. */
  readonly fingerprint: string;
  /** Value of X-Credit-Catalog-Version; null when not sent. */
  readonly catalog_version: string | null;
  /** What the caller was told with the answer, and finds beside the charge in the ledger. */
  readonly request_id: string;
}

export type ChargeResult =
  | { readonly kind: "charged"; readonly charge_id: string; readonly credits: number; readonly standing: CreditStatus }
  | {
      readonly kind: "duplicate";
      readonly state: "running" | "completed";
      readonly same_request: boolean;
      readonly standing: CreditStatus;
    }
  | { readonly kind: "price_changed"; readonly catalog: Catalog; readonly standing: CreditStatus }
  | { readonly kind: "price_unavailable"; readonly standing: CreditStatus }
  | {
      readonly kind: "plan_limit";
      readonly meter: "api_calls" | "mcp_calls";
      readonly plan_id: string;
      readonly limit: number;
      /** Unix milliseconds; null when the plan never resets. */
      readonly resets_at: number | null;
      readonly standing: CreditStatus;
    };

export type Authentication<D extends CallerSurface = Surface> =
  | { readonly kind: "caller"; readonly caller: Caller<D> }
  /**
   * `header`: absent or not `Bearer …`. `key`: unknown, revoked or without this surface's scope, indistinguishable.
   * `replaced`: the secret that the key had before its last rotation, after its grace.
   */
  | { readonly kind: "refused"; readonly cause: "header" | "key" | "replaced" };

export interface Meter {
  /** Every key opens the door `account`. */
  authenticate<D extends CallerSurface>(authorization: string | undefined, door: D): Promise<Authentication<D>>;
  /** One request enters the key's window at that door; false when it is full (a refused request does not enter). */
  admit(caller: Caller<CallerSurface>): Promise<boolean>;
  /** Prices of the public tools; a hidden tool is not in it. */
  catalog(): Promise<Catalog>;
  /** Whether the tool is on the operator's allowlist, as far as this process has heard (under a second). */
  isPublic(tool: string): boolean;
  standing(caller: Caller<CallerSurface>): Promise<CreditStatus>;
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /** Compare-and-set of a running charge. Null when the lease was lost: the answer is then 503 without data. */
  settle(charge_id: string, outcome: "done" | "refunded", reason: string | null): Promise<CreditStatus | null>;
  /**
   * Gives a settled charge back, because its answer could not be written in time. Null when it does not stand as `done`. Done twice
   * it gives back once.
   */
  retract(charge_id: string, reason: string): Promise<CreditStatus | null>;
}
