import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { openPeople } from "../../../../test/contract/people.ts";
import { RIGHTS, ROLE_RIGHTS, ROLES } from "../../../accounts/roles.ts";
import { asOperations } from "../../operations/operation.ts";
import { operations } from "./operations.ts";
import { OPERATION_RIGHTS } from "./rights.ts";

const service = await openPeople({
  watch: { webhooks: true, local_origins: [], streams_per_account: 2 },
  accounts: {
    password_cost: { N: 1_024, r: 8, p: 1 },
    plans: { business: { monthly_credits: 1e6, keys_max: 1_000, calls_per_minute: 1e6 } },
    watch: { rules_per_account: 100, is_priced: false },
  },
});
afterAll(() => service.close());
const { settle, account_id, store } = service;

/** Queries and bodies of operations that need one; each is a right one, of things that need not be there. */
const BODIES: Readonly<Record<string, unknown>> = {
  create_own_key: { scopes: ["usage:read"] },
  link_own_user: { name: "zoe" },
  set_own_user_role: { role: "viewer" },
  follow_addresses: { network: "demo", addresses: ["0x0000000000000000000000000000000000000001"] },
  leave_addresses: { network: "demo", addresses: ["0x0000000000000000000000000000000000000001"] },
  find_answers: { questions: [{ tool: "resolve_ens", arguments: { ens_name: "alice.eth" } }] },
  create_case: { title: "" },
  change_case: { title: "", status: "open", version: 1 },
  remove_case: { version: 1 },
  change_case_note: { version: 1, at: "2026-11-20T12:00:00Z", text: "" },
  change_case_graph: {
    ...{ version: 1, title: "", saved_at: "2026-11-20T12:00:00Z", network: "demo", start: "0x01" },
    ...{ expansions: [], pinned: [], places: [] },
  },
  remove_case_part: { version: 1 },
  create_watch_rule: { network: "demo", address: "0x0000000000000000000000000000000000000001" },
};
const QUERIES: Readonly<Record<string, string>> = {
  search: "?q=usdc",
  show_market_price: "?network=demo&token=native",
  list_market_candles: "?network=demo&token=native&from=2026-01-01",
  list_market_trades: "?network=demo&token=native",

  show_own_usage: "?from=2026-11-01&to=2026-11-02",
};
const PLACES: Readonly<Record<string, string>> = { month: "2026-11", kind: "note" };

test.each(ROLES)("a %s does what the table says, by every operation, and nothing else", async (role) => {
  const { ask } = await settle(`matrix-${role.replace("_", "-")}`, { role });
  const rights: readonly string[] = ROLE_RIGHTS[role];
  for (const [id, { method, path }] of Object.entries(asOperations(operations))) {
    const needed = OPERATION_RIGHTS[id as keyof typeof OPERATION_RIGHTS];
    const may = needed.length === 0 || needed.some((right) => rights.includes(right));
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => PLACES[name] ?? "none") + (QUERIES[id] ?? "");
    const body = method === "GET" ? {} : { body: BODIES[id] ?? {} };
    const answer = await ask(method, url, body);
    // A missing object is 404 to a user with the right.
    const wanted =
      id === "revoke_own_key" && !rights.includes("keys:manage") ? 403 : may ? expect.toBeOneOf([200, 404]) : 403;
    expect([id, answer.status], JSON.stringify(answer.body)).toEqual([id, wanted]);
  }
  const called = await ask("POST", "/api/tools/resolve_ens", { body: { ens_name: "alice.eth" } });
  expect(called.status === 403).toBe(!rights.includes("api:call"));
  expect((await ask("GET", "/api/tools")).status).toBe(200);
});

test("a user without the right takes no key over, and a removed user keeps no access", async () => {
  const wide = await store.keys.create({ account_id, scopes: ["api:call", "watch:manage"] });
  const caller = await settle("taker");
  const rotate = `/api/account/keys/${wide.id}/rotate`;
  expect((await caller.ask("POST", rotate, { body: { grace_seconds: 60 } })).status).toBe(403);
  const manager = await settle("keeper", { role: "key_manager" });
  expect((await manager.ask("POST", rotate, { body: {} })).status).toBe(403);
  expect((await manager.ask("POST", "/api/account/keys", { body: { scopes: ["watch:manage"] } })).status).toBe(403);
  const made = await manager.ask("POST", "/api/account/keys", { body: { scopes: ["api:call"] } });
  const own = { headers: { authorization: `Bearer ${made.body.secret}` } };
  expect((await fetch(`${service.url}/api/account`, own)).status).toBe(200);

  const owner = await settle("boss", { role: "owner" });
  const listed = await owner.ask("GET", "/api/account/keys");
  const row = listed.body.keys.find((key: { id: string }) => key.id === made.body.id);
  expect(row).toMatchObject({ created_by: `user:${manager.id}`, rotated_by: null, rotated_at: null });
  expect((await owner.ask("POST", `/api/account/users/${manager.id}/remove`, { body: {} })).status).toBe(200);
  expect((await fetch(`${service.url}/api/account`, own)).status).toBe(401);
  expect((await manager.ask("GET", "/api/account")).status).toBe(401);
  const changes = await owner.ask("GET", "/api/account/changes");
  expect(changes.body.entries.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["key.create", "key.revoke", "user.remove"]),
  );
});

test("an owner changes no operator, and no user of another account", async () => {
  const owner = await settle("head", { role: "owner" });
  const operator = await settle("op", { is_operator: true, role: "caller" });
  const other = await store.accounts.create({ name: "Other", plan: "business" });
  const stranger = await store.users.link({ name: "stranger", account_id: other.id, is_operator: false });
  for (const [id, status] of [
    [operator.id, 403],
    [stranger.id, 404],
  ] as const) {
    expect((await owner.ask("POST", `/api/account/users/${id}/remove`, { body: {} })).status).toBe(status);
    expect((await owner.ask("PUT", `/api/account/users/${id}/role`, { body: { role: "viewer" } })).status).toBe(status);
  }
  for (const name of ["op", "stranger"])
    expect((await owner.ask("POST", "/api/account/users", { body: { name } })).status).toBe(422);
  const changes = await owner.ask("GET", "/api/account/changes?limit=500");
  const subjects = changes.body.entries.map(({ subject }: { subject: string }) => subject);
  expect(subjects).not.toContain(stranger.id);
});

test("a rule's url that leads to no public address by its text is refused when the rule is made", async () => {
  const { ask } = await settle("watch", { role: "watcher" });
  for (const url of ["https://127.0.0.1/x", "https://10.0.0.1/", "https://printer.local/", "https://a.example:8443/"]) {
    const made = await ask("POST", "/api/watch/rules", { body: { ...(BODIES.create_watch_rule as object), url } });
    expect([url, made.status, made.body.detail]).toEqual([url, 422, expect.stringContaining("can never be sent to")]);
  }
});

test("the documentation shows the table as it is", () => {
  const head = ["Right", ...ROLES.map((role) => `\`${role}\``)];
  const rows = RIGHTS.map((right) => [
    `\`${right}\``,
    ...ROLES.map((role) => ((ROLE_RIGHTS[role] as readonly string[]).includes(right) ? "yes" : "")),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) =>
    `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |"),
  );
  const text = lines.join("\n").replaceAll("|  |", "| |");
  expect(readFileSync(new URL("../../../../docs/operating/sign_in.md", import.meta.url), "utf8")).toContain(text);
});
