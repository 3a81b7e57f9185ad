import { afterAll, expect, test } from "vitest";
import { OPERATOR_STATE } from "../../../test/operator_state.ts";
import { openTemporary } from "../../accounts/testing/temporary.ts";
import { refusedBy } from "../operations/output.ts";
import { operatorOperations } from "./state.ts";

const store = await openTemporary();
afterAll(() => store.remove());
const desk = { store, admin: store.as("alice"), state: OPERATOR_STATE };

test("reports networks with their gaps, and lists with their age", async () => {
  const { list_networks, list_lists } = operatorOperations;
  const { networks } = list_networks.output.parse(await list_networks.run(desk, {}));
  expect(networks).toMatchObject([
    // 3 to 5 and 111 to 120: 13 blocks.
    {
      network: "demo",
      head: 120,
      blocks_per_second: 2.5,
      gap_count: 2,
      missing_blocks: 13,
      verified: "full",
      priced_percent: 41,
    },
  ]);
  const { lists } = list_lists.output.parse(await list_lists.run(desk, {}));
  // From the 18th, 11:30, to the 20th, 12:00: 48 hours and a half.
  expect(lists).toMatchObject([
    { list: "ofac", rows: 12, published_on: null, imported_at: "2026-11-18T11:30:00Z", age_hours: 48 },
  ]);
});

test("reports the lag of a network with its cause, its history, and the health of nodes", async () => {
  const { list_networks, show_network_history, list_endpoints } = operatorOperations;
  const { networks } = list_networks.output.parse(await list_networks.run(desk, {}));
  // 2026-11-20T12:00Z is 1,795,176,000: that much after the block of 1,767,225,600. 4 of 40 requests failed, which is one in ten.
  expect(networks).toMatchObject([{ lag_seconds: 27_950_400, lag_blocks: 10, lag_cause: "node_errors" }]);
  const history = async (minutes: number) =>
    show_network_history.output.parse(await show_network_history.run(desk, { network: "demo", minutes }));
  expect((await history(60)).samples).toEqual([]);
  const { networks: now } = await OPERATOR_STATE.status();
  const status = now.demo;
  if (status === undefined) throw new Error("the process has the network");
  const end_ms = OPERATOR_STATE.now_ms();
  // The lag is 1 to 1,000 blocks in the last 1,000 minutes, the newest sample has the largest.
  for (let minute = 1_000; minute > 0; minute -= 1)
    OPERATOR_STATE.health.history.take(
      "demo",
      { ...status, lag_blocks: 1_001 - minute },
      { at_ms: end_ms - (minute - 1) * 60_000, endpoints: [] },
    );
  const hour = (await history(59)).samples;
  expect([hour.length, hour[0]?.lag_blocks, hour.at(-1)]).toEqual([
    60,
    941,
    { at: "2026-11-20T12:00:00Z", lag_blocks: 1_000, lag_seconds: 27_950_400, lag_cause: "history" },
  ]);
  // 1,000 samples by 6 are 167: of each six, the one with the largest lag.
  const day = (await history(1_440)).samples;
  expect([day.length, day[0]?.lag_blocks, day.at(-1)?.lag_blocks]).toEqual([167, 6, 1_000]);
  const unknown = await show_network_history.run(desk, { network: "none", minutes: 1 }).then(
    () => null,
    (error: unknown) => refusedBy(error)?.status,
  );
  expect(unknown).toBe(404);
  const { endpoints } = list_endpoints.output.parse(await list_endpoints.run(desk, { minutes: 1_440 }));
  expect(endpoints).toEqual([
    {
      ...{ network: "demo", endpoint: "node.example", requests: 40, calls: 90, failed: 4 },
      ...{ errors: { rate: 3, timeout: 1 }, mean_seconds: 0.5, rate_waits: 5, rate_wait_seconds: 2.5 },
      ...{ rate_limit: 12.5, rate_counts: "requests", concurrency: 4, batch: 20 },
    },
  ]);
});

test("an import of a list is in the trail, and one that was not previewed is refused", async () => {
  const { preview_list, import_list, list_audit } = operatorOperations;
  const wish = { ...{ list: "mine", format: "labels-csv", text: "x", licence: "", origin: "", networks: [] } };
  const preview = preview_list.output.parse(await preview_list.run(desk, wish));
  expect(preview).toMatchObject({ added: 2, refused: [{ places: [4] }], conflict_count: 1, basis: "basis-1" });
  const status = await import_list.run(desk, { ...wish, basis: "other" }).then(
    () => null,
    (error: unknown) => refusedBy(error)?.status,
  );
  expect(status).toBe(409);
  await import_list.run(desk, { ...wish, basis: preview.basis });
  const read = async (of: object) =>
    list_audit.output.parse(await list_audit.run(desk, { limit: 10, ...of })).entries.map(({ action }) => action);
  expect(await read({ action: "list" })).toEqual(["list.import"]);
  expect(await read({ action: "list.import", actor: "alice", subject: "mine" })).toEqual(["list.import"]);
  expect(await read({ action: "lis" })).toEqual([]);
  expect(await read({ actor: "bob" })).toEqual([]);
});

test("lists and removes users, and shows a link's token once", async () => {
  const { link_user, list_users, remove_user } = operatorOperations;
  const { id: account_id } = await store.accounts.create({ name: "Users", plan: "free" });
  const wish = { name: "Zoe", account_id, is_operator: false };
  const { token, ...user } = link_user.output.parse(await link_user.run(desk, wish));
  expect(user).toMatchObject({ name: "zoe", account_id, state: "invited", link_until: "2026-11-23T12:00:00Z" });
  expect(await store.sessions.linkOf(token)).toMatchObject({ name: "zoe" });
  expect(await list_users.run(desk, { account_id })).toEqual({ users: [user] });
  expect(await remove_user.run(desk, { user_id: user.id })).toMatchObject({ state: "removed" });
  const unknown = await remove_user.run(desk, { user_id: "user_none" }).then(
    () => null,
    (error: unknown) => refusedBy(error)?.status,
  );
  expect(unknown).toBe(404);
  const trail = await store.audit({ limit: 10, before_seq: null });
  expect(trail.slice(0, 2).map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    ["alice", "user.remove", user.id],
    ["alice", "user.link", user.id],
  ]);
  expect(JSON.stringify(trail)).not.toContain(token);
});
