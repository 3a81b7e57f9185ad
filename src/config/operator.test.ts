import { expect, test } from "vitest";
import { settings } from "./settings.ts";

const TOKEN = "operator-token-for-the-tests";

const OWN = ["127.0.0.1:0", "127.8.9.1:1", "localhost:1", "LocalHost:1", "[::1]:1", "[0:0:0:0:0:0:0:1]:1"];
const FAR = ["0.0.0.0:1", "[::]:1", "10.0.0.1:1", "192.168.1.1:1", "203.0.113.7:1", "[fe80::1]:1", "[2001:db8::1]:1"];
/** Names and short forms depend on the system's resolver, so they count as remote. */
const NAMED = ["example.org:1", "localhost.example.org:1", "127.1:1", "2130706433:1", "[::ffff:10.0.0.1]:1"];

test.each(OWN)("the operator API may listen on %s", (listen) => {
  expect(settings.parse({ operator: { listen, token: TOKEN } }).operator.listen).toBe(listen);
});

test.each([...FAR, ...NAMED])("it does not listen on %s unless a setting says so", (listen) => {
  for (const tokens of [{ token: TOKEN }, { tokens: { alice: TOKEN } }]) {
    const refused = settings.safeParse({ operator: { listen, ...tokens } });
    expect(refused.error?.issues).toMatchObject([
      { path: ["operator"], message: expect.stringMatching(/from other machines.*operator.allow_remote/) },
    ]);
    expect(settings.safeParse({ operator: { listen, ...tokens, allow_remote: true } }).success).toBe(true);
  }
});

test.each([...FAR, ...NAMED])("operators' pages are not served on %s unless a setting says so", (listen) => {
  const sign_in = { operators: true };
  expect(settings.safeParse({ listen, sign_in }).error?.issues).toMatchObject([
    { path: ["sign_in", "operators"], message: expect.stringMatching(/from other machines.*operator.allow_remote/) },
  ]);
  expect(settings.safeParse({ listen, sign_in, operator: { allow_remote: true } }).success).toBe(true);
  expect(settings.safeParse({ listen }).success).toBe(true);
});

test("operators' pages behind a proxy need the same word, and its address is https without a path", () => {
  const sign_in = { operators: true, origin: "https://assay.example" };
  expect(settings.safeParse({ sign_in }).success).toBe(false);
  expect(settings.safeParse({ sign_in, operator: { allow_remote: true } }).success).toBe(true);
  const assistants = { enabled: true, access_seconds: 3_600, refresh_days: 30 };
  expect(settings.parse({ sign_in: { operators: true } }).sign_in).toEqual({
    ...{ ...sign_in, origin: null, proxies: [], assistants },
  });
  for (const origin of ["http://assay.example", "https://assay.example/", "https://assay.example/app", "assay.example"])
    expect(settings.safeParse({ sign_in: { origin } }).success, origin).toBe(false);
});

test("without a token it is off, wherever it would listen", () => {
  expect(settings.safeParse({ operator: { listen: "0.0.0.0:1" } }).success).toBe(true);
});

test("rejects equal tokens and tokens under reserved names", () => {
  const other = `${TOKEN}-other`;
  for (const operator of [
    { token: TOKEN, read_token: TOKEN },
    { read_token: TOKEN, tokens: { alice: TOKEN } },
    { tokens: { alice: TOKEN, bob: TOKEN } },
    { tokens: { operator: TOKEN } },
    { token: TOKEN, tokens: { operator_read: other } },
  ])
    expect(settings.safeParse({ operator }).success, JSON.stringify(operator)).toBe(false);
  const apart = { token: TOKEN, read_token: other, tokens: { alice: `${TOKEN}-alice` } };
  expect(settings.parse({ operator: apart }).operator).toMatchObject(apart);
});

test("a token that only reads turns the operator API on, and keeps it on this machine, like any other", () => {
  const refused = settings.safeParse({ operator: { listen: "0.0.0.0:1", read_token: TOKEN } });
  expect(refused.error?.issues).toMatchObject([{ message: expect.stringMatching(/from other machines/) }]);
});
