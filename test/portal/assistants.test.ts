// @long: alone
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPeople, PASSWORD } from "../contract/people.ts";
import { type LocalSite, serveSite } from "../local_site.ts";
import { type Browser, fitsWidth, openBrowser, SCREENS, violationsOn } from "./browser.ts";

// A program that a user connects, in a real Chromium: it opens the page from its own site, and gets the browser back.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

let service: Awaited<ReturnType<typeof openPeople>>;
let browser: Browser;
let program: LocalSite;
beforeAll(async () => {
  [service, browser, program] = await Promise.all([
    openPeople({ portal: PORTAL, accounts: { password_cost: { N: 1_024, r: 8, p: 1 }, now: Date.now } }),
    openBrowser(),
    serveSite((_path, response) => response.setHeader("content-type", "text/html").end("<h1>Program</h1>")),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await program?.close();
  await service?.close();
});

const register = async (client_name: string): Promise<string> => {
  const body = JSON.stringify({ client_name, redirect_uris: [`http://localhost:${program.port}/callback`] });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${service.url}/oauth/register`, { method: "POST", body, headers });
  // The contract tests check the answer.
  return ((await answer.json()) as { client_id: string }).client_id;
};

const pageOf = (client_id: string, changes: Readonly<Record<string, string>> = {}): string =>
  `${service.url}/app/authorize?${new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri: `http://localhost:${program.port}/callback`, state: "s 1/2" },
    ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", resource: `${service.url}/mcp`, ...changes },
  })}`;

/** Opens the page as the program's own site does: the browser sends no cookie with that request. */
const openFromProgram = async (page: Awaited<ReturnType<Browser["open"]>>["page"], url: string): Promise<void> => {
  await page.goto(`http://localhost:${program.port}/`);
  await page.evaluate(`location.assign(${JSON.stringify(url)})`);
  await page.getByRole("heading", { name: "Connect a program" }).waitFor();
};

test("a user signs in on the way, allows a program, sees its key by its name, and ends it", async () => {
  await service.settle("ann");
  const client_id = await register("<b>Helper</b>");
  const { page, errors } = await browser.open(service.url);
  await openFromProgram(page, pageOf(client_id));
  await page.getByRole("link", { name: "Sign in to go on" }).click();
  await page.getByLabel("Name", { exact: true }).fill("ann");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();

  // The name is text, and the address is in plain view.
  await page.getByText("<b>Helper</b> wants to use Assay").waitFor();
  await page.getByText(`localhost:${program.port}, a program on this computer`).waitFor();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Program" }).waitFor();
  const back = new URL(page.url()).searchParams;
  expect([back.get("state"), back.get("iss"), back.get("error")]).toEqual(["s 1/2", service.url, null]);

  const form = new URLSearchParams({
    ...{ grant_type: "authorization_code", code: back.get("code") ?? "", client_id, code_verifier: VERIFIER },
    redirect_uri: `http://localhost:${program.port}/callback`,
  });
  const answer = await fetch(`${service.url}/oauth/token`, { method: "POST", body: form });
  const { access_token } = (await answer.json()) as { access_token: string };
  const opens = async () => (await service.store.meter.authenticate(`Bearer ${access_token}`, "mcp")).kind;
  expect(await opens()).toBe("caller");

  // The user may not manage keys, and ends that of the program alone.
  await page.goto(`${service.url}/app/account`);
  const row = page.getByRole("row").filter({ hasText: "<b>Helper</b>" });
  await row.getByRole("button", { name: "Revoke" }).click();
  await row.getByRole("button", { name: "Revoke" }).click();
  await row.getByText("revoked").waitFor();
  expect(await opens()).toBe("refused");
  expect(errors).toEqual([]);
});

test("a signed-in user denies a program, and returns from a faulty request only by hand", async () => {
  const { token } = await service.invite("ben");
  const client_id = await register("Helper");
  const { page } = await browser.open(service.url);
  await page.goto(`${service.url}/app/set-up#${token}`);
  await page.getByLabel("Password, 12 characters or more").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { name: /^Account of/ }).waitFor();

  await openFromProgram(page, pageOf(client_id));
  for (const { width, scheme } of SCREENS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.getByRole("button", { name: "Deny" }).waitFor();
    expect(await fitsWidth(page)).toBe(true);
  }
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Program" }).waitFor();
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");

  await openFromProgram(page, pageOf(client_id, { scope: "keys:manage" }));
  await page.getByText("The program wants more than calling tools over MCP.").waitFor();
  expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
  await page.getByRole("link", { name: `Return to localhost:${program.port}` }).click();
  await page.getByRole("heading", { name: "Program" }).waitFor();
  expect(new URL(page.url()).searchParams.get("error")).toBe("invalid_scope");

  await openFromProgram(page, pageOf("client_0"));
  await page.getByText("The program is not known here").waitFor();
  expect(await page.getByRole("link", { name: /^Return/ }).count()).toBe(0);
});
