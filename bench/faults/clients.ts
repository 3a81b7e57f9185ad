/** HTTP callers that record every answer. */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { oneOf } from "../../test/random.ts";
import type { ClientAttempt, ClientRequest } from "./histories.ts";
import { NOTHING_FOUND } from "./quick_tools.ts";
import { openRequestHistory, type RequestHistory } from "./request_history.ts";

/** Longer than any pause of a fault, shorter than a caller would wait. */
export const PATIENCE_MS = 20_000;
/** Attempts at one wish while its outcome is unknown. */
const ATTEMPTS_MAX = 4;
const AGAIN_AFTER_MS = 20;
export const COPIES = 3;

export interface CustomerKeys {
  readonly account_id: string;
  /** The newest secret of its key. */
  readonly secret: () => string;
}

export interface ClientSettings {
  readonly ports: readonly number[];
  readonly connections: number;
  /**
   * Sockets for the clients; as many by default. With fewer than their simultaneous calls, a call waits here before it
   * is sent.
   */
  readonly sockets?: number;
  readonly customers: readonly CustomerKeys[];
  readonly tools: readonly string[];
  /** Prefix of every nonce: it must be unique among the clients of one store. */
  readonly name: string;
  readonly draw: () => number;
  /** Changes while bytes between callers and services are garbled: an answer of that time may be nonsense. */
  readonly garbling: () => number;
  /** How long to wait for an answer; PATIENCE_MS by default. */
  readonly patience_ms?: number;
  /** Called for each attempt, with the time since it was sent. */
  readonly onHeard?: (heard: ClientResponse, took_ms: number) => void;
}

export interface Clients {
  /** All wishes that have ended, and their answers. */
  readonly kept: RequestHistory;
  /** Attempts that ended with data so far. */
  readonly charged: () => number;
  /** Charges that callers know of so far: the kept and the refunded ones. */
  readonly charges: () => number;
  /** 5xx and attempts without an answer so far. */
  readonly failed: () => number;
  /** Answers that no working service gives; empty if all is well. */
  readonly odd: readonly string[];
  /** Resolves when every client has ended its last wish. */
  stop(): Promise<void>;
}

export interface ClientResponse {
  readonly attempt: ClientAttempt;
  readonly is_5xx: boolean;
  /** An answer that no working service gives. */
  readonly odd: string | null;
  /** The body; empty without an answer. */
  readonly text: string;
}

export const startClients = (settings: ClientSettings): Clients => {
  const { ports, connections, customers, tools, draw } = settings;
  const patience_ms = settings.patience_ms ?? PATIENCE_MS;
  const limits = {
    connections: settings.sockets ?? connections,
    headersTimeout: patience_ms,
    bodyTimeout: patience_ms,
  };
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, limits));
  const kept = openRequestHistory();
  const odd: string[] = [];
  let [charged, returned, failed, is_over] = [0, 0, 0, false];

  const attempt = async (wish: ClientRequest, secret: string): Promise<ClientAttempt["end"]> => {
    const before = settings.garbling();
    const from = performance.now();
    const heard = await sendRequest(oneOf(pools, draw), wish, secret);
    settings.onHeard?.(heard, performance.now() - from);
    const is_garbled = before !== settings.garbling() || before % 2 === 1;
    const told: ClientAttempt = heard.odd === null ? heard.attempt : UNKNOWN;
    if (heard.odd !== null && !is_garbled) odd.push(heard.odd);
    wish.attempts.push(told);
    if (told.end === "charged") charged += 1;
    if (told.end === "returned") returned += 1;
    if (told.end === "unknown" || heard.is_5xx) failed += 1;
    return told.end;
  };

  const client = async (number: number): Promise<void> => {
    for (let count = 0; !is_over; count += 1) {
      const { account_id, secret } = oneOf(customers, draw);
      const nonce = `${settings.name}-${number}-${count}`;
      const idempotency_key = count % 16 === 15 ? null : nonce;
      const wish: ClientRequest = { account_id, tool: oneOf(tools, draw), nonce, idempotency_key, attempts: [] };
      if (count % 8 === 7 && idempotency_key !== null)
        await Promise.all(Array.from({ length: COPIES }, () => attempt(wish, secret())));
      else if (idempotency_key === null) await attempt(wish, secret());
      else
        for (let tries = 1; (await attempt(wish, secret())) === "unknown" && tries < ATTEMPTS_MAX; tries += 1)
          await sleep(AGAIN_AFTER_MS);
      kept.keep(wish);
    }
  };

  const running = Promise.all(Array.from({ length: connections * ports.length }, (_, number) => client(number)));
  return {
    kept,
    odd,
    charged: () => charged,
    charges: () => charged + returned,
    failed: () => failed,
    async stop() {
      is_over = true;
      await running;
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
};

const UNKNOWN: ClientAttempt = { end: "unknown", credits: 0, is_after_completed: false };

export const sendRequest = async (
  pool: Pool,
  { tool, nonce, idempotency_key }: ClientRequest,
  secret: string,
): Promise<ClientResponse> => {
  try {
    const { statusCode, headers, body } = await pool.request({
      path: `/api/tools/${tool}`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${secret}`,
        ...(idempotency_key === null ? {} : { "idempotency-key": idempotency_key }),
      },
      body: JSON.stringify({ nonce }),
    });
    const said = headers["x-credits-charged"];
    return judge({ status: statusCode, said: typeof said === "string" ? said : null, nonce }, await body.text());
  } catch {
    return { attempt: UNKNOWN, is_5xx: false, odd: null, text: "" }; // Refused, cut or too late: no answer.
  }
};

const judge = (
  { status, said, nonce }: { status: number; said: string | null; nonce: string },
  text: string,
): ClientResponse => {
  const credits = said !== null && /^\d+$/.test(said) ? Number(said) : null;
  const ended = (end: ClientAttempt["end"]): ClientResponse => ({
    attempt: { end, credits: credits ?? 0, is_after_completed: status === 409 && text.includes('"completed"') },
    // A tool that breaks is no failure of the service.
    is_5xx: status > 500,
    odd: null,
    text,
  });
  if (status === 200 && credits !== null) {
    if (credits > 0 && isEcho(text, nonce)) return ended("charged");
    if (credits === 0 && text.includes('"status":"error"')) return ended("returned");
  }
  // Before authentication nothing can be charged; after it every rejection says so.
  if (status === 401 || status === 404 || status === 408 || (credits === 0 && status >= 400)) return ended("refused");
  if (status >= 500 && credits === null) return ended("unknown");
  return {
    attempt: UNKNOWN,
    is_5xx: false,
    odd: `${status}, ${said} credits, for ${nonce}: ${text.slice(0, 300)}`,
    text,
  };
};

/** The data of this very call, and nothing else. */
const isEcho = (text: string, nonce: string): boolean =>
  text === JSON.stringify({ type: "echo", nonce }) ||
  text === JSON.stringify({ status: "no_data", type: "echo", message: NOTHING_FOUND, metadata: { nonce } });
