import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import { factsIdentity } from "../../src/store/fence.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import { startDemoWorld } from "../demo_world.ts";
import { payNow } from "./character_payment.ts";
import { openTestService, T0, type TestService } from "./served_world.ts";
import { expectPaid, openWatcher, SOON, WATCHING } from "./watcher.ts";

/** Rules on addresses of a network that is read on demand: each new block of the address is matched once, by one process after the other. */

let world: EvmWorld;
let stage: TestService;
const on_demand = settings.parse({ on_demand: { follow_seconds: 0 } }).on_demand;
const open = (data_dir?: string): Promise<TestService> => {
  const { project: _, network, ...demo } = demoNetwork(world);
  // No price comes between the payments and their events.
  const networks = [{ ...demo, network: { ...network, stablecoins: [] }, index: "on_demand" as const, poll_ms: 100 }];
  const how = data_dir === undefined ? {} : { data_dir };
  return openTestService({ networks, settings: { on_demand, ...WATCHING }, ...how });
};
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  await world.rpc.call("anvil_mine", "0x60");
  stage = await open();
});
afterAll(async () => {
  await stage?.close();
  await world?.stop();
});

/** Alice pays Bob, in the newest block. Returns its number. */
const payTail = async (value: number) => (await payNow(world, { from: "alice", to: "bob", value })).block;

/** A final one. */
const pay = async (value: number): Promise<void> => {
  await payTail(value);
  await world.rpc.call("anvil_mine", "0x60");
};

/** Until the blocks of an address are matched up to the newest final one that it is read to. */
const isMatched = async ({ service: { facts, accounts } }: TestService, name: "alice" | "bob"): Promise<void> => {
  const subject = CHARACTERS[name].address.slice(2).toLowerCase();
  const of = { facts: `${await factsIdentity(facts.engine)} ${subject}`, network: "demo" };
  const reached = async () => {
    const [record] = await readSubjects(facts.engine, "demo", [hex(subject)]);
    const mark = (await accounts.watch.follow.state(of)).blocks.at(-1)?.number;
    return record?.state === "read" && record.to_block === mark;
  };
  await expect.poll(reached, SOON).toBe(true);
};

/** Events of one rule: the direction and the raw amount of each, oldest first. */
const toldOf = async ({ service: { accounts } }: TestService, account_id: string, rule_id: string) => {
  const page = { account_id, rule_id, is_dead: false, before: null, limit: 100 };
  const events = await accounts.watch.events.list(page);
  return events
    .map(({ body }) => JSON.parse(body))
    .map(({ direction, movement }) => `${direction} ${movement.amount_raw}`)
    .reverse();
};

test("payments of watched addresses make one event for each rule, also after a restart", async () => {
  const watcher = await openWatcher(stage.service);
  const rule = (name: "alice" | "bob") =>
    watcher.watch({ network: "demo", address: CHARACTERS[name].address, events: ["movement"], include_unpriced: true });
  // The chain of the demo has a clock of its own: rules are made after the histories were read.
  for (const name of ["alice", "bob"] as const) {
    const asked = { address: CHARACTERS[name].address, network: "demo" };
    await expect.poll(async () => (await stage.ask("get_wallet_stats", asked)).body.code, SOON).toBeUndefined();
    await isMatched(stage, name);
  }
  const [alice, bob] = [await rule("alice"), await rule("bob")];
  await pay(4_001);
  const told = (rule_id: string) => toldOf(stage, watcher.account_id, rule_id);
  await expect.poll(() => told(alice), SOON).toEqual(["out 4001"]);
  await expect.poll(() => told(bob), SOON).toEqual(["in 4001"]);
  await stage.service.close();
  await pay(4_002);
  stage = await open(stage.data_dir);
  await expect.poll(() => told(bob), SOON).toEqual(["in 4001", "in 4002"]);
  await expect.poll(() => told(alice), SOON).toEqual(["out 4001", "out 4002"]);
  await pay(4_003);
  await expect.poll(() => told(alice), SOON).toEqual(["out 4001", "out 4002", "out 4003"]);
  await expect.poll(() => told(bob), SOON).toEqual(["in 4001", "in 4002", "in 4003"]);
});

test("an event about a block near the head comes before it is final, and is revoked with the block", async () => {
  const watcher = await openWatcher(stage.service);
  const { address } = CHARACTERS.bob;
  const rule = await watcher.watch({ network: "demo", address, events: ["movement"], include_unpriced: true });
  const block = await payTail(4_004);
  await expect.poll(() => watcher.types(rule), SOON).toEqual(["movement"]);
  const [paid] = await watcher.told(rule);
  expect(paid).toMatchObject({ direction: "in", block: { number: block, state: "tail" } });
  await world.rpc.call("anvil_reorg", 1, []);
  await world.rpc.call("anvil_mine", "0x2");
  await expect.poll(() => watcher.types(rule), SOON).toEqual(["movement", "retracted"]);
  expect((await watcher.told(rule))[1]).toMatchObject({ retracts: paid.id, block: paid.block });
  // The same block becomes final after its event.
  await payTail(4_005);
  await expect.poll(() => watcher.types(rule), SOON).toEqual(["movement", "retracted", "movement"]);
  await world.rpc.call("anvil_mine", "0x60");
  await isMatched(stage, "bob");
  await pay(4_006);
  const all = ["movement", "retracted", "movement", "movement"];
  await expect.poll(() => watcher.types(rule), SOON).toEqual(all);
  await isMatched(stage, "bob");
  expect(await watcher.types(rule)).toEqual(all);
  expect((await watcher.told(rule)).map(({ movement }) => movement?.amount_raw)).toEqual([
    ...["4004", undefined, "4005", "4006"],
  ]);
  await expectPaid(stage.service, watcher, [rule]);
});
