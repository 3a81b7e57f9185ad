// @long: alone
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callerOf, charged, request } from "../../src/accounts/testing/store.ts";
import { openService } from "../contract/service.ts";
import { OPERATOR_STATE } from "../operator_state.ts";
import { type Browser, fitsWidth, openBrowser, violationsOn, type WatchedPage } from "./browser.ts";

// The operator's console, in a real Chromium.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
const PASSWORD = "correct horse battery";

let service: Awaited<ReturnType<typeof openService>>;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([
    openService({
      portal: PORTAL,
      sign_in: { operators: true },
      accounts: { password_cost: { N: 1_024, r: 8, p: 1 }, now: Date.now },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const openAs = async (name: string, is_operator: boolean, width = 1024): Promise<WatchedPage> => {
  const watched = await browser.open(service.url, { look: { width, scheme: width < 500 ? "dark" : "light" } });
  const account_id = is_operator ? null : service.customer.account.id;
  const { token } = await service.store.users.link({ name, account_id, is_operator });
  await watched.page.goto(`${service.url}/app/set-up#${token}`);
  await watched.page.getByLabel("Password, 12 characters or more").fill(PASSWORD);
  await watched.page.getByLabel("The same again").fill(PASSWORD);
  await watched.page.getByRole("button", { name: "Set the password" }).click();
  await watched.page.getByRole("heading", { name: /^Account of/ }).waitFor();
  return watched;
};

const openPart = async ({ page }: WatchedPage, part: string): Promise<void> => {
  await page.goto(`${service.url}/app/operator?part=${part}`);
  await page.getByRole("heading", { level: 1, name: "Operator" }).waitFor();
};

const inOrder = async ({ page, errors, foreign }: WatchedPage): Promise<void> =>
  expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);

test.each([1600, 390])(
  "says how far a network is behind, why, since when, and how its nodes do, at %i px",
  async (width) => {
    const { networks } = await OPERATOR_STATE.status();
    const { demo } = networks;
    if (demo === undefined) throw new Error("the process has the network");
    const now_ms = OPERATOR_STATE.now_ms();
    for (const [minutes, lag_blocks] of [
      [30, 12],
      [20, 77],
      [10, 10],
    ] as const)
      OPERATOR_STATE.health.history.take(
        "demo",
        { ...demo, lag_blocks },
        { at_ms: now_ms - minutes * 60_000, endpoints: [] },
      );
    const watched = await openAs(`lag-${width}`, true, width);
    await openPart(watched, "networks");
    const { page } = watched;
    // 4 of the 40 requests of the node failed.
    await page.getByText("Behind because requests to the node fail.").waitFor();
    // From 2026-01-01 to 2026-11-20, noon.
    await page.getByText("323 days").waitFor();
    await page
      .getByText("At most 77 blocks behind, at 2026-11-20 11:40:00: reads earlier blocks first.")
      .first()
      .waitFor();
    await inOrder(watched);

    await openPart(watched, "nodes");
    const row = page.getByRole("row", { name: /node\.example/ });
    await row.getByRole("cell", { name: "too many requests: 3, no answer in time: 1" }).waitFor();
    await row.getByRole("cell", { name: "0.5 s" }).waitFor();
    await row.getByRole("cell", { name: "12.5 requests/s" }).waitFor();
    await inOrder(watched);
  },
);

test("shows which accounts and tools use the credits, and which calls fail", async () => {
  const account = await service.store.accounts.create({ name: "Burner", plan: "business" });
  const key = await service.store.keys.create({ account_id: account.id, scopes: ["api:call"] });
  const burner = await callerOf(service.store.meter, key.secret);
  const charge = async (caller: typeof burner, outcome: "done" | "refunded"): Promise<void> => {
    const { charge_id } = charged(await service.store.meter.charge(request(caller, { tool: "show" })));
    await service.store.meter.settle(charge_id, outcome, outcome === "done" ? null : "NODE_UNAVAILABLE");
  };
  await charge(burner, "done");
  await charge(burner, "done");
  await charge(service.customer.api, "refunded");
  const watched = await openAs("spending", true);
  await openPart(watched, "spending");
  const { page } = watched;
  const accounts = page.getByRole("region", { name: "Table of credits by account" }).getByRole("row");
  await accounts.nth(1).waitFor();
  expect(await accounts.nth(1).textContent()).toContain("Burner");
  const failed = page.getByRole("region", { name: "Table of failed calls" }).getByRole("row", { name: /show/ }).last();
  expect(await failed.textContent()).toContain("node unavailable");
  await inOrder(watched);
});

test.each([1600, 390])(
  "finds a key by the name of its account and revokes it after a question, at %i px",
  async (width) => {
    const account = await service.store.accounts.create({ name: `Zeta ${width}`, plan: "business" });
    const made = await service.store.keys.create({ account_id: account.id, scopes: ["api:call"] });
    for (let count = 0; count < 9; count += 1) {
      const filler = await service.store.accounts.create({ name: `Filler ${width} ${count}`, plan: "business" });
      await service.store.keys.create({ account_id: filler.id, scopes: ["api:call"] });
    }
    const watched = await openAs(`keys-${width}`, true, width);
    await openPart(watched, "keys");
    const { page } = watched;
    await page.getByRole("searchbox", { name: "Filter Keys of all accounts" }).fill(`zeta ${width}`);
    const rows = page.getByRole("region", { name: "Keys of all accounts" }).getByRole("row");
    expect(await rows.count()).toBe(2);
    await rows.nth(1).getByRole("button", { name: "Revoke" }).click();
    await rows.nth(1).getByText(`of Zeta ${width} ends for good`, { exact: false }).waitFor();
    expect((await service.store.meter.authenticate(`Bearer ${made.secret}`, "api")).kind).toBe("caller");
    await inOrder(watched);
    await rows.nth(1).getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No row has these words.").waitFor();
    expect((await service.store.meter.authenticate(`Bearer ${made.secret}`, "api")).kind).not.toBe("caller");
    const [entry] = await service.store.audit({ limit: 1, before_seq: null, action: "key.revoke" });
    expect(entry?.subject).toBe(made.id);
  },
);

test("shows what an import would change, refuse and contradict, and imports after that", async () => {
  const watched = await openAs("lists", true);
  await openPart(watched, "lists");
  const { page } = watched;
  const form = page.locator("form.make");
  await form.getByLabel("Name of the list").fill("mine");
  await form.getByLabel("File, at most about 1.5 MB").setInputFiles({
    // Longer than a sign-in may be: only a signed-in operator may send it.
    ...{ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from("address,label\n".padEnd(1_500_000, "x")) },
  });
  await form.getByRole("button", { name: "Preview" }).click();
  await page.getByText("An import of mine would do this:").waitFor();
  await page
    .getByRole("row", { name: /the category is not a word of the taxonomy/ })
    .getByRole("cell", { name: "4" })
    .waitFor();
  await page.getByRole("row", { name: /Mixer <b>/ }).waitFor();
  expect(await service.store.audit({ limit: 1, before_seq: null, action: "list" })).toEqual([]);
  await inOrder(watched);
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText("List mine is imported.").waitFor();
  const [entry] = await service.store.audit({ limit: 1, before_seq: null, action: "list" });
  expect(entry).toMatchObject({ action: "list.import", subject: "mine", after: { rows: 2 } });
});

test("changes a price after a question with both prices, and has a sentence about it in the trail", async () => {
  const watched = await openAs("pia", true);
  await openPart(watched, "tools");
  const { page } = watched;
  const field = page.getByLabel("Credits of show; empty: temporarily unavailable");
  const before = Number(await field.inputValue());
  await field.fill("7");
  const row = page.getByRole("row", { name: /^show/ });
  await row.getByRole("button", { name: "Set" }).click();
  await row
    .getByText(`${before} credit${before === 1 ? "" : "s"} → 7 credits, for every account`, { exact: false })
    .waitFor();
  await row.getByRole("button", { name: "Keep" }).click();
  expect(await field.inputValue()).toBe("7");
  expect(await service.store.audit({ limit: 1, before_seq: null, action: "price" })).toEqual([]);
  await row.getByRole("button", { name: "Set" }).click();
  await row.getByRole("button", { name: "Change the price" }).click();
  await row.getByRole("cell", { name: "an operator" }).waitFor();

  await openPart(watched, "audit");
  await page.getByLabel("Kind").selectOption("price");
  await page.getByRole("cell", { name: /^pia changed the price of show from \d+ credits? to 7 credits\.$/ }).waitFor();
  expect(await page.getByRole("region", { name: "Entries of the trail" }).getByRole("row").count()).toBe(2);
  await inOrder(watched);
});

test("is shown to operators alone", async () => {
  const watched = await openAs("ola", false);
  await openPart(watched, "keys").catch(() => undefined);
  await watched.page.getByText("This page is for operators").waitFor();
  for (const path of ["endpoints", "keys", "audit", "networks/demo/history", "usage?from=2026-11-01&to=2026-11-02"]) {
    const status = await watched.page.evaluate(`fetch("/api/operator/${path}").then(({ status }) => status)`);
    expect([path, status]).toEqual([path, 403]);
  }
  const sent = await watched.page.evaluate(`fetch("/api/session").then((one) => one.json()).then(({ csrf_token }) =>
    fetch("/api/operator/lists/preview", {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": csrf_token },
      body: JSON.stringify({ list: "mine", format: "labels-csv", text: "x".repeat(20_000) }),
    }).then(({ status }) => status))`);
  expect(sent).toBe(413);
});

test("a list is not imported without the token of the session", async () => {
  const watched = await openAs("tess", true);
  const status = await watched.page.evaluate(`fetch("/api/operator/lists/import", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ list: "theirs", format: "labels-csv", text: "x", basis: "basis-1" }),
  }).then(({ status }) => status)`);
  expect(status).toBe(403);
  expect(await service.store.audit({ limit: 1, before_seq: null, subject: "theirs" })).toEqual([]);
});
