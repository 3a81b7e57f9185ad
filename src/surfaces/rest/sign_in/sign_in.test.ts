import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { WALLET } from "../../../../test/contract/bench_tools.ts";
import { browserOf, openPeople, PASSWORD } from "../../../../test/contract/people.ts";
import { assertDescribed } from "../../../../test/openapi.ts";
import { operatorOperations } from "../../operator/state.ts";

// People who sign in, over HTTP as their browsers send it (docs/operating/sign_in.md).
const service = await openPeople({ sign_in: { operators: true } });
afterAll(() => service.close());
const { store, settle, invite, account_id } = service;
const document = (await (await fetch(`${service.url}/api/account/openapi.json`)).json()) as Record<string, unknown>;

const call = { body: { address: WALLET, network: "demo" } };

describe("a browser", () => {
  test("gets a session by a link, whose cookie no script reads and no other site sends, and loses it at sign-out", async () => {
    const { ask, cookies, seen } = await settle("ann");
    expect(seen.lines.find((line) => line.startsWith("assay_session="))).toMatch(
      /^assay_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    const shown = await ask("GET", "/api/session");
    assertDescribed(document, { method: "GET", path: "/api/session" }, shown);
    expect(shown.body.user).toEqual({
      ...{ id: expect.stringMatching(/^user_/), name: "ann", account_id, is_operator: false },
      ...{ role: "caller", rights: ["usage:read", "cases:read", "api:call", "mcp:call", "cases:write"] },
    });
    const before = cookies.get("assay_session") ?? "";
    expect((await ask("POST", "/api/session/end", { body: {} })).body.user).toBeNull();
    expect(cookies.has("assay_session")).toBe(false);
    expect((await ask("GET", "/api/session", { headers: { cookie: `assay_session=${before}` } })).body.user).toBeNull();
    expect((await ask("GET", "/api/account", { headers: { cookie: `assay_session=${before}` } })).status).toBe(401);
  });

  test("gets another session at each sign-in, never one that was planted", async () => {
    const { ask, cookies } = await settle("bea");
    const planted = cookies.get("assay_session");
    const signed_in = await ask("POST", "/api/session", { body: { name: "bea", password: PASSWORD } });
    assertDescribed(document, { method: "POST", path: "/api/session" }, signed_in);
    expect(cookies.get("assay_session")).not.toBe(planted);
    // The one before is over.
    expect(
      (await ask("GET", "/api/session", { headers: { cookie: `assay_session=${planted}` } })).body.user,
    ).toBeNull();
    expect((await ask("GET", "/api/session/list")).body.sessions).toMatchObject([{ is_this: true }]);
  });

  test("gets the same answer for a wrong password and for an unknown name", async () => {
    await settle("cam");
    const { ask } = browserOf(service);
    const answers = [];
    for (const name of ["cam", "nobody"])
      answers.push(await ask("POST", "/api/session", { body: { name, password: "not the password" } }));
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({ detail: "The name or the password is wrong." });
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  test("finds a used or made-up link closed, and its token is in no answer", async () => {
    const { token } = await invite("dee");
    const { ask } = browserOf(service);
    const link = await ask("POST", "/api/session/link", { body: { token } });
    assertDescribed(document, { method: "POST", path: "/api/session/link" }, link);
    expect(link.body.name).toBe("dee");
    expect((await ask("POST", "/api/session/set-up", { body: { token, password: "too short" } })).status).toBe(422);
    expect((await ask("POST", "/api/session/set-up", { body: { token, password: PASSWORD } })).status).toBe(200);
    for (const used of [token, "x".repeat(43), "x"]) {
      const again = await ask("POST", "/api/session/set-up", { body: { token: used, password: PASSWORD } });
      expect([again.status, JSON.stringify(again.body).includes(used) && used.length > 1]).toEqual([410, false]);
    }
  });

  test("waits after failures, which its own earlier sign-in spares it", async () => {
    const { ask } = await settle("eli");
    const stranger = browserOf(service);
    const enter = (who: typeof stranger, password: string) =>
      who.ask("POST", "/api/session", { body: { name: "eli", password }, headers: { "x-csrf-token": null } });
    for (let failed = 0; failed < 6; failed += 1) expect((await enter(stranger, "not the password")).status).toBe(401);
    const delayed = await enter(stranger, PASSWORD);
    assertDescribed(document, { method: "POST", path: "/api/session" }, delayed);
    expect([delayed.status, delayed.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await ask("POST", "/api/session", { body: { name: "eli", password: PASSWORD } })).status).toBe(200);
    store.clock.at += 1_000;
    expect((await enter(stranger, PASSWORD)).status).toBe(200);
  });
});

describe("a session", () => {
  test("calls tools, which cost the account what they cost by a key, to the credit, and verify", async () => {
    const { ask, id } = await settle("fox");
    const before = await store.accounts.show(account_id);
    const { credits } = (await ask("GET", "/api/tools")).body.tools[0];
    const name = (await ask("GET", "/api/tools")).body.tools[0].name;
    const calls = await Promise.all(Array.from({ length: 20 }, () => ask("POST", `/api/tools/${name}`, call)));
    for (const { status, headers } of calls)
      expect([status, headers.get("x-credits-charged")]).toEqual([200, String(credits)]);
    const after = await store.accounts.show(account_id);
    expect(after.credits_used - before.credits_used).toBe(20 * credits);
    const ledger = await ask("GET", "/api/account/ledger?limit=20");
    assertDescribed(document, { method: "GET", path: "/api/account/ledger" }, ledger);
    const told = calls.map(({ headers }) => headers.get("x-request-id")).sort();
    const rows: { call: { request_id: string; key_id: string } }[] = ledger.body.rows;
    expect(rows.map((row) => row.call.request_id).sort()).toEqual(told);
    expect(new Set(rows.map((row) => row.call.key_id))).toEqual(new Set([id]));
    expect(await store.ledger.verify()).toEqual([]);
  });

  test("changes and pays nothing without its token, from another site, or beside a second cookie", async () => {
    const { ask, cookies } = await settle("gil", { role: "key_manager" });
    const other = await settle("gia");
    const value = cookies.get("assay_session");
    const faults: Record<string, string | null>[] = [
      { "x-csrf-token": null },
      { "x-csrf-token": "" },
      { "x-csrf-token": "A".repeat(43) },
      { "x-csrf-token": other.seen.csrf },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: null },
      { origin: `${service.url}.evil.example` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "x-forwarded-for": "192.0.2.1" },
    ];
    const before = await store.accounts.show(account_id);
    for (const headers of faults)
      for (const [path, body] of [
        ["/api/tools/resolve_ens", call.body],
        ["/api/account/keys", { scopes: ["api:call"] }],
        ["/api/session/end", {}],
        ["/api/session/password", { password: PASSWORD, new_password: `${PASSWORD} 2` }],
        ["/api/operator/accounts", { name: "mine" }],
      ] as const) {
        const { status } = await ask("POST", path, { body, headers });
        expect(status, `${path} ${JSON.stringify(headers)}`).toBe(403);
      }
    const twice = await ask("GET", "/api/account", {
      headers: { cookie: `assay_session=${value}; assay_session=${other.cookies.get("assay_session")}` },
    });
    expect(twice.status).toBe(401);
    expect((await ask("GET", "/api/account", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect(await store.accounts.show(account_id)).toEqual(before);
    expect((await ask("GET", "/api/session")).body.user.name).toBe("gil");
  });

  test("opens neither the protocol of assistants nor, beside a wrong key, anything", async () => {
    const { ask } = await settle("hug");
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expect((await ask("POST", "/mcp", { body })).status).toBe(401);
    expect((await ask("GET", "/api/account", { headers: { authorization: "Bearer none" } })).status).toBe(401);
  });

  test("ends within the page when its user is removed, and what they were charged stays exact", async () => {
    const { ask, id } = await settle("ivy");
    expect((await ask("POST", "/api/tools/resolve_ens", call)).status).not.toBe(401);
    await store.users.remove(id);
    const ended = await ask("POST", "/api/tools/resolve_ens", call);
    expect([ended.status, ended.body.detail]).toEqual([401, "The session has ended: sign in again"]);
    expect((await ask("GET", "/api/account/usage?from=2026-11-01&to=2026-11-30")).status).toBe(401);
    expect((await ask("GET", "/api/session")).body.user).toBeNull();
    expect(await store.ledger.verify()).toEqual([]);
  });

  test("is ended from another browser of the same user", async () => {
    const first = await settle("joe");
    const second = browserOf(service);
    await second.ask("POST", "/api/session", { body: { name: "joe", password: PASSWORD } });
    const { sessions } = (await second.ask("GET", "/api/session/list")).body;
    const other = sessions.find(({ is_this }: { is_this: boolean }) => !is_this);
    const ended = await second.ask("POST", `/api/session/list/${other.id}/end`);
    assertDescribed(document, { method: "POST", path: "/api/session/list/{session_id}/end" }, ended);
    expect((await first.ask("GET", "/api/account")).status).toBe(401);
    expect((await second.ask("POST", `/api/session/list/${other.id}/end`)).status).toBe(404);
  });

  test("makes keys only where the operator has given that, lists, rotates and revokes those of its account", async () => {
    const plain = await settle("kai");
    const body = { scopes: ["api:call"] };
    expect((await plain.ask("POST", "/api/account/keys", { body })).status).toBe(403);
    const { ask, id } = await settle("lou", { role: "key_manager" });
    const made = await ask("POST", "/api/account/keys", { body });
    assertDescribed(document, { method: "POST", path: "/api/account/keys" }, made);
    expect(made.body.secret).toMatch(/^svc_live_/);
    const { keys } = (await ask("GET", "/api/account/keys")).body;
    expect(keys.map((key: { id: string }) => key.id)).toContain(made.body.id);
    expect(keys.map((key: { id: string }) => key.id)).not.toContain(id);
    expect((await ask("POST", `/api/account/keys/${made.body.id}/rotate`, { body: {} })).status).toBe(200);
    expect((await ask("POST", `/api/account/keys/${made.body.id}/revoke`)).body.revoked_at).not.toBeNull();
    const [newest] = await store.audit({ limit: 1, before_seq: null });
    expect(newest).toMatchObject({ actor: `user:${id}`, action: "key.revoke", subject: made.body.id });
  });
});

describe("an operator who is signed in", () => {
  test("may use the operations of operators under their own name; other users may not", async () => {
    const { ask, id } = await settle("mia", { is_operator: true });
    const made = await ask("POST", "/api/operator/accounts", { body: { name: "New", plan: "free" } });
    expect(made).toMatchObject({ status: 200, body: { name: "New" } });
    const [newest] = (await ask("GET", "/api/operator/audit?limit=1")).body.entries;
    expect(newest).toMatchObject({ actor: `user:${id}`, action: "account.create", subject: made.body.id });
    expect((await ask("GET", "/api/operator/networks")).body.networks[0].missing_blocks).toBe(13);
    expect((await ask("GET", "/api/session")).body.user.is_operator).toBe(true);
    const holder = await settle("nat");
    for (const { method, path } of Object.values(operatorOperations)) {
      const sent = method === "GET" ? {} : { body: {} };
      const url = `/api${path.replace(/\{\w+\}/g, "one")}`;
      expect([method, url, (await holder.ask(method, url, sent)).status]).toEqual([method, url, 403]);
    }
    expect((await browserOf(service).ask("GET", "/api/operator/accounts")).status).toBe(401);
    // The address of the operator API itself stays unknown here.
    expect((await ask("GET", "/operator/accounts")).status).toBe(404);
  });

  test("finds nothing of it where that is not allowed", async () => {
    const closed = await openPeople();
    onTestFinished(() => closed.close());
    const { ask } = await closed.settle("ora", { is_operator: true });
    expect((await ask("GET", "/api/operator/accounts")).status).toBe(404);
    expect((await ask("GET", "/api/session")).body.user.is_operator).toBe(false);
  });
});

test("a page under another name of this machine, as DNS rebinding makes one, signs no user in", async () => {
  const { ask, cookies } = await settle("ned");
  expect((await ask("GET", "/api/session")).body.user.name).toBe("ned");
  const { port } = service;
  const cookie = `assay_session=${cookies.get("assay_session")}`;
  const statuses = await Promise.all(
    [`127.0.0.1:${port}`, `LOCALHOST:${port}`, `evil.example:${port}`, "evil.example"].map(
      (host) =>
        new Promise((resolve, reject) => {
          const sent = request(
            { port, host: "127.0.0.1", path: "/api/session", headers: { host, cookie } },
            (answer) => {
              answer.resume();
              resolve(answer.statusCode);
            },
          );
          sent.on("error", reject).end();
        }),
    ),
  );
  expect(statuses).toEqual([200, 200, 403, 403]);
});

test("strangers who send half a sign-in keep no user out, and no sign-in may be long", async () => {
  const crowded = await openPeople({ limits: { connections_max: 50 } });
  onTestFinished(() => crowded.close());
  const { ask } = await crowded.settle("qui");
  const head = `POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:${crowded.port}\r\nOrigin: ${crowded.url}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`;
  const sockets = Array.from({ length: 120 }, () => connect(crowded.port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  // An earlier client makes room for a later one.
  await Promise.all(sockets.map((socket) => new Promise((sent) => socket.on("error", sent).write(head, sent))));
  expect((await ask("GET", "/api/account")).status).toBe(200);
  expect((await ask("POST", "/api/session/end", { body: { name: "x".repeat(20_000) } })).status).toBe(413);
  expect((await ask("GET", "/api/session")).body.user.name).toBe("qui");
});

describe("behind TLS", () => {
  test("the cookie is bound to host and TLS, and only pages of the configured address count", async () => {
    const origin = "https://assay.example";
    const behind = await openPeople({ sign_in: { origin, proxies: ["127.0.0.1"] } });
    onTestFinished(() => behind.close());
    const { token } = await behind.invite("pia");
    const body = { token, password: PASSWORD };
    expect((await browserOf(behind).ask("POST", "/api/session/set-up", { body })).status).toBe(403);
    const { ask, seen, cookies } = browserOf(behind, origin);
    const headers = { "x-forwarded-for": "203.0.113.9, 198.51.100.7" };
    expect((await ask("POST", "/api/session/set-up", { body, headers })).status).toBe(200);
    expect(seen.lines[0]).toMatch(
      /^__Host-assay=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const { sessions } = (await ask("GET", "/api/session/list")).body;
    expect(sessions).toMatchObject([{ address: "198.51.100.7" }]);
    const plain = { cookie: `assay_session=${cookies.get("__Host-assay")}` };
    expect((await ask("GET", "/api/session", { headers: plain })).body.user).toBeNull();
  });
});
