import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { WALLET } from "../../../../test/contract/bench_tools.ts";
import { openPeople } from "../../../../test/contract/people.ts";

// No request changes or charges anything unless all of its parts are right, and none breaks the service.
const service = await openPeople({ sign_in: { operators: true } });
afterAll(() => service.close());
const { url, store, settle } = service;
const { cookies, seen } = await settle("ann", { is_operator: true, role: "key_manager" });

const RIGHT = {
  cookie: `assay_session=${cookies.get("assay_session")}`,
  "x-csrf-token": seen.csrf ?? "",
  origin: url,
  "sec-fetch-site": "same-origin",
};

/** Values that HTTP allows in a header. */
const text = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 80,
});

/** Right, missing, nearly right, or anything. */
const header = (name: keyof typeof RIGHT) =>
  fc.oneof(
    fc.constant(RIGHT[name]),
    fc.constant(null),
    fc.constantFrom(`${RIGHT[name]}x`, RIGHT[name].slice(1), RIGHT[name].toUpperCase()),
    text,
  );

/** A path that changes or costs something, with a body that would do it. */
const acts = [
  { path: "/api/tools/show", body: { address: WALLET, network: "demo" } },
  { path: "/api/account/keys", body: { scopes: ["api:call"] } },
  { path: "/api/operator/accounts", body: { name: "Made without right" } },
  { path: "/api/session/password", body: { password: "a guess of some length", new_password: "another one of it" } },
] as const;

const send = async (path: string, headers: Readonly<Record<string, string | null>>, body: string) => {
  const own = Object.entries(headers).filter((one): one is [string, string] => one[1] !== null);
  const sent = new Headers({ "content-type": "application/json" });
  for (const [name, value] of own) sent.set(name, value);
  const response = await fetch(`${url}${path}`, { method: "POST", headers: sent, body });
  await response.json();
  return response.status;
};

/** State that these requests could change: credits, keys, accounts. */
const state = async () => {
  const account = await store.accounts.show(service.account_id);
  return [account.credits_used, account.keys, (await store.accounts.list()).length];
};

test("a request with anything but the right headers changes nothing", async () => {
  const before = await state();
  const headers = fc.record({
    cookie: header("cookie"),
    "x-csrf-token": header("x-csrf-token"),
    origin: header("origin"),
    "sec-fetch-site": header("sec-fetch-site"),
  });
  await fc.assert(
    fc.asyncProperty(headers, fc.constantFrom(...acts), async (drawn, { path, body }) => {
      const names = ["cookie", "x-csrf-token", "origin"] as const;
      // Node trims the space around a value; an old browser sends no Sec-Fetch-Site.
      const is_right =
        names.every((name) => drawn[name]?.trim() === RIGHT[name]) &&
        [null, "same-origin"].includes(drawn["sec-fetch-site"]);
      fc.pre(!is_right);
      const status = await send(path, drawn, JSON.stringify(body));
      expect([401, 403], JSON.stringify(drawn)).toContain(status);
    }),
    { numRuns: 300 },
  );
  expect(await state()).toEqual(before);
  expect(await send("/api/account/keys", RIGHT, JSON.stringify(acts[1].body))).toBe(200);
});

test("whatever a body holds, signing in, links and passwords are answered in JSON and never broken", async () => {
  const paths = ["", "/link", "/set-up", "/password", "/end", "/list/session_x/end"].map((end) => `/api/session${end}`);
  const value = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.jsonValue({ maxDepth: 2 }));
  const fields = fc.dictionary(fc.constantFrom("name", "password", "token", "new_password", "__proto__", "x"), value);
  const body = fc.oneof(
    fields.map((one) => JSON.stringify(one)),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  const { sessions } = store;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), body, fc.boolean(), async (path, drawn, is_in) => {
      const headers = is_in ? RIGHT : { ...RIGHT, cookie: null, "x-csrf-token": null };
      fc.pre(!(is_in && path.endsWith("/end")));
      expect([400, 401, 403, 404, 410, 413, 422, 429], `${path} ${drawn}`).toContain(await send(path, headers, drawn));
    }),
    { numRuns: 300 },
  );
  expect(await sessions.find(cookies.get("assay_session") ?? "")).not.toBeNull();
});
