import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccountRole } from "./roles.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
let account_id: string;
beforeEach(async () => {
  store = await openTemporary();
  account_id = (await store.accounts.create({ name: "Acme", plan: "business" })).id;
});
afterEach(() => store.remove());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const VERIFIER = "v".repeat(43);
const CALLBACK = "http://127.0.0.1:7777/callback";
const RESOURCE = "https://assay.example/mcp";
const REFUSED = { kind: "refused", why: expect.any(String) };

const invite = async (name = "ann", role: AccountRole = "caller") =>
  (await store.users.link({ name, account_id, is_operator: false, role })).id;

const consentOf = (user_id: string, changes: object = {}) => ({
  ...{ user_id, account_id, client_id: "client_1", client_name: "Helper", redirect_uri: CALLBACK, resource: RESOURCE },
  scopes: ["mcp:call"],
  challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  ...changes,
});

const exchangeOf = (code: string, changes: object = {}) => ({
  ...{ code, client_id: "client_1", redirect_uri: CALLBACK, verifier: VERIFIER, resource: RESOURCE },
  ...changes,
});

const issuedOf = (answer: Awaited<ReturnType<TemporaryStore["assistants"]["exchange"]>>) => {
  if (answer.kind !== "issued") throw new Error(`refused: ${answer.why}`);
  return answer;
};

/** A user with an assistant. */
const connect = async (name = "ann") => {
  const user_id = await invite(name);
  const code = await store.assistants.consent(consentOf(user_id));
  const tokens = issuedOf(await store.assistants.exchange(exchangeOf(code)));
  const key = (await store.keys.list(account_id)).find((one) => tokens.access_token.startsWith(one.prefix));
  if (key === undefined) throw new Error("the token is no key of the list");
  return { user_id, code, tokens, key };
};

const renew = (refresh_token: string, changes: object = {}) =>
  store.assistants.renew({ refresh_token, client_id: "client_1", resource: null, ...changes });

const opens = async (token: string, surface: "mcp" | "api" = "mcp") => {
  const answer = await store.meter.authenticate(`Bearer ${token}`, surface);
  return answer.kind === "caller" ? answer.caller : answer.cause;
};

const actions = async () => (await store.audit({ limit: 3, before_seq: null })).map(({ action }) => action);

describe("a code", () => {
  test("becomes a listed key of the user for MCP alone, and the store contains neither", async () => {
    const { user_id, code, tokens, key } = await connect();
    expect(tokens).toMatchObject({ expires_in: 3_600, scopes: ["mcp:call"] });
    expect(key).toMatchObject({
      ...{ account_id, scopes: ["mcp:call"], client_name: "Helper", created_by: `user:${user_id}`, revoked_at: null },
      // An hour after noon, by the store's stopped clock.
      expires_at: "2026-11-20T13:00:00Z",
    });
    expect(await opens(tokens.access_token)).toMatchObject({ key_id: key.id, account_id, scopes: ["mcp:call"] });
    expect(await opens(tokens.access_token, "api")).toBe("key");
    expect((await store.accounts.show(account_id)).keys).toBe(1);
    const [entry] = await store.audit({ limit: 1, before_seq: null, account_id });
    expect(entry).toMatchObject({ action: "assistant.connect", actor: `user:${user_id}`, subject: key.id });
    const written = Buffer.concat([...(await store.contents())]).toString("latin1");
    const secrets = [code, tokens.access_token, ...tokens.refresh_token.split(".")];
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
  });

  test("that is sent twice ends the key of the first time", async () => {
    const { code, tokens, key } = await connect();
    expect(await store.assistants.exchange(exchangeOf(code))).toEqual(REFUSED);
    expect(await opens(tokens.access_token)).toBe("key");
    expect(await renew(tokens.refresh_token)).toEqual(REFUSED);
    const [entry] = await store.audit({ limit: 1, before_seq: null });
    expect(entry).toMatchObject({ action: "assistant.code_reuse", actor: "assistants", subject: key.id });
  });

  test("gives at most one key to senders at the same moment", async () => {
    const code = await store.assistants.consent(consentOf(await invite()));
    const answers = await Promise.all(Array.from({ length: 4 }, () => store.assistants.exchange(exchangeOf(code))));
    expect(answers.filter(({ kind }) => kind === "issued").length).toBe(1);
    // The others have shown the code a second time.
    const keys = await store.keys.list(account_id);
    expect(keys.map(({ revoked_at }) => revoked_at !== null)).toEqual([true]);
  });

  test("opens nothing with another verifier, program, address or resource, and nothing after a minute", async () => {
    const code = await store.assistants.consent(consentOf(await invite()));
    const wrong = [
      { verifier: "w".repeat(43) },
      { verifier: "" },
      { client_id: "client_2" },
      { redirect_uri: "http://127.0.0.1:7778/callback" },
      { resource: "https://other.example/mcp" },
      { code: "short" },
    ];
    for (const changes of wrong)
      expect(await store.assistants.exchange(exchangeOf(code, changes)), JSON.stringify(changes)).toEqual(REFUSED);
    store.clock.at += MINUTE;
    expect(await store.assistants.exchange(exchangeOf(code))).toEqual(REFUSED);
    expect(await store.keys.list(account_id)).toEqual([]);
  });

  test("gives no more than the user's rights, at the yes and at the exchange", async () => {
    const viewer = await invite("vic", "viewer");
    const caller = await invite("cal");
    const not_allowed = expect.objectContaining({ code: "NOT_ALLOWED" });
    await expect(store.assistants.consent(consentOf(viewer))).rejects.toEqual(not_allowed);
    const wide = consentOf(caller, { scopes: ["mcp:call", "keys:manage"] });
    await expect(store.assistants.consent(wide)).rejects.toEqual(not_allowed);
    const [narrowed, removed] = [
      await store.assistants.consent(consentOf(caller)),
      await store.assistants.consent(consentOf(await invite("rem"))),
    ];
    await store.users.setRole(caller, "viewer");
    const users = await store.users.list(account_id);
    await store.users.remove(users.find(({ name }) => name === "rem")?.id ?? "");
    expect(await store.assistants.exchange(exchangeOf(narrowed))).toEqual(REFUSED);
    expect(await store.assistants.exchange(exchangeOf(removed))).toEqual(REFUSED);
  });

  test("counts its key in the plan's number", async () => {
    const user_id = await invite();
    const { keys_max } = await store.accounts.show(account_id);
    const late = await store.assistants.consent(consentOf(user_id));
    for (let count = 0; count < keys_max; count += 1) await store.keys.create({ account_id, scopes: ["api:call"] });
    const full = expect.objectContaining({ code: "KEY_LIMIT" });
    await expect(store.assistants.consent(consentOf(user_id))).rejects.toEqual(full);
    expect(await store.assistants.exchange(exchangeOf(late))).toEqual(REFUSED);
  });
});

describe("a key of an assistant", () => {
  test("ends after its hour, and goes on with a new secret under the same id", async () => {
    const { tokens, key } = await connect();
    store.clock.at += HOUR - 1;
    expect(await opens(tokens.access_token)).toMatchObject({ key_id: key.id });
    store.clock.at += 1;
    expect(await opens(tokens.access_token)).toBe("expired");
    const renewed = issuedOf(await renew(tokens.refresh_token));
    expect(await opens(renewed.access_token)).toMatchObject({ key_id: key.id });
    expect(await opens(tokens.access_token)).toBe("replaced");
    expect((await store.keys.list(account_id)).length).toBe(1);
  });

  test("keeps its old secret for a minute after it was renewed, for requests on their way", async () => {
    const { tokens } = await connect();
    await renew(tokens.refresh_token);
    store.clock.at += MINUTE - 1;
    expect(await opens(tokens.access_token)).toMatchObject({ account_id });
    store.clock.at += 1;
    expect(await opens(tokens.access_token)).toBe("replaced");
  });

  test("is renewed alike by requests side by side, and ended by an earlier refresh token after that", async () => {
    const { tokens, key } = await connect();
    const both = await Promise.all([renew(tokens.refresh_token), renew(tokens.refresh_token)]);
    expect(both[0]).toEqual(both[1]);
    const { access_token, refresh_token } = issuedOf(both[0]);
    store.clock.at += 10_000;
    expect(await renew(tokens.refresh_token)).toEqual(REFUSED);
    expect(await opens(access_token)).toBe("key");
    expect(await renew(refresh_token)).toEqual(REFUSED);
    const [entry] = await store.audit({ limit: 1, before_seq: null });
    expect(entry).toMatchObject({ action: "assistant.refresh_reuse", subject: key.id });
  });

  test("is ended by a refresh token of two turns before, at once", async () => {
    const { tokens } = await connect();
    const second = issuedOf(await renew(tokens.refresh_token));
    const third = issuedOf(await renew(second.refresh_token));
    expect(await renew(tokens.refresh_token)).toEqual(REFUSED);
    expect(await opens(third.access_token)).toBe("key");
  });

  test("is not renewed for another program or resource, nor by a made-up token, and none of that ends it", async () => {
    const { tokens } = await connect();
    const [family = ""] = tokens.refresh_token.split(".");
    const wrong = [
      () => renew(tokens.refresh_token, { client_id: "client_2" }),
      () => renew(tokens.refresh_token, { resource: "https://other.example/mcp" }),
      () => renew(`${"A".repeat(43)}.${"B".repeat(43)}`),
      () => renew(family),
      () => renew(""),
    ];
    for (const ask of wrong) expect(await ask()).toEqual(REFUSED);
    issuedOf(await renew(tokens.refresh_token, { resource: RESOURCE }));
  });

  test("ends when its refresh token is not used for 30 days, and is then no key of the account", async () => {
    const { tokens } = await connect();
    store.clock.at += 20 * DAY;
    const second = issuedOf(await renew(tokens.refresh_token));
    store.clock.at += 30 * DAY - 1;
    const third = issuedOf(await renew(second.refresh_token));
    store.clock.at += 30 * DAY;
    expect(await renew(third.refresh_token)).toEqual(REFUSED);
    await store.assistants.sweep();
    expect((await store.accounts.show(account_id)).keys).toBe(0);
    expect((await actions())[0]).toBe("assistant.expire");
  });

  test("ends with its user, with their right, and by the account's or the operator's hand", async () => {
    const ended = async (end: (connected: Awaited<ReturnType<typeof connect>>) => Promise<unknown>, name: string) => {
      const connected = await connect(name);
      expect(await opens(connected.tokens.access_token)).toMatchObject({ account_id });
      await end(connected);
      const after = [await opens(connected.tokens.access_token), await renew(connected.tokens.refresh_token)];
      expect(after, name).toEqual(["key", REFUSED]);
    };
    await ended(({ user_id }) => store.users.remove(user_id), "removed");
    await ended(({ user_id }) => store.users.setRole(user_id, "viewer"), "narrowed");
    await ended(({ key, user_id }) => store.as(`user:${user_id}`, "account").keys.revoke(key.id), "account");
    await ended(({ key }) => store.as("alice").keys.revoke(key.id), "operator");
  });

  test("is given up by its program with either token, and by no other program", async () => {
    for (const which of ["access_token", "refresh_token"] as const) {
      const { tokens } = await connect(which.replace("_", "."));
      const token = tokens[which];
      await store.assistants.giveUp({ token, client_id: "client_2" });
      await store.assistants.giveUp({ token: "nothing", client_id: "client_1" });
      expect(await opens(tokens.access_token)).toMatchObject({ account_id });
      await store.assistants.giveUp({ token, client_id: "client_1" });
      expect(await opens(tokens.access_token)).toBe("key");
    }
    const { key } = { key: await store.keys.create({ account_id, scopes: ["mcp:call"] }) };
    await store.assistants.giveUp({ token: key.secret, client_id: "client_1" });
    expect(await opens(key.secret)).toMatchObject({ account_id });
  });

  test("is not rotated by hand, and calls are charged to it like to any key", async () => {
    const { tokens, key } = await connect();
    await expect(store.keys.rotate(key.id)).rejects.toMatchObject({ code: "BAD_KEY" });
    const caller = await opens(tokens.access_token);
    if (typeof caller === "string") throw new Error(caller);
    const charge = { caller: { ...caller, surface: "mcp" as const }, tool: "get_token_info", idempotency_key: null };
    const got = await store.meter.charge({ ...charge, fingerprint: "f", catalog_version: null, request_id: "r" });
    expect(got).toMatchObject({ kind: "charged", credits: 3 });
    const { rows } = await store.ledgerRows({ account_id, limit: 1, before: null });
    expect(rows[0]?.call?.key_id).toBe(key.id);
    expect(await store.ledger.verify()).toEqual([]);
  });
});

describe("registrations", () => {
  const wish = (address: string) => ({ name: "Helper", redirect_uris: [CALLBACK], address });

  test("are found for a day, and longer once a user has said yes", async () => {
    const { clients } = store.assistants;
    const [unused, used] = [await clients.register(wish("192.0.2.1")), await clients.register(wish("192.0.2.1"))];
    expect(unused).toEqual({ id: expect.stringMatching(/^client_/), name: "Helper", redirect_uris: [CALLBACK] });
    await store.assistants.consent(consentOf(await invite(), { client_id: used?.id }));
    store.clock.at += DAY;
    expect(await clients.find(unused?.id ?? "")).toBeNull();
    expect(await clients.find(used?.id ?? "")).toEqual(used);
    store.clock.at += 365 * DAY;
    await clients.sweep();
    expect(await clients.find(used?.id ?? "")).toBeNull();
  });

  test("are twenty an hour from a network, however many addresses of IPv6 it has", async () => {
    const { clients } = store.assistants;
    const one = Array.from({ length: 25 }, (_, at) => wish(`2001:db8:1:1::${at + 1}`));
    const made = await Promise.all(one.map(clients.register));
    expect(made.filter((client) => client !== null).length).toBe(20);
    expect(await clients.register(wish("2001:db8:1:2::1"))).not.toBeNull();
    store.clock.at += HOUR;
    expect(await clients.register(wish("2001:db8:1:1::1"))).not.toBeNull();
  });
});
