import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { AccountsLocation } from "../engine.ts";
import type { Caller } from "../meter.ts";
import { type AccountsStore, openAccounts } from "../open.ts";
import { callerOf, request, settingsFor } from "./store.ts";
import { connectTo, readLocation } from "./temporary_accounts.ts";

interface ChildOrder {
  readonly place: AccountsLocation;
  readonly store: AccountsStore;
  readonly caller: Caller;
  readonly secret: string;
  /** Text after the command. */
  readonly word: string;
}

/**
 * Process on an accounts file, for the tests: `node child.js PLACE SECRET`. Reads one command per line, writes one
 * JSON line per event, and can be killed.
 */
const main = async (place: AccountsLocation, secret: string): Promise<void> => {
  const store = await openAccounts(settingsFor(place));
  const caller = await callerOf(store.meter, secret);
  report({ event: "ready" });
  for await (const line of createInterface({ input: process.stdin })) {
    const [command = "", word = "0"] = line.split(" ");
    if (command === "close") break;
    const obey = ORDERS[command];
    if (obey === undefined) throw new Error(`Unknown command ${command}`);
    await obey({ store, place, caller, secret, word });
  }
  await store.close();
};

const ORDERS: Readonly<Record<string, (order: ChildOrder) => Promise<void>>> = {
  spend: ({ store, caller, word }) => spend(store, caller, Number(word)),
  hold: ({ store, caller, word }) => hold(store, caller, Number(word)),
  storm: ({ store, caller }) => storm(store, caller),
  work: ({ store, caller, word }) => work(store, caller, Number(word)),
  slow: ({ store, caller, word }) => slow(store, caller, Number(word)),
  once: ({ store, caller }) => once(store, caller),
  watch: ({ store, secret }) => watch(store, secret),
  /** Creates a key, which is watched from now on beside everything else. */
  async key({ store, caller }) {
    const { id, secret } = await store.keys.create({ account_id: caller.account_id, scopes: ["api:call"] });
    void watch(store, secret);
    report({ event: "key", key_id: id });
  },
  async revoke({ store, word }) {
    await store.keys.revoke(word);
    report({ event: "revoked", at: Date.now() });
  },
  async verify({ store }) {
    const violations = await store.ledger.verify();
    report({ event: "verified", violations, ...(await store.witnesses()) });
  },
  async account({ store }) {
    await store.accounts.create({ name: "Made by a command", plan: "free" });
    report({ event: "made" });
  },
  /** States of some of the charges after a position in the file, and the position of the last one. Opens the file again. */
  async states({ place, word }) {
    const database = await connectTo(place);
    const sql = "select id, state, rowid as row from charges where rowid > $1 order by rowid limit 500";
    const rows = await database.all<{ id: string; state: string; row: number }>(sql, [Number(word)]);
    await database.close();
    report({ event: "states", rows: rows.map(({ id, state }) => [id, state]), last: rows.at(-1)?.row ?? 0 });
  },
};

/** Makes that many charges concurrently, and counts each kind of answer. */
const spend = async (store: AccountsStore, caller: Caller, count: number): Promise<void> => {
  const results = await Promise.all(Array.from({ length: count }, () => store.meter.charge(request(caller))));
  const charged = results.filter((result) => result.kind === "charged").length;
  const refused = results.filter((result) => result.kind === "plan_limit").length;
  report({ event: "spent", charged, refused });
};

/** Charges that stay running. */
const hold = async (store: AccountsStore, caller: Caller, count: number): Promise<void> => {
  for (let call = 0; call < count; call += 1) await store.meter.charge(request(caller));
  report({ event: "held" });
};

/** Makes one charge that is settled after that many milliseconds. */
const slow = async (store: AccountsStore, caller: Caller, wait_ms: number): Promise<void> => {
  const result = await store.meter.charge(request(caller, { idempotency_key: "slow" }));
  report({ event: result.kind });
  await new Promise((resolve) => setTimeout(resolve, wait_ms));
  if (result.kind !== "charged") return;
  const standing = await store.meter.settle(result.charge_id, "done", null);
  report({ event: standing === null ? "lost" : "settled" });
};

/** Reports that it is about to charge, then charges under the idempotency key `once`. */
const once = async (store: AccountsStore, caller: Caller): Promise<void> => {
  report({ event: "charging" });
  const result = await store.meter.charge(request(caller, { idempotency_key: "once" }));
  report({ event: result.kind });
};

/** Charges and settles eight at a time until killed; reports a charge only after the store has acknowledged it. */
const storm = async (store: AccountsStore, caller: Caller): Promise<void> => {
  const client = async (name: number): Promise<void> => {
    for (let call = 0; ; call += 1) await chargeOnce(store, caller, call + name);
  };
  await Promise.all(Array.from({ length: 8 }, (_, name) => client(name)));
};

const chargeOnce = async (store: AccountsStore, caller: Caller, number: number): Promise<void> => {
  const result = await store.meter.charge(request(caller, { tool: "resolve_ens" }));
  if (result.kind !== "charged") throw new Error(`Refused: ${result.kind}`);
  report({ event: "charged", id: result.charge_id });
  const outcome = number % 3 === 0 ? "refunded" : "done";
  if ((await store.meter.settle(result.charge_id, outcome, null)) === null) throw new Error("Lost a lease");
  report({ event: outcome, id: result.charge_id });
};

/** Makes that many charges, settles them at once, and reports them like those of a storm. */
const work = async (store: AccountsStore, caller: Caller, count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, call) => chargeOnce(store, caller, call)));
  report({ event: "worked" });
};

/** Authenticates every 10 ms and reports when the key is first rejected. */
const watch = async (store: AccountsStore, secret: string): Promise<void> => {
  report({ event: "watching" });
  while ((await store.meter.authenticate(`Bearer ${secret}`, "api")).kind === "caller")
    await new Promise((resolve) => setTimeout(resolve, 10));
  report({ event: "refused", at: Date.now() });
};

/** Synchronous, so that a kill loses no reported line in a buffer. */
const report = (facts: object): void => void writeSync(1, `${JSON.stringify(facts)}\n`);

const [, , place, secret] = process.argv;
if (place === undefined || secret === undefined) throw new Error("child.js PLACE SECRET");
await main(readLocation(place), secret);
