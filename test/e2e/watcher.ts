import { expect } from "vitest";
import type { RunningService } from "../../src/main.ts";
import { factsIdentity } from "../../src/store/fence.ts";
import { caughtUp } from "./served_world.ts";

/** An account that watches, and its events as in its history. */

// biome-ignore lint/suspicious/noExplicitAny: walked freely in assertions.
type WatchHistory = any;

export interface Watcher {
  readonly account_id: string;
  /** @returns the rule's id */
  readonly watch: (wish: object) => Promise<string>;
  /** Events of one rule, oldest first. */
  readonly told: (rule_id: string) => Promise<readonly WatchHistory[]>;
  readonly types: (rule_id: string) => Promise<readonly string[]>;
}

const CREDITS = 3;
export const SOON = { timeout: 60_000, interval: 200 };
/** Of a stage: assesses without a limit. */
export const WATCHING = { watch: { enabled: true, credits: CREDITS, risk_per_minute: 600 } as never };

export const openWatcher = async (service: RunningService): Promise<Watcher> => {
  const account = await service.accounts.accounts.create({ name: "watcher", plan: "wide" });
  const { secret } = await service.accounts.keys.create({ account_id: account.id, scopes: ["watch:manage"] });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.url}/api/watch/${path}`, { ...init, headers });
    const body: WatchHistory = await response.json();
    expect([response.status, body]).toEqual([200, body]);
    return body;
  };
  const told = async (rule_id: string) => {
    const { events } = await ask(`history?limit=200&rule_id=${rule_id}`);
    return events.map(({ event }: WatchHistory) => event).reverse();
  };
  return {
    account_id: account.id,
    watch: async (wish) => (await ask("rules", { method: "POST", body: JSON.stringify(wish) })).id,
    told,
    types: async (rule_id) => (await told(rule_id)).map(({ type }: WatchHistory) => type),
  };
};

/**
 * Matching starts at the newest block in the store, and a start drops the newest blocks and reads them again:
 * once all of them were matched, new events are reported, and no older ones.
 */
export const isFollowed = async (service: RunningService, network: string): Promise<void> => {
  await caughtUp(service);
  const of = { facts: await factsIdentity(service.facts.engine), network };
  const compared = async () => (await service.accounts.watch.follow.state(of)).blocks.at(-1)?.number;
  const newest = service.progress()[network]?.indexed;
  expect([network, newest]).toEqual([network, expect.any(Number)]);
  await expect.poll(compared, SOON).toBe(newest);
};

/** Checks that each event was charged once, and that the ledger holds. */
export const expectPaid = async (
  { accounts }: RunningService,
  { account_id, told }: Watcher,
  rules: readonly string[],
) => {
  const all = (await Promise.all(rules.map(told))).flat();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const paid = all.filter(({ type }) => type !== "retracted").length;
  expect((await accounts.accounts.show(account_id)).credits_used).toBe(CREDITS * paid);
  expect(await accounts.ledger.verify()).toEqual([]);
};
