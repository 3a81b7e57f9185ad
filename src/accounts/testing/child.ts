import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { AccountsPlace } from "../engine.ts";
import type { Caller } from "../meter.ts";
import { type AccountsStore, openAccounts } from "../open.ts";
import { readPlace } from "./place.ts";
import { callerOf, request, settingsFor } from "./store.ts";

/**
 * A process of its own on an accounts file, for the tests: `node child.js PLACE SECRET`. Reads one command a line
 * (`spend COUNT`, `storm`, `hold COUNT`, `slow MS`, `once`, `watch`, `close`), writes one JSON line per event, and can be killed.
 */
const main = async (place: AccountsPlace, secret: string): Promise<void> => {
  const store = await openAccounts(settingsFor(place));
  const caller = await callerOf(store.meter, secret);
  tell({ event: "ready" });
  for await (const line of createInterface({ input: process.stdin })) {
    const [command = "", count = "0"] = line.split(" ");
    if (command === "close") break;
    await obey(store, caller, { command, count: Number(count), secret });
  }
  await store.close();
};

const obey = async (
  store: AccountsStore,
  caller: Caller,
  order: { command: string; count: number; secret: string },
): Promise<void> => {
  if (order.command === "spend") await spend(store, caller, order.count);
  else if (order.command === "hold") await hold(store, caller, order.count);
  else if (order.command === "storm") await storm(store, caller);
  else if (order.command === "slow") await slow(store, caller, order.count);
  else if (order.command === "once") await once(store, caller);
  else if (order.command === "watch") await watch(store, order.secret);
  else throw new Error(`Unknown command ${order.command}`);
};

/** That many charges at once, and how each kind of answer was counted. */
const spend = async (store: AccountsStore, caller: Caller, count: number): Promise<void> => {
  const results = await Promise.all(Array.from({ length: count }, () => store.meter.charge(request(caller))));
  const charged = results.filter((result) => result.kind === "charged").length;
  const refused = results.filter((result) => result.kind === "plan_limit").length;
  tell({ event: "spent", charged, refused });
};

/** Charges that stay running. */
const hold = async (store: AccountsStore, caller: Caller, count: number): Promise<void> => {
  for (let call = 0; call < count; call += 1) await store.meter.charge(request(caller));
  tell({ event: "held" });
};

/** One charge that is settled after that many milliseconds. */
const slow = async (store: AccountsStore, caller: Caller, wait_ms: number): Promise<void> => {
  const result = await store.meter.charge(request(caller, { idempotency_key: "slow" }));
  tell({ event: result.kind });
  await new Promise((resolve) => setTimeout(resolve, wait_ms));
  if (result.kind !== "charged") return;
  const standing = await store.meter.settle(result.charge_id, "done", null);
  tell({ event: standing === null ? "lost" : "settled" });
};

/** Tells that it is about to charge, then charges under the idempotency key `once`. */
const once = async (store: AccountsStore, caller: Caller): Promise<void> => {
  tell({ event: "charging" });
  const result = await store.meter.charge(request(caller, { idempotency_key: "once" }));
  tell({ event: result.kind });
};

/** Charges and settles eight at a time until killed; a line goes out only after the store has acknowledged. */
const storm = async (store: AccountsStore, caller: Caller): Promise<void> => {
  const client = async (name: number): Promise<void> => {
    for (let call = 0; ; call += 1) {
      const result = await store.meter.charge(request(caller, { tool: "resolve_ens" }));
      if (result.kind !== "charged") throw new Error(`Refused: ${result.kind}`);
      tell({ event: "charged", id: result.charge_id });
      const outcome = (call + name) % 3 === 0 ? "refunded" : "done";
      if ((await store.meter.settle(result.charge_id, outcome, null)) === null) throw new Error("Lost a lease");
      tell({ event: outcome, id: result.charge_id });
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, name) => client(name)));
};

/** Authenticates every 10 ms and tells when the key is refused for the first time. */
const watch = async (store: AccountsStore, secret: string): Promise<void> => {
  tell({ event: "watching" });
  while ((await store.meter.authenticate(`Bearer ${secret}`, "api")).kind === "caller")
    await new Promise((resolve) => setTimeout(resolve, 10));
  tell({ event: "refused", at: Date.now() });
};

/** Synchronous, so that nothing that was told can be lost in a buffer when the process is killed. */
const tell = (facts: object): void => void writeSync(1, `${JSON.stringify(facts)}\n`);

const [, , place, secret] = process.argv;
if (place === undefined || secret === undefined) throw new Error("child.js PLACE SECRET");
await main(readPlace(place), secret);
