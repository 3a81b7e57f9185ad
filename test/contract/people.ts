import { expect } from "vitest";
import { openService, type ServiceSettings } from "./service.ts";

export const PASSWORD = "correct horse battery";
const accounts = { password_cost: { N: 1_024, r: 8, p: 1 } };

type PeopleService = Awaited<ReturnType<typeof openService>>;

interface PeopleResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each asserted where it is read.
  readonly body: any;
}

/** A browser with its cookies, on a page of the service unless a test chooses another origin. */
export const browserOf = ({ url }: PeopleService, origin = url) => {
  const cookies = new Map<string, string>();
  const seen: { csrf: string | null; lines: string[] } = { csrf: null, lines: [] };
  const ask = async (
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string | null> } = {},
  ): Promise<PeopleResponse> => {
    const sent: Record<string, string | null> = {
      ...(method === "GET" ? {} : { origin, "content-type": "application/json" }),
      "sec-fetch-site": "same-origin",
      ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
      ...(seen.csrf !== null && { "x-csrf-token": seen.csrf }),
      ...headers,
    };
    const own = Object.entries(sent).filter((one): one is [string, string] => one[1] !== null);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: own,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      seen.lines.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const got = { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
    if (typeof got.body?.csrf_token === "string") seen.csrf = got.body.csrf_token;
    return got;
  };
  return { ask, cookies, seen };
};

export const openPeople = async (settings: ServiceSettings = {}) => {
  const service = await openService({ accounts, ...settings });
  const account_id = service.customer.account.id;
  const invite = async (
    name: string,
    rights: { is_operator?: boolean; role?: "viewer" | "caller" | "watcher" | "key_manager" | "owner" } = {},
  ) => service.store.users.link({ name, account_id, is_operator: false, ...rights });
  /** A browser in which a user has just set up a password. */
  const settle = async (name: string, rights: Parameters<typeof invite>[1] = {}) => {
    const { token, id } = await invite(name, rights);
    const browser = browserOf(service);
    const done = await browser.ask("POST", "/api/session/set-up", { body: { token, password: PASSWORD } });
    expect(done.status).toBe(200);
    return { ...browser, id };
  };
  return { ...service, account_id, invite, settle };
};
