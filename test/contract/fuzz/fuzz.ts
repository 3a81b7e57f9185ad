/** Fuzzes a whole service with everything that callers may send, and checks its answers. */
import fc from "fast-check";
import { Pool } from "undici";
import { openCustomer } from "../../../src/accounts/testing/store.ts";
import { noData } from "../../../src/lib/outcome.ts";
import { tools } from "../../../src/tools/index.ts";
import { assertDescribed } from "../../openapi.ts";
import { benchTools } from "../bench_tools.ts";
import { rawRequest } from "../raw.ts";
import { openService } from "../service.ts";
import { type DrawnRequest, drawsOver } from "./draws.ts";

export interface FuzzSettings {
  readonly bodies: number;
  readonly header_sets: number;
  readonly connections: number;
  readonly seed: number;
  /** Receives a progress line now and then. */
  readonly tell?: (line: string) => void;
}

export interface FuzzReport {
  /** Answers by status of each of the three parts. 0: closed without an answer, which only raw bytes may meet. */
  readonly statuses: Readonly<Record<keyof FuzzCounts, Readonly<Record<number, number>>>>;
  /** Requests with an answer that no correct service gives, each with the reason. */
  readonly wrong: readonly string[];
  /** Credits stated in answers, and credits charged in the ledger. */
  readonly credits_told: number;
  readonly credits_used: number;
  readonly violations: number;
}

type FuzzCounts = Pick<FuzzSettings, "bodies" | "header_sets" | "connections">;
type FuzzedService = Awaited<ReturnType<typeof openService>>;

/** Concurrent requests. */
const AT_ONCE = 32;
/** Concurrent connections; most of them only wait. */
const CONNECTIONS_AT_ONCE = 128;
const CHUNK = 1_000;
/** A server waits for the rest of a request that has started; these callers do not. */
const PATIENCE_MS = 1_000;
const SHOWN_MAX = 20;
const PLAN = { business: { monthly_credits: 1e12, keys_max: 9, calls_per_minute: 1e9 } };

/** The cards of all tools with runs that find nothing, because only the surfaces are under test, and some tools that end in other ways. */
const CARDS = [
  ...tools.map((tool) => ({
    ...tool,
    run: async () => noData({ type: tool.name, message: "Nothing.", metadata: null }),
  })),
  ...benchTools.filter(({ name }) => ["show", "fail_softly"].includes(name)),
];

export const fuzzService = async (settings: FuzzSettings): Promise<FuzzReport> => {
  const service = await openService({
    tools: CARDS,
    accounts: { plans: PLAN, monotonic: () => performance.now() },
  });
  try {
    return await fuzz(service, settings);
  } finally {
    await service.close();
  }
};

const fuzz = async (service: FuzzedService, settings: FuzzSettings): Promise<FuzzReport> => {
  const { key, account } = service.customer;
  const other = await openCustomer(service.store);
  const judge = await judgeOf(service, [key.secret, other.key.secret]);
  const draws = drawsOver(CARDS, other.key.secret);
  const pool = new Pool(service.url, { connections: AT_ONCE });
  const send = async (drawn: DrawnRequest) => judge.whole(drawn, await post(pool, drawn, key.secret));
  const sendRaw = async (text: string) =>
    judge.raw(text, await rawRequest(service.port, text, { patience_ms: PATIENCE_MS }));
  const run = async <T>(part: keyof FuzzCounts, arbitrary: fc.Arbitrary<T>, ask: (drawn: T) => Promise<number>) => {
    const at_once = part === "connections" ? CONNECTIONS_AT_ONCE : AT_ONCE;
    const statuses: Record<number, number> = {};
    for (let done = 0; done < settings[part]; done += CHUNK) {
      const numRuns = Math.min(CHUNK, settings[part] - done);
      const drawn = fc.sample(arbitrary, { numRuns, seed: settings.seed + done });
      await eachOf(drawn, at_once, async (one) => {
        const status = await ask(one);
        statuses[status] = (statuses[status] ?? 0) + 1;
      });
      settings.tell?.(`${part}: ${done + numRuns} of ${settings[part]}, ${judge.wrong.length} wrong`);
    }
    return statuses;
  };
  const statuses = {
    bodies: await run("bodies", draws.bodies, send),
    header_sets: await run("header_sets", draws.headers, send),
    connections: await run("connections", draws.raw, sendRaw),
  };
  await pool.destroy();
  const { credits_used } = await service.store.accounts.show(account.id);
  const violations = (await service.store.ledger.verify()).length;
  return { statuses, wrong: judge.wrong, credits_told: judge.told(), credits_used, violations };
};

const eachOf = async <T>(list: readonly T[], at_once: number, work: (item: T) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < list.length; at = next++) await work(list[at] as T); // within the list
  };
  await Promise.all(Array.from({ length: at_once }, worker));
};

interface FuzzResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const post = async (pool: Pool, { path, body, headers }: DrawnRequest, secret: string): Promise<FuzzResponse> => {
  const sent = { authorization: `Bearer ${secret}`, ...headers };
  const answer = await pool.request({ path, method: "POST", headers: sent, body });
  const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return { status: answer.statusCode, headers: new Headers(lines), text: await answer.body.text() };
};

/** Collects wrong answers, and sums the credits that answers state. */
const judgeOf = async (service: FuzzedService, secrets: readonly string[]) => {
  // The document that this very service serves.
  const openapi = (await (await fetch(`${service.url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
  const wrong: string[] = [];
  let told = 0;
  const note = (sent: unknown, { status, text }: Pick<FuzzResponse, "status" | "text">, why: string): void => {
    if (wrong.length < SHOWN_MAX)
      wrong.push(`${why}: ${status} ${text.slice(0, 300)} to ${JSON.stringify(sent).slice(0, 1_000)}`);
  };
  /** @returns the parsed body, null when there is none. */
  const checked = (sent: unknown, { status, text }: FuzzResponse): unknown => {
    if (status >= 500 || status < 200) note(sent, { status, text }, "a status of its own fault");
    if (secrets.some((secret) => text.includes(secret))) note(sent, { status, text }, "a key");
    if (status === 202 && text === "") return null;
    try {
      return JSON.parse(text);
    } catch {
      note(sent, { status, text }, "no JSON");
      return null;
    }
  };
  return {
    wrong,
    told: () => told,
    whole(drawn: DrawnRequest, heard: FuzzResponse): number {
      const body = checked(drawn, heard);
      if (drawn.path === "/mcp") {
        // The shape of a JSON-RPC result; other bodies lack this member.
        const { result } = (body ?? {}) as { readonly result?: { readonly _meta?: Record<string, unknown> } };
        told += Number(result?._meta?.["assay/credits_charged"] ?? 0);
      } else {
        told += Number(heard.headers.get("x-credits-charged") ?? 0);
        try {
          assertDescribed(openapi, { method: "POST", path: drawn.path }, { ...heard, body });
        } catch (error) {
          note(drawn, heard, String(error).slice(0, 300));
        }
      }
      return heard.status;
    },
    /** One connection may receive several answers; all of the first is checked. */
    raw(sent: string, reply: { readonly status: number; readonly text: string }): number {
      for (const [, status] of reply.text.matchAll(/(?:^|\n)HTTP\/1\.[01] (\d{3})/g))
        if (Number(status) >= 500) note(sent, reply, "a status of its own fault");
      const is_told = reply.text === "" || /\r\ncontent-type: application\/json\r\n/i.test(reply.text);
      if (!is_told && !/^HTTP\/1\.1 (100|202) /.test(reply.text)) note(sent, reply, "no JSON");
      if (secrets.some((secret) => reply.text.includes(secret))) note(sent, reply, "a key");
      return reply.status;
    },
  };
};
