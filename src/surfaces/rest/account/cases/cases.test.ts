import { afterAll, expect, test } from "vitest";
import { browserOf, openPeople, PASSWORD } from "../../../../../test/contract/people.ts";
import { answerHash } from "../../../../case/canonical.ts";
import { caseResultOf } from "../../../../case/pin.ts";
import { readCase } from "../../../../case/read.ts";

const service = await openPeople({
  accounts: { password_cost: { N: 1_024, r: 8, p: 1 }, cases: { cases_per_account: 50, bytes_per_account: 64e6 } },
});
afterAll(() => service.close());
const { settle, store, account_id } = service;

const CASES = "/api/account/cases";
const AT = "2026-11-20T12:00:00Z";

/** A pinned result whose answer has `size` more characters. */
const entryOf = (id: string, size = 0) =>
  caseResultOf({
    ...{ id, tool: "get_wallet_stats", arguments: { address: "0x01", network: "demo" }, request_id: "r1", credits: 5 },
    answer: {
      status: "data",
      amount: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      figures: [0.1, 1e21, 5e-324, 9_007_199_254_740_991],
      text: `\u0000 \u202e ${"x".repeat(size)}`,
      metadata: { chain: "demo", as_of: { block_number: 7, block_hash: "0xaa", timestamp: AT } },
    },
    ...{ asked_at: AT, catalog_version: "c1" },
  });
const noteOf = (id: string, text: string, entry: string | null = null) => ({ id, at: AT, text, entry });
const graphOf = (id: string, entry: string) => ({
  ...{ id, title: "G", saved_at: AT, network: "demo", start: "0x01", pinned: [] },
  ...{ expansions: [{ entry, categories: ["dex"] }], places: [["0x01", 1.5, -2]] },
});

const begin = async ({ ask }: Pick<Awaited<ReturnType<typeof settle>>, "ask">, title = "Theft"): Promise<string> =>
  `${CASES}/${(await ask("POST", CASES, { body: { title } })).body.case.id}`;

const ann = await settle("ann");
const bob = await settle("bob");
const reader = await settle("reader", { role: "viewer" });

test("two people work on a case, and its file holds every answer as it was received", async () => {
  const url = await begin(ann);
  const entry = entryOf("e1");
  const added = await ann.ask("POST", `${url}/parts`, {
    body: { entries: [entry], notes: [noteOf("n1", "The wallet is empty.", "e1")], graphs: [graphOf("g1", "e1")] },
  });
  expect([added.status, added.body.case]).toMatchObject([200, { entries: 1, notes: 1, graphs: 1 }]);

  const opened = await bob.ask("GET", url);
  const { answer, ...head } = entry;
  expect(opened.body.entries).toEqual([{ ...head, stored: expect.objectContaining({ version: 1 }) }]);
  expect(opened.body.notes[0].stored).toMatchObject({ version: 1, created_by: `user:${ann.id}` });
  expect(opened.body.people).toEqual([{ actor: `user:${ann.id}`, name: "ann" }]);
  const noted = { version: 1, at: AT, text: "Emptied at noon.", entry: "e1" };
  expect((await bob.ask("PUT", `${url}/notes/n1`, { body: noted })).body).toEqual({ version: 2 });
  const late = await ann.ask("PUT", `${url}/notes/n1`, { body: { ...noted, text: "Mine" } });
  expect([late.status, late.body.detail]).toEqual([
    409,
    "The note was changed by bob in the meantime. Read the case again.",
  ]);
  const again = await ann.ask("PUT", `${url}/notes/n1`, { body: { ...noted, text: "Both", version: 2 } });
  expect(again.body).toEqual({ version: 3 });
  const { id: _, ...graph } = graphOf("g1", "e1");
  const moved = await ann.ask("PUT", `${url}/graphs/g1`, { body: { ...graph, title: "H", version: 1 } });
  expect(moved.body).toEqual({ version: 2 });

  expect((await bob.ask("GET", `${url}/entries/e1`)).body).toEqual(entry);
  const file = await bob.ask("GET", `${url}/file`);
  expect(answerHash(file.body.entries[0].answer)).toBe(entry.answer_sha256);
  expect(file.body.entries[0].answer).toEqual(answer);
  const read = readCase(JSON.stringify(file.body));
  expect(read).toMatchObject({
    kind: "read",
    file: { title: "Theft", notes: [{ text: "Both", entry: "e1" }], graphs: [{ title: "H" }] },
  });

  const changes = await bob.ask("GET", `${url}/changes?limit=3`);
  expect(changes.body.entries.map(({ actor, action }: { actor: string; action: string }) => [actor, action])).toEqual([
    [`user:${ann.id}`, "case.change_part"],
    [`user:${ann.id}`, "case.change_part"],
    [`user:${bob.id}`, "case.change_part"],
  ]);
});

test("a note about a removed result is about the case, and its graphs are gone", async () => {
  const url = await begin(ann);
  await ann.ask("POST", `${url}/parts`, {
    body: { entries: [entryOf("e1")], notes: [noteOf("n1", "x", "e1")], graphs: [graphOf("g1", "e1")] },
  });
  const gone = await ann.ask("POST", `${url}/parts/entry/e1/remove`, { body: { version: 1 } });
  expect(gone.body.case).toMatchObject({ entries: 0, notes: 1, graphs: 0 });
  const { body } = await ann.ask("GET", `${url}/file`);
  expect(body.notes).toEqual([noteOf("n1", "x")]);
  expect(readCase(JSON.stringify(body)).kind).toBe("read");
});

test("a viewer reads and changes nothing; a key needs the scope", async () => {
  const url = await begin(ann);
  expect((await reader.ask("GET", CASES)).body.may_write).toBe(false);
  expect((await reader.ask("GET", `${url}/file`)).status).toBe(200);
  expect((await reader.ask("POST", CASES, { body: { title: "x" } })).status).toBe(403);
  expect((await reader.ask("POST", `${url}/parts`, { body: { notes: [noteOf("n", "x")] } })).status).toBe(403);
  expect((await reader.ask("POST", `${url}/remove`, { body: { version: 1 } })).status).toBe(403);
  const statuses = async (...scopes: string[]) => {
    const { secret } = await store.keys.create({ account_id, scopes });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const read = await fetch(`${service.url}${url}`, { headers });
    const write = { method: "POST", headers, body: JSON.stringify({ notes: [noteOf("n1", "by a key")] }) };
    return [read.status, (await fetch(`${service.url}${url}/parts`, write)).status];
  };
  expect(await statuses("api:call", "keys:manage")).toEqual([403, 403]);
  expect(await statuses("cases:read")).toEqual([200, 403]);
  expect(await statuses("cases:write")).toEqual([200, 200]);
  // A user makes no key with more.
  const keeper = await settle("keeper", { role: "key_manager" });
  expect((await keeper.ask("POST", "/api/account/keys", { body: { scopes: ["cases:write"] } })).status).toBe(200);
});

test("another account gets 404 for every operation, as for a case that does not exist", async () => {
  const url = await begin(ann, "Secret");
  await ann.ask("POST", `${url}/parts`, { body: { entries: [entryOf("e1")], notes: [noteOf("n1", "x")] } });
  const other = await store.accounts.create({ name: "Other", plan: "business" });
  const { token } = await store.users.link({
    ...{ name: "mallory", account_id: other.id, is_operator: false, role: "owner" },
  });
  const mallory = browserOf(service);
  await mallory.ask("POST", "/api/session/set-up", { body: { token, password: PASSWORD } });
  const { id: _, ...graph } = graphOf("g1", "e1");
  const asked = (to: string) =>
    Promise.all([
      mallory.ask("GET", to),
      mallory.ask("GET", `${to}/file`),
      mallory.ask("GET", `${to}/changes`),
      mallory.ask("GET", `${to}/entries/e1`),
      mallory.ask("PUT", to, { body: { title: "", status: "open", version: 1 } }),
      mallory.ask("POST", `${to}/parts`, { body: { notes: [noteOf("n9", "x")] } }),
      mallory.ask("PUT", `${to}/notes/n1`, { body: { at: AT, text: "", version: 1 } }),
      mallory.ask("PUT", `${to}/graphs/g1`, { body: { ...graph, version: 1 } }),
      mallory.ask("POST", `${to}/parts/note/n1/remove`, { body: { version: 1 } }),
      mallory.ask("POST", `${to}/remove`, { body: { version: 1 } }),
    ]);
  const absent = await asked(`${CASES}/case_0`);
  const real = await asked(url);
  expect(real.map(({ status }) => status)).toEqual(real.map(() => 404));
  expect(real.map(({ body }) => body.detail.replace(url.split("/").at(-1), "case_0"))).toEqual(
    absent.map(({ body }) => body.detail),
  );
  expect((await mallory.ask("GET", CASES)).body.cases).toEqual([]);
  expect((await ann.ask("GET", url)).body.case).toMatchObject({ title: "Secret", entries: 1, notes: 1 });
});

test("takes large answers, and refuses a body above the limit, a wrong hash and a bad id", async () => {
  const url = await begin(ann);
  const add = (body: unknown) => ann.ask("POST", `${url}/parts`, { body });
  expect((await add({ entries: [entryOf("large", 1_500_000)] })).status).toBe(200);
  expect((await add({ entries: [entryOf("huge", 2_200_000)] })).status).toBe(413);
  const wrong = await add({ entries: [{ ...entryOf("e1"), answer: { status: "data" } }] });
  expect([wrong.status, wrong.body.detail]).toEqual([
    422,
    "The answer of the result 'e1' does not have the hash beside it.",
  ]);
  expect((await add({ entries: [{ ...entryOf("e1"), id: "../x" }] })).status).toBe(422);
  expect((await add({ notes: [noteOf("n1", "x".repeat(20_001))] })).status).toBe(422);
  expect((await add({ notes: [noteOf("n1", "€".repeat(20_000))] })).status).toBe(200);
  // Other operations keep the limit of the service.
  const long = { title: "x".repeat(70_000) };
  expect((await ann.ask("POST", CASES, { body: long })).status).toBe(413);
});
