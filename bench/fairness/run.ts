/**
 * Callers with several times the load that a service can serve, and one with little: which calls are answered, when,
 * and for which credits.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { InvariantViolation } from "../../src/accounts/invariants.ts";
import type { Child } from "../../src/accounts/testing/process.ts";
import { EventLoopLag } from "../../src/surfaces/limits/event_loop_lag.ts";
import { drawsOf } from "../../test/random.ts";
import { COPIES, type CustomerKeys, sendRequest, startClients } from "../faults/clients.ts";
import type { ClientAttempt, ClientRequest } from "../faults/histories.ts";
import { openRequestHistory, type RequestHistory } from "../faults/request_history.ts";
import { audit, openCustomers, openStore } from "../faults/run.ts";
import { type EngineName, openFaultSetup, type StartService } from "../faults/setup.ts";
import type { TransactionAnswers } from "../faults/watched.ts";

export interface OverloadSettings {
  readonly engine: EngineName;
  readonly start: StartService;
  readonly seed: number;
  readonly seconds: number;
  /** Clients that call again at once, whatever the answer, over three accounts. */
  readonly clients: number;
  /** Simultaneous calls. */
  readonly slots: number;
  readonly deadline_ms: number;
  /** Exclusive time of each call: the service can end one call in this time, milliseconds. */
  readonly work_ms: number;
}

export interface OverloadReport {
  readonly seconds: number;
  readonly ends: Readonly<Record<ClientAttempt["end"], number>>;
  /** Calls a second, as a multiple of the service's capacity. */
  readonly load: number;
  /** The longest wait for an answer, milliseconds from the sending. */
  readonly longest_ms: number;
  /**
   * Attempts without an answer within their deadline and 2 s, plus the time that this process itself was too busy to
   * receive it.
   */
  readonly overdue: number;
  /** Measurements on the service's own connections. */
  readonly seen: TransactionAnswers;
  /** The account with few calls: its calls, and those that were rejected because others had the slots. */
  readonly modest: { readonly asked: number; readonly served: number; readonly crowded_out: number };
  readonly violations: readonly InvariantViolation[];
  readonly unexplained: readonly string[];
  readonly odd: readonly string[];
  readonly charges: Readonly<Record<string, number>>;
}

/** Grace after the deadline of an answer, seen from the client. */
const BEYOND_MS = 2_000;
/** Three quarters of the slots at most: a fourth account always finds some. */
const GREEDY = 3;
const MODEST_EVERY_MS = 50;

export const runOverload = async (settings: OverloadSettings): Promise<OverloadReport> => {
  const { engine, start, slots: calls_max, deadline_ms, work_ms } = settings;
  const service = { calls_max, deadline_ms, work_ms, account_share_percent: 25, watched: true };
  const stage = await openFaultSetup({ engine, start, service });
  try {
    const store = await openStore(stage, 0);
    const customers = await openCustomers(store, GREEDY + 1);
    const [waits, overdue] = [[] as number[], { count: 0 }];
    const pulse = new EventLoopLag(() => performance.now());
    pulse.start(() => undefined);
    const desks = customers.map((customer) => ({ account_id: customer.account_id, secret: () => customer.secret }));
    const [asked, other] = stage.slots;
    if (asked === undefined || other === undefined) throw new Error("a stage has two services");
    // The test measures a single process, without a proxy between it and its callers.
    await other.kill();
    const port = portOf(asked.service());
    const greedy = startClients({
      ports: [port],
      connections: settings.clients,
      sockets: COPIES * settings.clients,
      customers: desks.slice(0, GREEDY),
      tools: ["work"],
      name: "g",
      draw: drawsOf(settings.seed),
      garbling: () => 0,
      patience_ms: deadline_ms + 10 * BEYOND_MS,
      onHeard: (_, took_ms) => {
        waits.push(took_ms);
        if (took_ms - pulse.unseen_ms() > deadline_ms + BEYOND_MS) overdue.count += 1;
      },
    });
    const from = performance.now();
    const modest = await callModestly({ port, desk: desks[GREEDY] }, settings);
    await greedy.stop();
    const seconds = (performance.now() - from) / 1_000;
    const telling = asked.service().hear("answers");
    await asked.service().close();
    // Written by the service.
    const seen = (await telling) as unknown as TransactionAnswers;
    await store.close();
    pulse.stop();
    const possible = (seconds * 1_000) / work_ms;
    return {
      seconds,
      load: waits.length / possible,
      longest_ms: waits.reduce((a, b) => Math.max(a, b), 0),
      overdue: overdue.count,
      seen,
      modest: modest.counts,
      odd: [...greedy.odd, ...modest.odd],
      ...(await audit(stage, [greedy.kept, modest.kept])),
    };
  } finally {
    await stage.close();
  }
};

const portOf = ({ seen }: Child): number =>
  Number(new URL(String(seen.find(({ event }) => event === "ready")?.url)).port);

interface ModestFigures {
  readonly kept: RequestHistory;
  readonly odd: readonly string[];
  readonly counts: OverloadReport["modest"];
}

/** One call after another for the whole duration. */
const callModestly = async (
  { port, desk }: { readonly port: number; readonly desk: CustomerKeys | undefined },
  { seconds, deadline_ms }: OverloadSettings,
): Promise<ModestFigures> => {
  if (desk === undefined) throw new Error("there is no fourth account");
  const pool = new Pool(`http://127.0.0.1:${port}`, { headersTimeout: deadline_ms + 10 * BEYOND_MS });
  const kept = openRequestHistory();
  const odd: string[] = [];
  const counts = { asked: 0, served: 0, crowded_out: 0 };
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
    const nonce = `m-${counts.asked}`;
    const wish: ClientRequest = {
      account_id: desk.account_id,
      tool: "answer",
      nonce,
      idempotency_key: nonce,
      attempts: [],
    };
    const heard = await sendRequest(pool, wish, desk.secret());
    wish.attempts.push(heard.attempt);
    kept.keep(wish);
    counts.asked += 1;
    if (heard.attempt.end === "charged") counts.served += 1;
    if (heard.text.includes("Too many calls")) counts.crowded_out += 1;
    if (heard.odd !== null) odd.push(heard.odd);
    await sleep(MODEST_EVERY_MS);
  }
  await pool.destroy();
  return { kept, odd, counts };
};
