import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { postMcp } from "../../../../test/contract/mcp_client.ts";
import { legacyMessage } from "../../../../test/contract/mcp_messages.ts";
import { browserOf, openPeople, PASSWORD } from "../../../../test/contract/people.ts";
import { CALLBACK, formOf, JSON_TYPE, openPrograms } from "../../../../test/contract/programs.ts";
import { assertDescribed } from "../../../../test/openapi.ts";

// Sign-in of assistants over HTTP, by status.
const programs = await openPrograms();
const { service, post, register, client_id, requestOf, show, decide, token, exchangeOf, codeOf, list } = programs;
afterAll(() => service.close());
const { url, settle } = service;
const RESOURCE = `${url}/mcp`;
const document = (await (await fetch(`${url}/api/account/openapi.json`)).json()) as Record<string, unknown>;
const ann = await settle("ann");

describe("discovery", () => {
  test("a 401 of /mcp names the document, which names the server, whose metadata names its addresses", async () => {
    const bare = await postMcp(url, { body: legacyMessage("tools/list", {}) });
    const metadata = `${url}/.well-known/oauth-protected-resource/mcp`;
    expect([bare.status, bare.headers.get("www-authenticate")]).toEqual([
      ...[401, `Bearer resource_metadata="${metadata}", scope="mcp:call"`],
    ]);
    const wrong = await postMcp(url, { key: "svc_live_wrong", body: legacyMessage("tools/list", {}) });
    expect(wrong.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadata}", scope="mcp:call"`,
    );
    for (const path of ["", "/mcp"]) {
      const found = await (await fetch(`${url}/.well-known/oauth-protected-resource${path}`)).json();
      expect(found).toMatchObject({
        ...{ resource: RESOURCE, authorization_servers: [url], scopes_supported: ["mcp:call"] },
        bearer_methods_supported: ["header"],
      });
    }
    expect(await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()).toEqual({
      ...{ issuer: url, authorization_endpoint: `${url}/app/authorize`, token_endpoint: `${url}/oauth/token` },
      ...{ registration_endpoint: `${url}/oauth/register`, revocation_endpoint: `${url}/oauth/revoke` },
      ...{ scopes_supported: ["mcp:call"], response_types_supported: ["code"], response_modes_supported: ["query"] },
      // No implicit and no password grant.
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${url}/docs/operating/mcp`,
    });
  });

  test("other routes keep their challenge, and are not opened by a key of an assistant", async () => {
    const { headers } = await fetch(`${url}/api/tools`);
    expect(headers.get("www-authenticate")).toBe("Bearer");
    const { body } = await token(exchangeOf(await codeOf(ann)));
    expect(await list(body.access_token)).toBe(200);
    const authorization = { authorization: `Bearer ${body.access_token}` };
    expect((await fetch(`${url}/api/tools`, { headers: authorization })).status).toBe(401);
    const made = await post("/api/account/keys", '{"scopes":["api:call"]}', { ...authorization, ...JSON_TYPE });
    expect(made.status).toBe(403);
  });

  test("behind a proxy without sign_in.origin, or where assistants are off, there is nothing to discover", async () => {
    const forwarded = { headers: { "x-forwarded-for": "192.0.2.1" } };
    expect((await fetch(`${url}/.well-known/oauth-authorization-server`, forwarded)).status).toBe(404);
    const body = legacyMessage("tools/list", {});
    const answer = await postMcp(url, { body, ...forwarded });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    const off = await openPeople({ sign_in: { assistants: { enabled: false } } });
    onTestFinished(() => off.close());
    expect((await postMcp(off.url, { body })).headers.get("www-authenticate")).toBe("Bearer");
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"])
      expect((await fetch(`${off.url}${path}`)).status).toBe(404);
    expect((await fetch(`${off.url}/oauth/token`, { method: "POST" })).status).toBe(404);
    const user = await off.settle("ann");
    expect((await show(user, requestOf())).status).toBe(404);
  });

  test("with sign_in.origin, every address is below it, whatever the request says of itself", async () => {
    const origin = "https://assay.example";
    const behind = await openPeople({ sign_in: { origin } });
    onTestFinished(() => behind.close());
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
    const metadata = await fetch(`${behind.url}/.well-known/oauth-authorization-server`, { headers });
    expect(await metadata.json()).toMatchObject({ issuer: origin, token_endpoint: `${origin}/oauth/token` });
  });
});

describe("by status", () => {
  test("the page's requests are described, and need a session with an account and the right to call", async () => {
    const operation = { path: "/api/session/assistant" };
    const shown = await show(ann, requestOf());
    assertDescribed(document, { ...operation, method: "GET" }, shown);
    expect(shown.status).toBe(200);
    const allowed = await decide(ann, requestOf());
    assertDescribed(document, { ...operation, method: "POST" }, allowed);
    const stranger = browserOf(service);
    const vic = await settle("vic", { role: "viewer" });
    for (const [browser, status] of [[stranger, 401] as const, [vic, 403] as const])
      for (const answer of [await show(browser, requestOf()), await decide(browser, requestOf())]) {
        expect(answer.status).toBe(status);
        assertDescribed(document, { ...operation, method: "GET" }, answer);
      }
    expect((await ann.ask("GET", "/api/session/assistant")).status).toBe(422);
  });

  test("a no reaches the program with its state and this issuer", async () => {
    const { body } = await decide(ann, requestOf(), false);
    expect(body.return_to).toBe(`${CALLBACK}?error=access_denied&state=s+1&iss=${encodeURIComponent(url)}`);
  });

  test("the exchange, the renewal and the end are JSON that no cache keeps", async () => {
    const issued = await token(exchangeOf(await codeOf(ann), { resource: RESOURCE }));
    expect(issued.status).toBe(200);
    expect(issued.headers.get("cache-control")).toBe("no-store");
    expect(issued.body).toEqual({
      ...{ access_token: expect.stringMatching(/^svc_live_/), token_type: "Bearer", expires_in: 3_600 },
      ...{ refresh_token: expect.any(String), scope: "mcp:call" },
    });
    const { refresh_token } = issued.body;
    const renewed = await token({ grant_type: "refresh_token", refresh_token, client_id, scope: "mcp:call" });
    expect(renewed).toMatchObject({ status: 200, body: { token_type: "Bearer", scope: "mcp:call" } });
    const form = new URLSearchParams({ token: renewed.body.access_token, client_id });
    expect((await post("/oauth/revoke", form)).status).toBe(200);
    expect((await post("/oauth/revoke", form)).status).toBe(200);
    expect(await list(renewed.body.access_token)).toBe(401);
  });

  test("a wrong form, grant or parameter has its code of OAuth", async () => {
    const form = exchangeOf("c");
    const cases = [
      [{ ...form, grant_type: null }, "unsupported_grant_type"],
      [{ grant_type: "password", username: "ann", password: PASSWORD, client_id }, "unsupported_grant_type"],
      [{ ...form, client_id: null }, "invalid_client"],
      [form, "invalid_grant"],
      [{ grant_type: "refresh_token", client_id }, "invalid_grant"],
      [{ grant_type: "refresh_token", client_id, scope: "mcp:call keys:manage" }, "invalid_scope"],
    ] as const;
    for (const [fields, error] of cases)
      expect(await token(fields), error).toMatchObject({ status: 400, body: { error } });
    const twice = formOf(form);
    twice.append("code", "d");
    expect((await post("/oauth/token", twice)).body.error).toBe("invalid_request");
    expect((await post("/oauth/token", JSON.stringify(form), JSON_TYPE)).body.error).toBe("invalid_request");
    expect((await post("/oauth/revoke", new URLSearchParams({ client_id }))).body.error).toBe("invalid_request");
    expect((await post("/oauth/token", "x".repeat(20_000))).status).toBe(413);
    expect((await fetch(`${url}/oauth/token`)).status).toBe(405);
  });

  test("a registration names addresses that a browser may return to", async () => {
    const named = await register({
      client_name: "He\u202elper\u0000",
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect(named).toMatchObject({
      status: 201,
      body: { client_name: "Helper", token_endpoint_auth_method: "none", response_types: ["code"] },
    });
    expect(named.body.client_secret).toBeUndefined();
    for (const redirect of [
      ...["http://evil.example/", "javascript:alert(1)", "data:text/html,x", "https://a.example/#x", "cursor://x/y"],
      ...[
        "https://user@a.example/",
        "http://127.0.0.1.evil.example/",
        "http://localhost@evil.example/",
        " https://a.example",
      ],
    ])
      expect((await register({ redirect_uris: [redirect] })).body.error, redirect).toBe("invalid_redirect_uri");
    for (const metadata of [{ redirect_uris: [] }, { grant_types: ["implicit"] }, { response_types: ["token"] }])
      expect((await register(metadata)).body.error).toBe("invalid_client_metadata");
    expect((await post("/oauth/register", "{", JSON_TYPE)).body.error).toBe("invalid_client_metadata");
  });
});
