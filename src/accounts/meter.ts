/** Authentication, limits and charging as the surfaces use them. Rejections are values; a broken store throws. */

/** The surface of a call. */
export type Surface = "api" | "mcp";
/** Entrances that a key opens: a surface, or the data and actions of its own account. */
export type CallerSurface = Surface | "account";

export interface Caller<D extends CallerSurface = Surface> {
  /** Id under which the ledger lists calls: of a key, or of a signed-in user. */
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
  /** Value of X-Credit-Catalog-Version; null when it was not sent. */
  readonly catalog_version: string | null;
  /** Id in the response, which the ledger keeps with the charge. */
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
   * `replaced`: the secret before the key's last rotation, after its grace period.
   */
  | { readonly kind: "refused"; readonly cause: "header" | "key" | "replaced" | "expired" };

export interface Meter {
  /** Every key opens the entrance `account`. */
  authenticate<D extends CallerSurface>(authorization: string | undefined, door: D): Promise<Authentication<D>>;
  /** Admits one request to the key's window at that entrance; false when it is full (a rejected request does not enter). */
  admit(caller: Caller<CallerSurface>): Promise<boolean>;
  /** Prices of the public tools, without hidden ones. */
  catalog(): Promise<Catalog>;
  /** Whether the tool is on the operator's allowlist, as far as this process knows (at most a second old). */
  isPublic(tool: string): boolean;
  standing(caller: Caller<CallerSurface>): Promise<CreditStatus>;
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /** Compare-and-set of a running charge. Null when the lease was lost: the response is then 503 without data. */
  settle(charge_id: string, outcome: "done" | "refunded", reason: string | null): Promise<CreditStatus | null>;
  /**
   * Refunds a settled charge whose response could not be written in time. Null when it is not `done`. A second call
   * refunds nothing.
   */
  retract(charge_id: string, reason: string): Promise<CreditStatus | null>;
}
