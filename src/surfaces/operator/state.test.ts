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
