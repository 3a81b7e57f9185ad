import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { GOOD } from "../../../../test/contract/bench.ts";
import { openPeople } from "../../../../test/contract/people.ts";
import { CALLBACK, DOCUMENT_URL } from "../../../../test/contract/programs.ts";

// The protocol's own client, which knows only the address of the service, and a user in a browser.
const HOUR = 3_600_000;

const service = await openPeople({
  readDocument: async (url) =>
    url === DOCUMENT_URL
      ? JSON.stringify({ client_id: url, client_name: "Documented", redirect_uris: ["http://127.0.0.1/callback"] })
      : null,
});
afterAll(() => service.close());
const { store, url, settle, account_id } = service;

/** A program that keeps what the library gives it, and opens addresses in a browser. */
const openProgram = (more: Partial<OAuthClientProvider> = {}) => {
  const kept: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    verifier?: string;
    discovery?: OAuthDiscoveryState;
    opened: URL[];
  } = { opened: [] };
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "Helper", redirect_uris: [CALLBACK] },
    state: () => "state of the program",
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (to) => {
      kept.opened.push(to);
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
    saveDiscoveryState: (state) => {
      kept.discovery = state;
    },
    discoveryState: () => kept.discovery,
    invalidateCredentials: () => {
      delete kept.tokens;
    },
    ...more,
  };
  return { kept, provider };
};

type TestProgram = ReturnType<typeof openProgram>;

const transportOf = ({ provider }: TestProgram) =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });

const connect = async (program: TestProgram) => {
  const client = new Client({ name: "helper", version: "1" });
  await client.connect(transportOf(program));
  onTestFinished(() => client.close());
  return client;
};

/** The browser of the user: opens the page, and says yes in it. */
const allow = async ({ ask }: Awaited<ReturnType<typeof settle>>, opened: URL) => {
  expect([opened.origin, opened.pathname]).toEqual([url, "/app/authorize"]);
  const request = opened.search;
  const shown = await ask("GET", `/api/session/assistant?request=${encodeURIComponent(request)}`);
  expect(shown.status).toBe(200);
  const { body } = await ask("POST", "/api/session/assistant", { body: { request, is_allowed: true } });
  return { shown: shown.body, back: new URL(body.return_to) };
};

/** A connected program. */
const signIn = async (program: TestProgram, browser: Awaited<ReturnType<typeof settle>>) => {
  await expect(connect(program)).rejects.toThrow(UnauthorizedError);
  const [opened] = program.kept.opened;
  if (opened === undefined) throw new Error("the program opened no page");
  const answer = await allow(browser, opened);
  await transportOf(program).finishAuth(answer.back.searchParams);
  return { ...answer, client: await connect(program) };
};

test("connects from nothing, calls, renews by itself, and loses its key when the operator ends it", async () => {
  const program = openProgram();
  const browser = await settle("ann");
  const { shown, back, client } = await signIn(program, browser);
  expect(shown).toEqual({
    ...{ client_name: "Helper", client_host: null, return_host: "127.0.0.1:7777", is_local: true },
    ...{ user_name: "ann", account_name: "Acme", scopes: ["mcp:call"], fault: null, return_to: null },
  });
  expect([back.origin + back.pathname, back.searchParams.get("iss")]).toEqual([CALLBACK, url]);
  expect(back.searchParams.get("state")).toBe("state of the program");

  const called = await client.callTool({ name: "show", arguments: GOOD });
  expect(called._meta).toMatchObject({ "assay/credits_charged": expect.any(Number) });
  const [key] = (await store.keys.list(account_id)).filter(({ client_name }) => client_name === "Helper");
  expect(key).toMatchObject({ scopes: ["mcp:call"], created_by: `user:${browser.id}` });
  const { rows } = await store.ledgerRows({ account_id, limit: 1, before: null });
  expect(rows[0]?.call).toMatchObject({ tool: "show", surface: "mcp", key_id: key?.id });

  const first = program.kept.tokens;
  store.clock.at += HOUR;
  // Both find the secret ended, and both renew it.
  const both = await Promise.all([client.listTools(), client.callTool({ name: "show", arguments: GOOD })]);
  expect(both[0].tools.map(({ name }) => name)).toContain("show");
  expect(program.kept.tokens?.access_token).not.toBe(first?.access_token);
  expect(program.kept.opened.length).toBe(1);

  await store.as("alice").keys.revoke(key?.id ?? "");
  await expect(client.callTool({ name: "show", arguments: GOOD })).rejects.toThrow(UnauthorizedError);
  // It must ask its user again.
  expect(program.kept.opened.length).toBe(2);
  expect(await store.ledger.verify()).toEqual([]);
});

test("connects by the document at its own address where the service reads such, without a registration", async () => {
  const program = openProgram({ clientMetadataUrl: DOCUMENT_URL });
  const { shown, client } = await signIn(program, await settle("bea"));
  expect(program.kept.client?.client_id).toBe(DOCUMENT_URL);
  expect(shown).toMatchObject({ client_name: "Documented", client_host: "helper.example" });
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
});
