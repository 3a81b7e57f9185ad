// @long: alone
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caseJsonOf } from "../../src/case/html.ts";
import { readCase } from "../../src/case/read.ts";
import { WALLET } from "../contract/bench_tools.ts";
import { openService } from "../contract/service.ts";
import { type Browser, fitsWidth, openBrowser, violationsOn, type WatchedPage } from "./browser.ts";

// Cases of an account, in a real Chromium. The tools behind are those of the contract's bench.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
const PASSWORD = "correct horse battery";
/** A folder for screenshots, for manual review. */
const PICTURES = process.env.ASSAY_TEST_PICTURES;

let service: Awaited<ReturnType<typeof openService>>;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  [service, browser, folder] = await Promise.all([
    openService({
      portal: PORTAL,
      sign_in: {},
      accounts: { password_cost: { N: 1_024, r: 8, p: 1 }, now: Date.now },
    }),
    openBrowser(),
    mkdtemp(join(tmpdir(), "assay-cases-")),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

type MemberRole = "viewer" | "caller" | "owner";

/** Signs a new user of the account in. */
const settle = async ({ page }: WatchedPage, name: string, role: MemberRole): Promise<void> => {
  const wish = { name, account_id: service.customer.account.id, is_operator: false, role };
  const { token } = await service.store.users.link(wish);
  await page.goto(`${service.url}/app/set-up#${token}`);
  await page.getByLabel("Password, 12 characters or more").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { name: /^Account of/ }).waitFor();
};

const openAs = async (name: string, role: MemberRole, width = 1024): Promise<WatchedPage> => {
  const watched = await browser.open(service.url, { look: { width, scheme: width < 500 ? "dark" : "light" } });
  await settle(watched, name, role);
  return watched;
};

const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};

/** Calls the bench's tool and keeps its answer. */
const keepAnswer = async (page: Page): Promise<void> => {
  await page.goto(`${service.url}/app/tools/show?address=${WALLET}&network=demo&as_of=100`);
  await page.locator("button.ask").click();
  await page.getByRole("button", { name: "Keep in the case" }).click();
  await page.getByRole("link", { name: "In the case" }).waitFor();
};

const settled = async ({ page, errors, foreign }: WatchedPage): Promise<readonly unknown[]> => [
  ...[errors, foreign, await fitsWidth(page), await violationsOn(page)],
];
const CLEAN = [[], [], true, []];

test("two people keep, note, verify and export one case, and neither overwrites the other", async () => {
  const ann = await openAs("ann", "caller");
  await ann.page.goto(`${service.url}/app/case`);
  await ann.page.getByText("The account has no case yet.").waitFor();
  expect(await settled(ann)).toEqual(CLEAN);
  await keepAnswer(ann.page);
  await ann.page.getByRole("link", { name: "In the case" }).click();
  await ann.page.getByLabel("Title").fill("Theft of May");
  await ann.page.getByLabel("Title").press("Enter");
  await ann.page.getByLabel("New note").fill("Reported on the first of May.");
  await ann.page.getByRole("button", { name: "Add note" }).click();
  await ann.page.getByText("Add a note about result 1").click();
  await ann.page.getByLabel("Note about result 1", { exact: true }).fill("The wallet is empty.");
  await ann.page.getByRole("button", { name: "Save under result 1" }).click();
  await ann.page
    .getByLabel(/^Note of .*, by ann$/)
    .nth(1)
    .waitFor();
  await ann.page.getByRole("button", { name: "Show the result" }).click();
  await ann.page.getByText("figures", { exact: false }).first().waitFor();
  await picture(ann.page, "cases-ann");
  expect(await settled(ann)).toEqual(CLEAN);

  const bob = await openAs("bob", "owner", 390);
  await bob.page.goto(`${service.url}/app/case`);
  await bob.page.getByRole("heading", { level: 1 }).waitFor();
  await picture(bob.page, "cases-list");
  expect(await settled(bob)).toEqual(CLEAN);
  await bob.page.getByRole("link", { name: "Theft of May" }).click();
  const bobs = bob.page.getByLabel(/^Note of .*, by ann$/).first();
  await bobs.fill("Reported on the second of May.");
  await bobs.blur();
  await bob.page.getByLabel(/^Note of .*, by bob$/).waitFor();

  const anns = ann.page.getByLabel(/^Note of .*, by ann$/).first();
  await anns.fill("Reported on the third of May.");
  await anns.blur();
  const lost = ann.page.locator(".case-lost");
  await lost.getByText("The note was changed by bob in the meantime.").waitFor();
  // The page shows bob's text, and keeps ann's until she decides.
  expect(await ann.page.getByLabel(/^Note of .*, by bob$/).inputValue()).toBe("Reported on the second of May.");
  expect(await lost.locator("blockquote").textContent()).toBe("Reported on the third of May.");
  await picture(ann.page, "cases-conflict");
  expect(await settled(ann)).toEqual(CLEAN);
  await lost.getByRole("button", { name: "Save your text instead" }).click();
  await lost.waitFor({ state: "detached" });

  await ann.page.getByRole("button", { name: "Verify the case" }).click();
  await ann.page.getByRole("button", { name: /^Repeat 1 of 1 calls · 3 credits$/ }).click();
  const verified = ann.page.getByRole("region", { name: "Outcomes" });
  await verified.getByRole("cell", { name: "same", exact: true }).waitFor();

  const [file] = await Promise.all([
    ann.page.waitForEvent("download"),
    ann.page.getByRole("button", { name: "Export as one page" }).click(),
  ]);
  await file.saveAs(join(folder, "case.html"));
  const read = readCase(caseJsonOf(readFileSync(join(folder, "case.html"), "utf8")));
  expect(read).toMatchObject({
    kind: "read",
    file: {
      title: "Theft of May",
      notes: [{ text: "Reported on the third of May.", entry: null }, { text: "The wallet is empty." }],
      entries: [{ tool: "show", arguments: { address: WALLET, network: "demo", as_of_block: 100 } }],
    },
  });

  await ann.page.getByText("Changes of the case").click();
  const changes = ann.page.getByRole("region", { name: "Changes", exact: true });
  await changes.getByRole("row", { name: /bob changed a note/ }).waitFor();
  await changes.getByRole("row", { name: /ann changed title or status: Theft of May, open/ }).waitFor();
  expect(await settled(ann)).toEqual(CLEAN);
  await ann.page.getByRole("button", { name: "Close the case" }).click();
  await ann.page.getByText("The case is closed.").waitFor();
  expect(await ann.page.getByRole("button", { name: "Add note" }).count()).toBe(0);
});

test("a viewer reads the account's cases and finds nothing to change", async () => {
  const { id: case_id } = await service.store
    .as("user:x", "account")
    .cases.create({ account_id: service.customer.account.id, title: "For readers" });
  const viewer = await openAs("vera", "viewer");
  await viewer.page.goto(`${service.url}/app/case`);
  await viewer.page.getByRole("link", { name: "For readers" }).click();
  await viewer.page.getByText("The case is open.").waitFor();
  expect(new URL(viewer.page.url()).pathname).toBe(`/app/case/${case_id}`);
  const buttons = await viewer.page.locator("main").getByRole("button").allTextContents();
  expect(buttons).toEqual(["Export as one page", "Export as JSON", "Verify the case"]);
  expect(await settled(viewer)).toEqual(CLEAN);
  await viewer.page.goto(`${service.url}/app/case/case_0`);
  await viewer.page.getByText("Case 'case_0' does not exist.").waitFor();
});

test("a case of the browser is kept with a key alone, and moves to the account once", async () => {
  const mover = await browser.open(service.url, { key: service.customer.key.secret });
  const { page } = mover;
  await keepAnswer(page);
  await page.getByRole("link", { name: "In the case" }).click();
  await page.getByText("Only this browser keeps the case").waitFor();
  await page.getByLabel("New note").fill("Before the account");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByLabel(/^Note of /).waitFor();

  await page.getByRole("button", { name: "Forget the key" }).click();
  await settle(mover, "mia", "caller");
  await page.goto(`${service.url}/app/case`);
  await page.getByRole("button", { name: "Move it to the account" }).click();
  await page.getByLabel(/^Note of .*, by mia$/).waitFor();
  expect(await page.getByLabel(/^Note of .*, by mia$/).inputValue()).toBe("Before the account");
  await page.getByText("Results: 1 of at most 500").waitFor();
  expect(await settled(mover)).toEqual(CLEAN);
  const cases = await service.store.as("x").cases.list(service.customer.account.id);
  expect(cases.filter(({ title }) => title === "Case of a browser")).toMatchObject([{ entries: 1, notes: 1 }]);

  await page.getByRole("link", { name: "All cases" }).click();
  await page.getByRole("region", { name: "Cases", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Move it to the account" }).count()).toBe(0);
  await page.reload();
  await page.getByRole("region", { name: "Cases", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Move it to the account" }).count()).toBe(0);
});

test("a key with the scope opens the account's cases without a session", async () => {
  const { account } = service.customer;
  const { secret } = await service.store.keys.create({ account_id: account.id, scopes: ["api:call", "cases:write"] });
  const { page } = await browser.open(service.url, { key: secret });
  await page.goto(`${service.url}/app/case`);
  await page.getByLabel("Title").fill("By a key");
  await page.getByRole("button", { name: "Begin a case" }).click();
  await page.getByText("The case is open.").waitFor();
  await page.getByRole("button", { name: "Delete the case" }).click();
  await page.getByRole("button", { name: "Delete the case" }).click();
  await page.getByRole("region", { name: "Cases", exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "By a key" }).count()).toBe(0);
});
