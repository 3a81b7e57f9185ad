// @long: alone
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RULE_DEFINITION } from "../../src/accounts/testing/watch.ts";
import { WALLET } from "../contract/bench_tools.ts";
import { openService } from "../contract/service.ts";
import { type Browser, fitsWidth, openBrowser, SCREENS, violationsOn, type WatchedPage } from "./browser.ts";

// Users who sign in, in a real Chromium. The tools behind are those of the contract's bench.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
const PASSWORD = "correct horse battery";

let service: Awaited<ReturnType<typeof openService>>;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([
    openService({
      portal: PORTAL,
      sign_in: { operators: true },
      accounts: {
        ...{ password_cost: { N: 1_024, r: 8, p: 1 }, now: Date.now },
        watch: { rules_per_account: 9, is_priced: false },
      },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const invite = async (
  name: string,
  rights: { is_operator?: boolean; role?: "viewer" | "caller" | "watcher" | "key_manager" | "owner" } = {},
) => {
  const account_id = service.customer.account.id;
  const wish = { name, account_id, is_operator: false, ...rights };
  return service.store.users.link(wish);
};

/** Opens a set-up link and chooses the password, as its owner does. */
const settle = async ({ page }: WatchedPage, token: string): Promise<void> => {
  await page.goto(`${service.url}/app/set-up#${token}`);
  await page.getByLabel("Password, 12 characters or more").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { name: /^Account of/ }).waitFor();
};

/** Calls a tool as any page of the service does. */
const callTool = (page: Page): Promise<{ status: number; request_id: string }> =>
  page.evaluate(`(async () => {
    const { csrf_token } = await (await fetch("/api/session")).json();
    const headers = { "content-type": "application/json", "x-csrf-token": csrf_token };
    const body = JSON.stringify(${JSON.stringify({ address: WALLET, network: "demo" })});
    const answer = await fetch("/api/tools/show", { method: "POST", headers, body });
    return { status: answer.status, request_id: answer.headers.get("x-request-id") };
  })()`);

describe("a user with a set-up link", () => {
  test("chooses a password, calls a tool, sees it in usage and ledger, makes a key, and signs out", async () => {
    const { token } = await invite("ann", { role: "key_manager" });
    const watched = await browser.open(service.url);
    const { page } = watched;
    await settle(watched, token);
    expect(page.url()).toBe(`${service.url}/app/account`);

    const asked = await callTool(page);
    expect(asked.status).toBe(200);
    await page.getByRole("button", { name: "Read again" }).click();
    await page.getByRole("cell", { name: asked.request_id }).waitFor();
    await page.getByRole("group", { name: "By" }).getByRole("button", { name: "Key", exact: true }).click();
    await page.getByRole("region", { name: "Usage by key" }).getByRole("cell", { name: "ann, signed in" }).waitFor();

    await page.getByRole("button", { name: "Make a key" }).click();
    const secret = (await page.locator("code.secret").textContent()) ?? "";
    expect((await service.store.meter.authenticate(`Bearer ${secret}`, "api")).kind).toBe("caller");
    await page.getByRole("button", { name: "I have it" }).click();
    expect(await page.getByText(secret).count()).toBe(0);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.context().cookies()).toMatchObject([{ name: "assay_device" }]);
    await page.getByLabel("Name", { exact: true }).fill("Ann");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Account of ann" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Account of ann" }).waitFor();
    expect([watched.errors, watched.foreign]).toEqual([[], []]);
    expect(await service.store.ledger.verify()).toEqual([]);
  });

  test("finds a used link closed, and its token in neither the address nor the history", async () => {
    const { token } = await invite("ben");
    const watched = await browser.open(service.url);
    await settle(watched, token);
    const { page } = await browser.open(service.url);
    await page.goto(`${service.url}/app/set-up#${token}`);
    await page.getByText("This link was used, has expired or never existed.").waitFor();
    expect(page.url()).toBe(`${service.url}/app/set-up`);
  });

  test("sees a message that name and password do not match, and when to try again", async () => {
    await invite("cat");
    const { page, errors } = await browser.open(service.url);
    await page.goto(`${service.url}/app/sign-in`);
    const enter = async () => {
      await page.getByLabel("Name", { exact: true }).fill("cat");
      await page.getByLabel("Password", { exact: true }).fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign in", disabled: false }).waitFor();
    };
    await enter();
    await page.getByText("The name or the password is wrong.").waitFor();
    for (let failed = 1; failed < 6; failed += 1) await enter();
    await enter();
    await page.getByText(/Too many sign-ins have failed. Try again in/).waitFor();
    expect(errors).toEqual([]);
  });
});

describe("an ended session on an open page", () => {
  test("shows a message with a way to sign in again, and hides the account's data", async () => {
    const { token, id } = await invite("dot");
    const watched = await browser.open(service.url);
    const { page } = watched;
    await settle(watched, token);
    await watched.quiet();
    await service.store.users.remove(id);
    await page.getByRole("group", { name: "By" }).getByRole("button", { name: "Tool", exact: true }).click();
    await page.getByText("Your session has ended").waitFor();
    expect(await page.getByRole("heading", { name: "Keys" }).count()).toBe(0);
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(watched.errors).toEqual([]);
  });

  test("shows the message after a call of a tool too, and the page header names no user", async () => {
    const { token, id } = await invite("eli");
    const watched = await browser.open(service.url);
    const { page } = watched;
    await settle(watched, token);
    const head = page.getByRole("banner");
    await page.goto(`${service.url}/app/tools/show`);
    await head.getByRole("link", { name: "eli" }).waitFor();
    await page.getByRole("button", { name: "Fill in the example" }).click();
    await watched.quiet();
    await service.store.users.remove(id);
    await page.locator("button.ask").first().click();
    await page.getByText("Your session has ended").waitFor();
    await head.getByRole("link", { name: "Sign in" }).waitFor();
    expect(await head.getByRole("link", { name: "eli" }).count()).toBe(0);
    expect(watched.errors).toEqual([]);
  });
});

test("lets an operator end a watch rule of an account after a confirmation", async () => {
  const by = { account_id: service.customer.account.id, key_id: service.customer.key.id };
  const hostile = { ...RULE_DEFINITION, url: "https://example.com/<b>\u202egpj" };
  await service.store.watch.rules("tests").create(by, hostile);
  const { token } = await invite("eve", { is_operator: true });
  const watched = await browser.open(service.url);
  const { page } = watched;
  await settle(watched, token);
  await page.goto(`${service.url}/app/operator?part=watches`);
  const row = page.getByRole("row", { name: /example\.com/ });
  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByRole("button", { name: "Keep" }).click();
  expect(await service.store.watch.rules("tests").list(by.account_id)).toHaveLength(1);
  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No account watches anything.").waitFor();
  expect(await service.store.watch.rules("tests").list(by.account_id)).toEqual([]);
  expect([watched.errors, watched.foreign]).toEqual([[], []]);
});

test("lets an operator make, change and end a risk rule, beside those of the configuration", async () => {
  const { token } = await invite("rita", { is_operator: true });
  const watched = await browser.open(service.url);
  const { page } = watched;
  await settle(watched, token);
  await page.goto(`${service.url}/app/operator?part=risk`);
  const ofFile = page.getByRole("row", { name: /sanctions/ });
  await ofFile.waitFor();
  expect(await ofFile.getByRole("button").count()).toBe(0);
  const form = page.locator("form.make");
  await form.getByLabel("Name of the rule").fill("mixers");
  await form.getByLabel("Category").selectOption("mixer");
  await form.getByLabel("Limit in USD").fill("1500.5");
  await form.getByRole("button", { name: "Make it" }).click();
  const row = page.getByRole("row", { name: /mixers/ });
  await row.waitFor();
  expect(await row.textContent()).toContain("1,500.5");
  // The keyboard is where it was.
  expect(await page.evaluate("document.activeElement?.textContent")).toBe("Make it");
  const [stored = null] = await service.store.risk_rules.list();
  expect(stored?.rule).toEqual({
    ...{ id: "mixers", category: "mixer", exposure: "any", direction: "any", usd: 1_500.5, percent: null },
  });

  await row.getByRole("button", { name: "Edit mixers" }).click();
  expect(await page.evaluate("document.activeElement?.tagName")).toBe("SELECT");
  await form.getByLabel("Direction").selectOption("in");
  await form.getByLabel("Limit in USD").fill("");
  await form.getByRole("button", { name: "Change it" }).click();
  await page.getByText("a rule needs `usd` or `percent`").waitFor();
  await form.getByLabel("Limit in percent").fill("7.5");
  // In the meantime another operator changes the rule.
  const theirs = { ...stored?.rule, usd: 2 } as NonNullable<typeof stored>["rule"];
  await service.store.as("other").risk_rules.change(theirs, stored?.version ?? 0);
  await form.getByRole("button", { name: "Change it" }).click();
  await page.getByText("Risk rule 'mixers' was changed by other in the meantime.").waitFor();
  expect((await service.store.risk_rules.list()).map(({ rule }) => rule)).toEqual([theirs]);
  expect(await violationsOn(page)).toEqual([]);
  await row.filter({ hasText: "by other" }).getByRole("button", { name: "Edit mixers" }).click();
  await form.getByLabel("Limit in percent").fill("7.5");
  await form.getByRole("button", { name: "Change it" }).click();
  await row.filter({ hasText: "7.5" }).waitFor();

  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByRole("button", { name: "Keep" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });
  expect(await service.store.risk_rules.list()).toEqual([]);
  const trail = (await service.store.audit({ limit: 4, before_seq: null })).map(({ action }) => action);
  expect(trail).toEqual(["risk_rule.remove", "risk_rule.change", "risk_rule.change", "risk_rule.create"]);
  // Refused requests are errors of the network that the page shows.
  expect(watched.foreign).toEqual([]);
});

describe("pages", () => {
  beforeAll(async () => {
    const by = { account_id: service.customer.account.id, key_id: service.customer.key.id };
    await service.store.watch.rules("tests").create(by, RULE_DEFINITION);
  });

  test.each(SCREENS)(
    "of account and operator at $width px in $scheme have no barrier, no error, no foreign request",
    async (look) => {
      const { token } = await invite(`op-${look.width}-${look.scheme}`, { is_operator: true, role: "key_manager" });
      const watched = await browser.open(service.url, { look });
      const { page } = watched;
      const inspect = async (name: string) => {
        expect(await violationsOn(page), name).toEqual([]);
        expect(await fitsWidth(page), name).toBe(true);
        const folder = process.env.ASSAY_TEST_PICTURES;
        if (folder !== undefined)
          await page.screenshot({ path: join(folder, `${name}-${look.width}-${look.scheme}.png`), fullPage: true });
      };
      await page.goto(`${service.url}/app/sign-in`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await inspect("sign_in");
      await page.goto(`${service.url}/app/set-up#${token}`);
      await page.getByRole("heading", { name: "Choose a password" }).waitFor();
      await inspect("set_up");
      await settle(watched, token);
      await callTool(page);
      await page.reload();
      await page.getByRole("region", { name: "Rows of the ledger" }).waitFor();
      await page.getByRole("region", { name: "Usage by day" }).waitFor();
      await page.getByRole("region", { name: "Open sessions" }).waitFor();
      await inspect("account");
      await page.getByRole("link", { name: "Operator" }).click();
      const parts = [
        "Networks",
        "Nodes",
        "Spending",
        "Lists",
        "Accounts",
        "Keys",
        "Users",
        "Prices",
        "Risk rules",
        "Watches",
      ];
      for (const part of [...parts, "Audit trail"]) {
        await page.getByRole("group", { name: "Part" }).getByRole("button", { name: part, exact: true }).click();
        await page.getByRole("main").getByRole("region").locator("table, figure, article").first().waitFor();
        await inspect(`operator_${part.toLowerCase().replace(" ", "_")}`);
      }
      expect([watched.errors, watched.foreign]).toEqual([[], []]);
    },
  );
});
