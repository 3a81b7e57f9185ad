import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { legacyMessage } from "../../../../test/contract/mcp_messages.ts";
import { browserOf, openPeople } from "../../../../test/contract/people.ts";
import {
  CALLBACK,
  CHALLENGE,
  DOCUMENT_URL,
  formOf,
  JSON_TYPE,
  openPrograms,
} from "../../../../test/contract/programs.ts";

// Attacks on the sign-in of assistants (docs/threat_model.md).
const programs = await openPrograms();
const { service, read, post, register, client_id, requestOf, show, decide, token, exchangeOf, codeOf, list } = programs;
afterAll(() => service.close());
const { url, store, settle, account_id } = service;
type Person = Awaited<ReturnType<typeof settle>>;
const ann = await settle("ann");

test("a code that is sent twice ends the key of the first time", async () => {
  const form = exchangeOf(await codeOf(ann));
  const { body } = await token(form);
  expect(await list(body.access_token)).toBe(200);
  expect((await token(form)).body.error).toBe("invalid_grant");
  expect(await list(body.access_token)).toBe(401);
  const again = await token({ grant_type: "refresh_token", refresh_token: body.refresh_token, client_id });
  expect(again.body.error).toBe("invalid_grant");
});

test("a stolen code is worth nothing without its verifier, or to another program", async () => {
  const other: string = (await register()).body.client_id;
  const code = await codeOf(ann);
  for (const changes of [
    ...[{ code_verifier: "w".repeat(43) }, { code_verifier: CHALLENGE }, { code_verifier: null }],
    ...[
      { client_id: other },
      { redirect_uri: "http://127.0.0.1:1/callback" },
      { resource: "https://evil.example/mcp" },
    ],
  ])
    expect((await token(exchangeOf(code, changes))).body.error, JSON.stringify(changes)).toBe("invalid_grant");
  expect((await token(exchangeOf(code))).status).toBe(200);
});

test("an address that is not registered gets neither the browser nor an answer", async () => {
  for (const redirect_uri of [
    ...[
      "https://evil.example/callback",
      "http://127.0.0.1:7777/callback/../evil",
      "http://127.0.0.1:7777/callback?x=1",
    ],
    ...[
      "http://localhost:7777/callback",
      "http://127.0.0.1:7777@evil.example/callback",
      "http://127.0.0.1:7777/Callback",
    ],
  ])
    for (const answer of [await show(ann, requestOf({ redirect_uri })), await decide(ann, requestOf({ redirect_uri }))])
      expect([answer.status, answer.body.return_to], redirect_uri).toEqual([422, undefined]);
  // A program listens on a port that the system chooses (RFC 8252, 7.3).
  expect((await show(ann, requestOf({ redirect_uri: "http://127.0.0.1:1/callback" }))).status).toBe(200);
  const fixed: string = (await register({ redirect_uris: ["https://a.example/callback"] })).body.client_id;
  const moved = requestOf({ client_id: fixed, redirect_uri: "https://a.example:444/callback" });
  expect((await show(ann, moved)).status).toBe(422);
});

test("an unknown program is not returned to, and a fault only when the user goes on", async () => {
  for (const request of [
    requestOf({ client_id: "client_0" }),
    requestOf({ client_id: null }),
    `${requestOf()}&state=2`,
  ]) {
    const answer = await show(ann, request);
    expect([answer.status, answer.body.return_to]).toEqual([422, undefined]);
  }
  const shown = await show(ann, requestOf({ response_type: "token" }));
  expect(shown.body).toMatchObject({ scopes: [], fault: expect.any(String), return_host: "127.0.0.1:7777" });
  const back = new URL(shown.body.return_to).searchParams;
  expect([back.get("error"), back.get("state"), back.get("iss")]).toEqual([
    ...["unsupported_response_type", "s 1", url],
  ]);
});

test("no request gets a code without PKCE by S256, for another service, or for more than calls over MCP", async () => {
  const owner = await settle("own", { role: "owner" });
  const faults = [
    [{ code_challenge: null }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: null }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ response_type: "code token" }, "unsupported_response_type"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ resource: `${url}/` }, "invalid_target"],
    [{ scope: "mcp:call keys:manage" }, "invalid_scope"],
    [{ scope: "users:manage" }, "invalid_scope"],
  ] as const;
  for (const [changes, error] of faults) {
    const { body } = await decide(owner, requestOf(changes));
    const back = new URL(body.return_to).searchParams;
    expect([back.get("error"), back.get("code"), back.get("iss")], JSON.stringify(changes)).toEqual([error, null, url]);
  }
  // A request that names no scope gets the same.
  const { body } = await token(exchangeOf(await codeOf(owner, { scope: null, resource: null })));
  expect(body.scope).toBe("mcp:call");
});

test("an earlier refresh token ends the key for the thief and for the program", async () => {
  const { body: first } = await token(exchangeOf(await codeOf(ann)));
  const renew = (refresh_token: string) => token({ grant_type: "refresh_token", refresh_token, client_id });
  const { body: second } = await renew(first.refresh_token);
  store.clock.at += 10_000;
  expect((await renew(first.refresh_token)).body.error).toBe("invalid_grant");
  expect((await renew(second.refresh_token)).body.error).toBe("invalid_grant");
  expect(await list(second.access_token)).toBe(401);
});

test("a flood of registrations is refused, and the programs of others still register", async () => {
  const flooded = await openPeople({ sign_in: { proxies: ["127.0.0.1"], origin: "https://assay.example" } });
  onTestFinished(() => flooded.close());
  const from = async (address: string) => {
    const body = JSON.stringify({ redirect_uris: [CALLBACK] });
    const headers = { ...JSON_TYPE, "x-forwarded-for": address };
    const answer = await fetch(`${flooded.url}/oauth/register`, { method: "POST", body, headers });
    return [answer.status, answer.headers.get("retry-after")];
  };
  const answers = await Promise.all(Array.from({ length: 25 }, () => from("192.0.2.1")));
  expect(answers.filter(([status]) => status === 201).length).toBe(20);
  expect(answers.find(([status]) => status !== 201)).toEqual([429, "3600"]);
  expect((await from("192.0.2.2"))[0]).toBe(201);
});

test("a document is read for signed-in users alone, and names only what it is the address of", async () => {
  read.length = 0;
  const stranger = browserOf(service);
  const documented = requestOf({ client_id: DOCUMENT_URL });
  expect((await show(stranger, documented)).status).toBe(401);
  expect(read).toEqual([]);
  expect((await show(ann, documented)).body).toMatchObject({ client_host: "helper.example" });
  await show(ann, documented);
  expect(read).toEqual([DOCUMENT_URL]);
  read.length = 0;
  for (const id of [
    ...["https://helper.example/", "http://helper.example/client.json", "https://u:p@helper.example/client.json"],
    ...["https://helper.example/a/../client.json", "https://helper.example/client.json#x", "file:///etc/passwd"],
  ])
    expect((await show(ann, requestOf({ client_id: id }))).status, id).toBe(422);
  expect(read).toEqual([]);
  expect((await show(ann, requestOf({ client_id: "https://helper.example/other.json" }))).status).toBe(422);
});

test("a yes of another site, or without the page's token, has no effect", async () => {
  const body = { request: requestOf(), is_allowed: true };
  const count = async () => (await store.keys.list(account_id)).length;
  const before = await count();
  for (const headers of [
    ...[{ "x-csrf-token": null }, { "x-csrf-token": "A".repeat(43) }, { origin: "https://evil.example" }],
    ...[{ origin: null }, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }],
  ])
    expect((await ann.ask("POST", "/api/session/assistant", { body, headers })).status).toBe(403);
  const path = `/api/session/assistant?request=${encodeURIComponent(requestOf())}`;
  expect((await ann.ask("GET", path, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  expect(await count()).toBe(before);
});

test("no site shows the page in a frame, and the page sends its address to no site", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-portal-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  const shown = await openPeople({ portal: folder });
  onTestFinished(async () => {
    await shown.close();
    rmSync(folder, { recursive: true });
  });
  const { status, headers } = await fetch(`${shown.url}/app/authorize${requestOf()}`);
  expect(status).toBe(200);
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

test("a key ends with its user, and is listed and ended by the user, the account and the operator", async () => {
  const [rem, cal] = [await settle("rem"), await settle("cal")];
  const keyOf = async (browser: Person) => {
    const { body } = await token(exchangeOf(await codeOf(browser)));
    const { keys } = (await browser.ask("GET", "/api/account/keys")).body;
    expect(keys).toMatchObject([{ client_name: "Helper", scopes: ["mcp:call"], created_by: `user:${browser.id}` }]);
    return { secret: String(body.access_token), id: String(keys[0].id) };
  };
  const [removed, ended] = [await keyOf(rem), await keyOf(cal)];
  expect([await list(removed.secret), await list(ended.secret)]).toEqual([200, 200]);
  await store.users.remove(rem.id);
  expect(await list(removed.secret)).toBe(401);
  // A user without the right to manage keys ends those of their own assistants, and no others.
  expect((await cal.ask("POST", `/api/account/keys/${service.customer.key.id}/revoke`)).status).toBe(403);
  expect((await cal.ask("POST", `/api/account/keys/${ended.id}/revoke`)).status).toBe(200);
  expect(await list(ended.secret)).toBe(401);
});

test("a token in the address opens nothing", async () => {
  const { body } = await token(exchangeOf(await codeOf(ann)));
  const response = await fetch(`${url}/mcp?access_token=${body.access_token}`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(legacyMessage("tools/list", {})),
  });
  expect(response.status).toBe(401);
  const query = formOf(exchangeOf(await codeOf(ann)));
  expect((await post(`/oauth/token?${query}`, new URLSearchParams())).body.error).toBe("unsupported_grant_type");
});
