import { silentLog } from "../../lib/log.ts";
import type { AccountsLocation } from "../engine.ts";
import type { Caller, ChargeRequest, ChargeResult, Meter, Surface } from "../meter.ts";
import type { AccountsSettings, AccountsStore } from "../open.ts";
import { DEFAULT_PLANS } from "../plans.ts";

/** A cheap, a medium and an expensive tool, as in the price table. */
export const TOOLS = [
  { name: "resolve_ens", credits: 1 },
  { name: "get_token_info", credits: 3 },
  { name: "get_wallet_pnl", credits: 25 },
  { name: "analyze_transaction", credits: 40 },
] as const;

/** 2026-11-20T12:00:00Z in milliseconds. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** An hour: under a stopped clock, the test triggers the sweeper. */
export const SWEEP_EVERY_MS = 3_600_000;

export const settingsFor = (place: AccountsLocation, changes: Partial<AccountsSettings> = {}): AccountsSettings => ({
  place,
  plans: DEFAULT_PLANS,
  keys: { prefix: "svc_live_" },
  tools: TOOLS,
  now: Date.now,
  log: silentLog,
  ...changes,
});

/** An account with one key for both surfaces. */
export const openCustomer = async (store: AccountsStore, plan = "business") => {
  const account = await store.accounts.create({ name: "Acme", plan });
  const key = await store.keys.create({ account_id: account.id, scopes: ["api:call", "mcp:call"] });
  return {
    account,
    key,
    api: await callerOf(store.meter, key.secret),
    mcp: await callerOf(store.meter, key.secret, "mcp"),
  };
};

/** @throws Error when the key is refused. */
export const callerOf = async (meter: Meter, secret: string, surface: Surface = "api"): Promise<Caller> => {
  const answer = await meter.authenticate(`Bearer ${secret}`, surface);
  if (answer.kind !== "caller") throw new Error(`The key was refused: ${answer.cause}`);
  return answer.caller;
};

export const request = (caller: Caller, changes: Partial<ChargeRequest> = {}): ChargeRequest => ({
  caller,
  tool: "get_wallet_pnl",
  idempotency_key: null,
  fingerprint: "f1",
  catalog_version: null,
  request_id: "r1",
  ...changes,
});

/** @throws Error when the charge was refused. */
export const charged = (result: ChargeResult): Extract<ChargeResult, { kind: "charged" }> => {
  if (result.kind !== "charged") throw new Error(`Expected a charge, got ${JSON.stringify(result)}`);
  return result;
};
