/** One Chromium and a record of its pages: console errors, requests to other hosts, findings of axe. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import axe from "axe-core";
import { type BrowserContext, chromium, type Page, type Request } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Null without Chromium on this machine. */
const chromiumPath = (): string | null =>
  process.env.ASSAY_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path)) ?? null;

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface ScreenSetting {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

/** Widths and colour schemes of the checks of every page. */
export const SCREENS: readonly ScreenSetting[] = [390, 1024, 1600].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
);

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console and of scripts, and refusals of the content security policy. */
  readonly errors: string[];
  /** Requests to other hosts than the service. */
  readonly foreign: string[];
  /** Waits until no request of the page is in flight, so that a later refusal belongs to the next action. */
  readonly quiet: () => Promise<void>;
}

export interface AxeViolation {
  readonly rule: string;
  readonly nodes: readonly string[];
}

export interface Browser {
  /** A separate tab; with a key, the page has it as if it had been pasted. */
  readonly open: (
    origin: string,
    how?: { readonly key?: string; readonly look?: ScreenSetting },
  ) => Promise<WatchedPage>;
  readonly close: () => Promise<void>;
}

/** Stores a key in the new tab, which the page may delete. In the page's own language: this folder has no DOM types. */
const pasting = (key: string): string => `
  if (sessionStorage.getItem("assay.begun") === null) sessionStorage.setItem("assay.key", ${JSON.stringify(JSON.stringify(key))});
  sessionStorage.setItem("assay.begun", "1");`;

let shared: Promise<Browser> | null = null;

/** One Chromium for the files of a process (project `answers`); it ends with the process. */
export const sharedBrowser = (): Promise<Browser> => {
  shared ??= openBrowser();
  return shared;
};

/** Longer than a page takes for a follow-up request after an answer. */
const QUIET_MS = 250;

/** Requests of a page to its service, until the last one is answered. */
const watchRequests = (page: Page): WatchedPage["quiet"] => {
  const under_way = new Set<Request>();
  let at = Date.now();
  const see = (change: (request: Request) => void) => (request: Request) => {
    change(request);
    at = Date.now();
  };
  const ended = see((request) => under_way.delete(request));
  page.on(
    "request",
    see((request) => under_way.add(request)),
  );
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return async () => {
    for (const end = Date.now() + 30_000; under_way.size > 0 || Date.now() - at < QUIET_MS; await sleep(20))
      if (Date.now() > end) throw new Error(`asked for 30 s: ${[...under_way].map((one) => one.url()).join(", ")}`);
  };
};

const watch = (page: Page, origin: string): WatchedPage => {
  const watched: WatchedPage = { page, errors: [], foreign: [], quiet: watchRequests(page) };
  page.on("console", (message) => {
    // The browser logs a refusal by the service to its console by itself.
    const is_refusal = message.text().startsWith("Failed to load resource") && message.location().url.includes("/api/");
    if (message.type() === "error" && !is_refusal) watched.errors.push(message.text());
  });
  page.on("pageerror", (error) => watched.errors.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:"))
      watched.foreign.push(url);
  });
  return watched;
};

export const openBrowser = async (): Promise<Browser> => {
  const executablePath = chromiumPath();
  if (executablePath === null)
    throw new Error("no Chromium is here: install the package chromium, or name one in ASSAY_TEST_CHROMIUM");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const contexts: BrowserContext[] = [];
  return {
    async open(origin, { key, look = { width: 1024, scheme: "light" } } = {}) {
      const context = await browser.newContext({
        viewport: { width: look.width, height: 900 },
        colorScheme: look.scheme === "dark" ? "dark" : "light",
        reducedMotion: "reduce",
      });
      contexts.push(context);
      if (key !== undefined) await context.addInitScript({ content: pasting(key) });
      return watch(await context.newPage(), origin);
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
    },
  };
};

/** Rules about colours: the only ones that another colour scheme can break. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Findings of axe on the page in its current state, by WCAG A and AA and best practices; only of colours if nothing else changed. */
export const violationsOn = async (page: Page, of: "all" | "colours" = "all"): Promise<readonly AxeViolation[]> => {
  // The content security policy blocks foreign scripts; the driver injects this one without it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  const options = of === "all" ? {} : { runOnly: { type: "rule", values: OF_COLOURS } };
  return page.evaluate(`axe.run(${JSON.stringify({ resultTypes: ["violations"], ...options })}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ rule: id, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))`);
};

/** True when no part of the page is wider than its window. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** Waits until an expression is true in the page; the page's own policy forbids waiting inside it. */
export const until = async (page: Page, expression: string): Promise<void> => {
  for (const end = Date.now() + 120_000; !(await page.evaluate<boolean>(expression)); await sleep(100))
    if (Date.now() > end) throw new Error(`not within two minutes: ${expression}`);
};
