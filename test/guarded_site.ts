import { afterEach } from "vitest";
import { type GuardedOptions, guardedWeb, type Resolve } from "../src/web/guarded.ts";
import type { WebAnswer, WebFailure, WebRequest } from "../src/web/web.ts";
import { type LocalSite, serveSite } from "./local_site.ts";

/** Sites that end with their test, and the guarded client for them. */

export const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

export const closedLater = async (site: Promise<LocalSite>): Promise<LocalSite> => {
  const { close } = await site;
  closers.push(close);
  return site;
};
export const serve = (answer: Parameters<typeof serveSite>[0], how = {}) => closedLater(serveSite(answer, how));

export const PUBLIC = "93.184.215.14";

export const ok: Parameters<typeof serveSite>[0] = (_path, response) => response.end("secret");

/** Resolves only names that the test knows. */
const noNames: Resolve = async (host) => {
  throw new Error(`the test does not know ${host}`);
};

export const fetchGuarded = (url: string, options: GuardedOptions = {}, request: Partial<WebRequest> = {}) =>
  guardedWeb({ resolve: noNames, ...options }).fetch({ url, signal: AbortSignal.timeout(20_000), ...request });

export const answered = (answer: WebAnswer | WebFailure): WebAnswer => {
  if (answer.kind !== "answer") throw new Error(`${answer.kind}: ${answer.reason}`);
  return answer;
};
export const textOf = (answer: WebAnswer | WebFailure): string => Buffer.from(answered(answer).body).toString("utf8");
