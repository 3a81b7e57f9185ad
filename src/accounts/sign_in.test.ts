import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAccounts } from "./open.ts";
import { request, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

// Cheap hashes: passwords.test.ts covers the real cost.
const password_cost = { N: 1_024, r: 8, p: 1 };
const PASSWORD = "correct horse battery";
const OTHER = "staple of another kind";
const FROM = { address: "192.0.2.7", agent: "Firefox" };
const MINUTE = 60_000;
const DAY = 86_400_000;

let store: TemporaryStore;
let account_id: string;
beforeAll(async () => {
  store = await openTemporary({ password_cost });
  account_id = (await store.accounts.create({ name: "Acme", plan: "business" })).id;
});
afterAll(() => store.remove());

const rights = { is_operator: false };
const invite = (name: string) => store.as("alice").users.link({ name, account_id, ...rights });

/** A user with a password. */
const settle = async (name: string) => {
  const { token, id } = await invite(name);
  const opened = await store.sessions.setUp({ token, password: PASSWORD, from: FROM });
  if (opened.kind !== "opened") throw new Error(`The link of ${name} was refused.`);
  return { id, ...opened };
};

let addresses = 0;
/** From an address without failures. */
const elsewhere = () => {
  addresses += 1;
  return { ...FROM, address: `198.51.100.${addresses}` };
};
const enter = (name: string, password: string, more: { device?: string; from?: typeof FROM } = {}) =>
  store.sessions.signIn({ name, password, device: more.device ?? null, from: more.from ?? elsewhere() });

const secretOf = (answer: Awaited<ReturnType<typeof enter>>): string => {
  if (answer.kind !== "opened") throw new Error(`Expected a session, got ${answer.kind}`);
  return answer.secret;
};

const trail = async (limit: number) =>
  (await store.audit({ limit, before_seq: null })).map(({ actor, action, subject }) => ({ actor, action, subject }));

describe("a set-up link", () => {
  test("opens once for concurrent users of one token, and the store does not contain the token", async () => {
    const { token } = await invite("ann");
    expect(await store.sessions.linkOf(token)).toEqual({ name: "ann", link_until: "2026-11-23T12:00:00Z" });
    const wishes = Array.from({ length: 5 }, () => store.sessions.setUp({ token, password: PASSWORD, from: FROM }));
    const kinds = (await Promise.all(wishes)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["opened", "refused", "refused", "refused", "refused"]);
    expect(await store.sessions.linkOf(token)).toBeNull();
    const written = Buffer.concat([...(await store.contents())]).toString("latin1");
    expect([token, PASSWORD].filter((secret) => written.includes(secret))).toEqual([]);
  });

  test("expires after three days, and when a newer one is made", async () => {
    const first = await invite("bob");
    const second = await invite("bob");
    expect(second.id).toBe(first.id);
    expect(await store.sessions.linkOf(first.token)).toBeNull();
    store.clock.at += 3 * DAY;
    expect(await store.sessions.setUp({ token: second.token, password: PASSWORD, from: FROM })).toEqual({
      kind: "refused",
    });
    store.clock.at -= 3 * DAY;
    expect((await store.sessions.setUp({ token: second.token, password: PASSWORD, from: FROM })).kind).toBe("opened");
  });

  test("rejects short and simple passwords, and stays valid afterwards", async () => {
    const { token } = await invite("cid");
    for (const password of ["eleven chars".slice(1), "abababababababab", "x".repeat(201)])
      await expect(store.sessions.setUp({ token, password, from: FROM })).rejects.toMatchObject({
        code: "BAD_PASSWORD",
      });
    expect(await store.sessions.linkOf(token)).not.toBeNull();
  });

  test("is only for a user of the same account, and for names that can be typed", async () => {
    await invite("dan");
    const other = await store.accounts.create({ name: "Other", plan: "free" });
    const link = store.users.link;
    for (const wish of [
      { name: "dan", account_id: other.id, ...rights },
      { name: "two words", account_id, ...rights },
      { name: "nobody", account_id: null, ...rights },
    ])
      await expect(link(wish), wish.name).rejects.toMatchObject({ code: "BAD_USER" });
    await expect(link({ name: "eve", account_id: "none", ...rights })).rejects.toMatchObject({
      code: "UNKNOWN_ACCOUNT",
    });
  });
});

describe("a session", () => {
  test("opens with name and password, with neither alone, and the answer hides which was wrong", async () => {
    const { id } = await settle("fay");
    const found = await store.sessions.find(secretOf(await enter(" FAY ", PASSWORD)));
    expect(found).toMatchObject({ user_id: id, name: "fay", account_id, plan_id: "business", calls_per_minute: 120 });
    expect(await enter("fay", OTHER)).toEqual({ kind: "refused" });
    expect(await enter("an unknown user", PASSWORD)).toEqual({ kind: "refused" });
    expect(await trail(3)).toEqual([
      { actor: "sign-in", action: "session.refused", subject: "nobody" },
      { actor: "sign-in", action: "session.refused", subject: id },
      { actor: `user:${id}`, action: "session.begin", subject: id },
    ]);
  });

  test("ends after twelve hours without use, and after seven days with any use", async () => {
    const { secret } = await settle("gus");
    const start = store.clock.at;
    store.clock.at += 12 * 60 * MINUTE - 1;
    expect(await store.sessions.find(secret)).not.toBeNull();
    store.clock.at += 12 * 60 * MINUTE;
    expect(await store.sessions.find(secret)).toBeNull();

    store.clock.at = start;
    const used = secretOf(await enter("gus", PASSWORD));
    for (; store.clock.at < start + 7 * DAY; store.clock.at += 11 * 60 * MINUTE)
      expect(await store.sessions.find(used)).not.toBeNull();
    expect(await store.sessions.find(used)).toBeNull();
    store.clock.at = start;
  });

  test("is listed to its user, and only its user can end it", async () => {
    const [hal, ida] = [await settle("hal"), await settle("ida")];
    const second = secretOf(await enter("hal", PASSWORD));
    const listed = await store.sessions.list(hal.id);
    expect(listed).toHaveLength(2);
    const target = (await store.sessions.find(second))?.id ?? "";
    await expect(store.sessions.end(ida.id, target)).rejects.toMatchObject({ code: "UNKNOWN_SESSION" });
    await store.sessions.end(hal.id, target);
    expect(await store.sessions.find(second)).toBeNull();
    expect(await store.sessions.find(hal.secret)).not.toBeNull();
  });

  test("ends with a password change, after which only the new password works", async () => {
    const { id, secret } = await settle("jan");
    const change = (password: string) =>
      store.sessions.changePassword(id, { password, new_password: OTHER, from: elsewhere() });
    expect(await change("not the password")).toEqual({ kind: "refused" });
    const changed = secretOf(await change(PASSWORD));
    expect(await store.sessions.find(secret)).toBeNull();
    expect(await store.sessions.find(changed)).not.toBeNull();
    expect(await enter("jan", PASSWORD)).toEqual({ kind: "refused" });
    expect((await enter("jan", OTHER)).kind).toBe("opened");
  });

  test("ends with its user, whose name is free again, and no link or password opens one", async () => {
    const { id, secret } = await settle("kim");
    const { token } = await invite("kim");
    expect(await store.as("alice").users.remove(id)).toMatchObject({ state: "removed", link_until: null });
    expect(await store.sessions.find(secret)).toBeNull();
    expect(await enter("kim", PASSWORD)).toEqual({ kind: "refused" });
    expect(await store.sessions.setUp({ token, password: PASSWORD, from: FROM })).toEqual({ kind: "refused" });
    const again = await settle("kim");
    expect(again.id).not.toBe(id);
    expect(await store.users.list(account_id)).toContainEqual(expect.objectContaining({ id, state: "removed" }));
  });

  test("is not found by a made-up secret", async () => {
    for (const secret of ["", "x", "A".repeat(43), "' or 1=1 --", "\u0000".repeat(43)])
      expect(await store.sessions.find(secret), secret).toBeNull();
  });
});

describe("failed sign-ins", () => {
  test("delay the next one under that name longer each time, up to 15 minutes, after which it opens", async () => {
    await settle("lea");
    for (let failed = 0; failed < 6; failed += 1) expect(await enter("lea", OTHER)).toEqual({ kind: "refused" });
    // The sixth delays by a second, the seventh by two, …, the sixteenth by 2^10 s: 15 minutes.
    for (const wait_s of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await enter("lea", PASSWORD)).toEqual({ kind: "delayed", wait_s });
      store.clock.at += wait_s * 1_000;
      if (wait_s < 900) expect(await enter("lea", OTHER)).toEqual({ kind: "refused" });
      else break;
    }
    expect((await enter("lea", PASSWORD)).kind).toBe("opened");
    expect(await enter("lea", OTHER)).toEqual({ kind: "refused" });
  });

  test("delay unknown names in the same way", async () => {
    const answers = [];
    for (let tried = 0; tried < 7; tried += 1) answers.push(await enter("phantom", OTHER));
    expect(answers.map(({ kind }) => kind)).toEqual([...Array(6).fill("refused"), "delayed"]);
  });

  test("get no more guesses concurrently than in sequence", async () => {
    const { id } = await settle("max");
    const answers = await Promise.all(Array.from({ length: 12 }, () => enter("max", OTHER)));
    const refused = answers.filter(({ kind }) => kind === "refused");
    expect(refused).toHaveLength(6);
    const trailed = await trail(12);
    expect(trailed.filter(({ subject, action }) => subject === id && action === "session.refused")).toHaveLength(6);
  });

  test("do not lock out a browser that was signed in before, whose failures count separately", async () => {
    const { device } = await settle("nia");
    for (let failed = 0; failed < 6; failed += 1) await enter("nia", OTHER);
    expect((await enter("nia", PASSWORD)).kind).toBe("delayed");
    expect((await enter("nia", PASSWORD, { device: "made.up" })).kind).toBe("delayed");
    expect((await enter("nia", PASSWORD, { device })).kind).toBe("opened");
    // A stolen browser gets no more guesses than a stranger.
    for (let failed = 0; failed < 6; failed += 1) await enter("nia", OTHER, { device });
    expect((await enter("nia", PASSWORD, { device })).kind).toBe("delayed");
  });

  test("delay sign-ins in another process and after a restart too", async () => {
    await settle("oda");
    for (let failed = 0; failed < 6; failed += 1) await enter("oda", OTHER);
    const clock = { now: () => store.clock.at, password_cost };
    const other = await openAccounts(settingsFor(store.place, clock));
    try {
      const wish = { name: "oda", password: PASSWORD, device: null, from: elsewhere() };
      expect(await other.sessions.signIn(wish)).toEqual({ kind: "delayed", wait_s: 1 });
    } finally {
      await other.close();
    }
  });

  test("delay an address after twenty, a whole IPv6 network together, and no other address", async () => {
    const from = (host: number) => ({ ...FROM, address: `2001:db8:1:2::${host.toString(16)}` });
    for (let failed = 0; failed < 21; failed += 1)
      expect(await enter(`name-${failed}`, OTHER, { from: from(failed + 1) })).toEqual({ kind: "refused" });
    expect(await enter("name-x", OTHER, { from: from(99) })).toEqual({ kind: "delayed", wait_s: 1 });
    expect(await enter("name-x", OTHER, { from: { ...FROM, address: "2001:db8:1:3::1" } })).toEqual({
      kind: "refused",
    });
  });
});

describe("calls of a user", () => {
  const callerOf = (user_id: string) => ({
    ...{ key_id: user_id, account_id, plan_id: "business", surface: "api" as const },
    ...{ scopes: [], limit_per_minute: 120 },
  });

  test("are listed in the ledger under the user, which is no key of the account, and every invariant holds", async () => {
    const { id } = await settle("ola");
    const before = await store.accounts.show(account_id);
    const charge = await store.meter.charge(request(callerOf(id), { tool: "resolve_ens", request_id: "req-ola" }));
    if (charge.kind !== "charged") throw new Error(charge.kind);
    await store.meter.settle(charge.charge_id, "done", null);
    const after = await store.accounts.show(account_id);
    expect(after).toMatchObject({ keys: before.keys, credits_used: before.credits_used + 1 });
    expect((await store.keys.list(account_id)).map((key) => key.id)).not.toContain(id);
    await expect(store.keys.rotate(id)).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
    await expect(store.keys.revoke(id)).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
    const usage = await store.usage.rows({ account_id, from: "2026-11-20", to: "2026-11-20", by: ["key_id"] });
    expect(usage).toContainEqual({ key_id: id, calls: 1, credits: 1, credits_refunded: 0 });
    expect(await store.ledger.verify()).toEqual([]);
  });

  test("are rows of the ledger with their request, page by page, each once", async () => {
    const { id } = await settle("pam");
    for (const request_id of ["r-1", "r-2", "r-3"]) {
      const charge = await store.meter.charge(request(callerOf(id), { tool: "get_token_info", request_id }));
      if (charge.kind !== "charged") throw new Error(charge.kind);
      await store.meter.settle(
        charge.charge_id,
        request_id === "r-2" ? "refunded" : "done",
        request_id === "r-2" ? "late" : null,
      );
    }
    const newest = await store.ledgerRows({ account_id, limit: 3, before: null });
    expect(newest.rows.map(({ kind, credits, call }) => [kind, credits, call?.request_id, call?.outcome])).toEqual([
      ["charge", -3, "r-3", "done"],
      ["refund", 3, "r-2", "refunded"],
      ["charge", -3, "r-2", "refunded"],
    ]);
    expect(newest.rows[1]?.call).toMatchObject({ tool: "get_token_info", key_id: id, reason: "late" });
    const all = await store.ledgerRows({ account_id, limit: 1_000, before: null });
    const paged = [];
    for (let before: string | null = null, more = true; more; ) {
      const page: Awaited<ReturnType<typeof store.ledgerRows>> = await store.ledgerRows({
        account_id,
        limit: 2,
        before,
      });
      paged.push(...page.rows);
      before = page.next;
      more = before !== null;
    }
    expect(paged).toEqual(all.rows);
    expect(all.rows.at(-1)).toMatchObject({ seq: 1, kind: "adjustment", credits: 500_000, call: null });
    await expect(store.ledgerRows({ account_id, limit: 2, before: "soon" })).rejects.toMatchObject({
      code: "BAD_PAGE",
    });
  });
});
