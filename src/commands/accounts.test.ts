import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAccounts } from "../accounts/open.ts";
import { findPostgres, startPostgresServer } from "../accounts/testing/postgres_server.ts";
import { callerOf, charged, request, settingsFor } from "../accounts/testing/store.ts";
import { loadSettings } from "../config/settings.ts";
import { type Command, type CommandIo, EXIT, parseArgs, UsageFault } from "./command.ts";
import { commandNamed } from "./index.ts";

const account = commandNamed("account");
const accounts = commandNamed("accounts");
const allowlist = commandNamed("allowlist");
const audit = commandNamed("audit");
const key = commandNamed("key");
const ledger = commandNamed("ledger");
const prices = commandNamed("prices");
const user = commandNamed("user");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-command-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one command line on a data folder of its own. */
const type = async (command: Command, line: string, json = true) => {
  const out: string[] = [];
  const err: string[] = [];
  const env = { ASSAY_DATA_DIR: folder };
  const io: CommandIo = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    json,
    tty: false,
    env,
    checkout: folder,
    settings: () => loadSettings({ config: null, cwd: folder, home: folder, env }),
    signal: new AbortController().signal,
  };
  const code = await command.run(parseArgs(command, line.split(" ")), io);
  return { code, out: out.join(""), err: err.join("") };
};

const data = async (command: Command, line: string) => {
  const { code, out } = await type(command, line);
  expect(code).toBe(EXIT.ok);
  return JSON.parse(out);
};

test("account create prints id, name, plan and created_at, and the other actions work on that id", async () => {
  const made = await data(account, "create Acme --plan pro");
  expect(Object.keys(made)).toEqual(["id", "name", "plan", "created_at"]);
  expect(made).toMatchObject({ name: "Acme", plan: "pro" });
  expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(await data(account, "list")).toEqual({ accounts: [made] });
  expect(await data(account, `grant ${made.id} 7`)).toMatchObject({ credits_quota: 20_007 });
  expect(await data(account, `plan ${made.id} free`)).toMatchObject({ plan: "free", credits_quota: 507 });
  expect(await data(account, `plan ${made.id} custom --credits 9 --keys 3 --calls-per-minute 4`)).toMatchObject({
    credits_quota: 16,
    keys_max: 3,
    calls_per_minute: 4,
  });
  expect(await data(account, `show ${made.id}`)).toMatchObject({ plan: "custom", credits_remaining: 16 });
});

test("an account is called by its name as well, unless several bear it or one has it as its id", async () => {
  const { id } = await data(account, "create Acme --plan pro");
  expect(await data(account, "show Acme")).toMatchObject({ id });
  expect(await data(account, "grant Acme 7")).toMatchObject({ credits_quota: 20_007 });
  const made = await data(key, "create --account Acme --scope api:call");
  expect((await data(key, "list --account Acme")).keys).toMatchObject([{ id: made.id, account_id: id }]);
  await data(account, `create ${id}`);
  expect(await data(account, `show ${id}`)).toMatchObject({ id, name: "Acme" });
  await data(account, "create Acme");
  await expect(type(account, "show Acme")).rejects.toThrow("several accounts are called 'Acme': ");
  await expect(type(account, "show Nobody")).rejects.toMatchObject({ code: "UNKNOWN_ACCOUNT" });
});

test("account usage tells a month and days, as JSON and as CSV, and names a missing argument", async () => {
  const { id } = await data(account, "create Acme --plan pro");
  const store = await openAccounts(settingsFor({ engine: "sqlite", path: join(folder, "accounts.db") }));
  const { secret } = await store.keys.create({ account_id: id, scopes: ["api:call"] });
  const caller = await callerOf(store.meter, secret);
  const { charge_id } = charged(await store.meter.charge(request(caller, { tool: "get_wallet_pnl" })));
  await store.meter.settle(charge_id, "done", null);
  await store.close();
  const day = new Date().toISOString().slice(0, 10);
  const month = await data(account, `usage ${id} --month ${day.slice(0, 7)}`);
  expect(month).toMatchObject({ credits_used: 25, lines: [{ tool: "get_wallet_pnl", price: 25, calls: 1 }] });
  const lines = await type(account, `usage ${id} --from ${day} --to ${day} --by day,tool --csv`);
  expect(lines.out).toBe(`day,tool,calls,credits,credits_refunded\r\n${day},get_wallet_pnl,1,25,0\r\n`);
  await expect(type(account, `usage ${id}`)).rejects.toThrow("give --month YYYY-MM, or --from and --to");
  await expect(type(account, `usage ${id} --month 2026-11 --from ${day}`)).rejects.toThrow("--month goes without");
});

test("user link prints a link that opens once, list and remove show who signs in", async () => {
  await data(account, "create Acme");
  const { out, err } = await type(user, "link --account Acme --name Ann --makes-keys --url http://127.0.0.1:9", false);
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:9\/app\/set-up#[\w-]{43}\n$/);
  expect(err).toContain("The first visitor of this link chooses the password of 'ann'");
  const { users } = await data(user, "list --account Acme");
  expect(users).toMatchObject([{ name: "ann", state: "invited", is_operator: false, role: "key_manager" }]);
  const { link, ...operator } = await data(user, "link --operator");
  expect(operator).toMatchObject({ name: "operator", account_id: null, is_operator: true });
  expect(link).toContain("/app/set-up#");
  expect(await data(user, `remove ${users[0].id}`)).toMatchObject({ state: "removed" });
  await expect(type(user, "link --name ann")).rejects.toThrow("give the account with --account");
});

test("key create prints its secret once, with the fields of the documentation in their order", async () => {
  const { id } = await data(account, "create Acme");
  const made = await data(key, `create --account ${id} --scope api:call --scope mcp:call --limit 5`);
  expect(Object.keys(made)).toEqual(["id", "account_id", "prefix", "secret", "scopes", "limit", "created_at"]);
  expect(made).toMatchObject({ account_id: id, scopes: ["api:call", "mcp:call"], limit: 5 });
  expect(made.secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  const rotated = await data(key, `rotate ${made.id} --grace 60`);
  expect(rotated.id).toBe(made.id);
  expect(rotated.secret).not.toBe(made.secret);
  const listed = await type(key, `list --account ${id}`);
  expect(listed.out).toContain(rotated.prefix);
  expect(listed.out + listed.err).not.toContain(rotated.secret);
  expect((await data(key, `revoke ${made.id}`)).revoked_at).not.toBeNull();
});

test("prices are set over the card's and listed with their version", async () => {
  const before = await data(prices, "list");
  const set = await data(prices, "set resolve_ens 3");
  expect(set).toMatchObject({ tool: "resolve_ens", credits: 3 });
  const after = await data(prices, "list");
  expect(after.catalog_version).toBe(set.catalog_version);
  expect(after.catalog_version).not.toBe(before.catalog_version);
  expect(after.prices).toContainEqual({ tool: "resolve_ens", credits: 3, source: "operator" });
  expect(await data(prices, "set resolve_ens null")).toMatchObject({ credits: null });
  expect((await type(prices, "list", false)).out).toMatch(/^null {2}resolve_ens {2}\(set by the operator\)$/m);
});

test("a hidden tool is listed as hidden until it is published again, and the trail tells who did what", async () => {
  expect(await data(allowlist, "hide resolve_ens")).toEqual({ tool: "resolve_ens", is_public: false });
  expect((await type(allowlist, "list", false)).out).toMatch(/^hidden {2}resolve_ens$/m);
  expect(await data(allowlist, "publish resolve_ens")).toEqual({ tool: "resolve_ens", is_public: true });
  const { entries } = await data(audit, "--limit 2");
  expect(entries).toMatchObject([
    { action: "tool.list", subject: "resolve_ens", after: { is_public: true } },
    { action: "tool.list", subject: "resolve_ens", after: { is_public: false } },
  ]);
  expect(entries[0].actor).toMatch(/^command-line:./);
  expect((await data(audit, `--before ${entries[1].seq}`)).entries[0].seq).toBe(entries[1].seq - 1);
});

test("ledger verify reports that every invariant holds, and that no other process was running", async () => {
  const { code, out, err } = await type(ledger, "verify");
  expect(code).toBe(EXIT.ok);
  expect(JSON.parse(out)).toEqual({ ok: true, violations: [], witnesses: { same: [], silent: [] }, service: null });
  expect(err).toContain("No service is running on this store");
});

test("ledger verify names the service that reads what it writes", async () => {
  const running = await openAccounts(settingsFor({ engine: "sqlite", path: join(folder, "accounts.db") }));
  const { code, out, err } = await type(ledger, "verify");
  await running.close();
  expect(code).toBe(EXIT.ok);
  expect(JSON.parse(out)).toMatchObject({ ok: true, witnesses: { same: ["instance-0"], silent: [] } });
  expect(err).toContain("instance-0: read what was written here, and was read here.");
});

test("ledger verify fails where a service noted its address in the folder and works on another store", async () => {
  const elsewhere = createServer((request, response) =>
    response.writeHead(request.url === "/healthz" ? 200 : 404).end(),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`; // it listens on a port
  writeFileSync(join(folder, "url"), `${url}\n`);
  const { code, out, err } = await type(ledger, "verify");
  await new Promise((resolve) => elsewhere.close(resolve));
  expect(code).toBe(EXIT.error);
  expect(JSON.parse(out)).toMatchObject({ ok: false, violations: [], service: url });
  expect(err).toContain(`The service on ${url} works on another accounts store`);
  // Its note outlives a service that was killed.
  expect((await type(ledger, "verify")).code).toBe(EXIT.ok);
});

const bin = findPostgres();

test.skipIf(bin === null)(
  "accounts migrate moves everything to PostgreSQL, tells how much, and the file is closed",
  async () => {
    await data(account, "create Acme --plan pro");
    const server = startPostgresServer(bin ?? "", { fsync: "off" });
    try {
      const line = `migrate --from sqlite --to postgres --url ${server.url()}`;
      expect(await data(accounts, line)).toMatchObject({
        is_repeated: false,
        rows: { accounts: 1, keys: 0, charges: 0 },
      });
      await expect(type(account, "list")).rejects.toThrow("set accounts.engine to postgres");
      expect((await type(accounts, line)).err).toContain("Everything was there already");
      expect((await type(accounts, "reopen")).code).toBe(EXIT.ok);
      expect((await data(account, "list")).accounts).toHaveLength(1);
    } finally {
      server.remove();
    }
  },
);

const COMMANDS = { account, accounts, allowlist, audit, key, ledger, prices };

test.each([
  ["account", "create"],
  ["account", "destroy x"],
  ["account", "toString"],
  ["account", "grant x 1.5"],
  ["account", "create Acme --colour red"],
  ["key", "create --scope api:call"],
  ["key", "create --account x"],
  ["key", "rotate x --grace soon"],
  ["prices", "set resolve_ens"],
  ["prices", "set resolve_ens -1"],
  ["ledger", "burn"],
  ["accounts", "migrate"],
  ["accounts", "migrate --from sqlite --to postgres"],
  ["accounts", "migrate --from postgres --to sqlite --url postgres://x/y"],
  ["accounts", "migrate --from sqlite --to postgres --url mysql://x/y"],
  ["accounts", "move"],
  ["allowlist", "forget resolve_ens"],
  ["audit", "--limit 0"],
] as const)("a wrong line is a fault of usage: %s %s", async (name, line) => {
  await expect(type(COMMANDS[name], line)).rejects.toBeInstanceOf(UsageFault);
});

test("reports refusals of the accounts store as sentences", async () => {
  await expect(type(key, "create --account account_x --scope api:call")).rejects.toThrow(
    "Account 'account_x' does not exist.",
  );
  await expect(type(account, "create Acme --plan gold")).rejects.toThrow(/no plan 'gold': there are free, plus, pro/);
});
