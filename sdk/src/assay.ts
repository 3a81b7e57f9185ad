import { type BatchItem, readBatch } from "./batch.ts";
import { AssayError } from "./errors.ts";
import { Pace, systemTiming, type Timing } from "./pace.ts";
import type { Result } from "./result.ts";
import { type AttemptReply, judge, limitIn, pause_ms, type RequestAttempt } from "./rules.ts";

export interface AssayOptions {
  /** Where the service listens, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** A key with scope `api:call`. */
  readonly key: string;
  /** Milliseconds for one attempt, including its whole body; 40,000 by default. The service gives up after 30 seconds. */
  readonly timeout_ms?: number;
  /** Milliseconds for a call with all its attempts and pauses; 120,000 by default. Waiting for a turn does not count. */
  readonly total_ms?: number;
  /** Attempts of a call; 4 by default. Rate-limited attempts do not count. */
  readonly attempts?: number;
  /** Concurrent calls; 4 by default. */
  readonly concurrency?: number;
  /** The key's rate limit. If omitted, the client learns it from the first refusal and keeps to it. */
  readonly calls_per_minute?: number;
  /** Reject calls once prices differ from this version (`X-Credit-Catalog-Version`). */
  readonly catalog_version?: string;
  /** Another `fetch`, such as one that goes through a proxy. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Replaces the random key: 1 to 64 visible ASCII characters. The same key is never charged twice. */
  readonly idempotency_key?: string;
}

/** A tool in the service's list (`GET /api/tools`). */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Null while the price is not available. */
  readonly credits: number | null;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly output_schema: Readonly<Record<string, unknown>>;
  readonly networks: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

export interface ToolList {
  readonly catalog_version: string;
  readonly tools: readonly ListedTool[];
}

/** A service and a key. Every tool is a function that takes it as its first argument. */
export interface Assay {
  /** Calls any tool by its name, or a call over time by its path (`/series/pnl`). Throws `AssayError` if there is no result. */
  readonly call: <Output>(tool: string, input: object, options?: CallOptions) => Promise<Result<Output>>;
  /**
   * Calls one tool for 1 to 100 inputs, as of one block per network, each charged by itself. The result has one element per input; refused
   * ones can be sent again. Throws `AssayError` if the whole batch has no answer.
   */
  readonly batch: <Output>(
    tool: string,
    inputs: readonly object[],
    options?: CallOptions,
  ) => Promise<readonly BatchItem<Output>[]>;
  /** Lists the public tools with their current prices. Free of charge. */
  readonly list: (options?: Pick<CallOptions, "signal">) => Promise<ToolList>;
}

interface SdkRequest {
  readonly path: string;
  readonly body: string | null;
  readonly idempotency_key: string | null;
  readonly is_own_key: boolean;
  readonly signal: AbortSignal | null;
}

/** 128 random bits. `crypto.randomUUID` is missing on pages served over plain HTTP. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const readBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Calls over time are named by their paths. */
const pathOf = (tool: string): string => `/api${tool[0] === "/" ? tool : `/tools/${encodeURIComponent(tool)}`}`;

class Client implements Assay {
  readonly #options: AssayOptions;
  readonly #timing: Timing;
  readonly #pace: Pace;

  constructor(options: AssayOptions, timing: Timing) {
    this.#options = options;
    this.#timing = timing;
    const { concurrency = 4, calls_per_minute = null } = options;
    this.#pace = new Pace({ concurrency, calls_per_minute }, timing);
  }

  readonly call = <Output>(tool: string, input: object, options: CallOptions = {}): Promise<Result<Output>> => {
    const { signal = null, idempotency_key } = options;
    const key = idempotency_key ?? newKey();
    const is_own_key = idempotency_key !== undefined;
    const path = pathOf(tool);
    return this.#ask({ path, body: JSON.stringify(input), idempotency_key: key, is_own_key, signal });
  };

  readonly batch = async <Output>(
    tool: string,
    inputs: readonly object[],
    {
      signal = null,
      idempotency_key,
    }: { readonly signal?: AbortSignal | null; readonly idempotency_key?: string } = {},
  ): Promise<readonly BatchItem<Output>[]> => {
    const key = idempotency_key ?? newKey();
    const is_own_key = idempotency_key !== undefined;
    const path = `${pathOf(tool)}/batch`;
    const body = JSON.stringify({ items: inputs });
    const result = await this.#ask<unknown>({ path, body, idempotency_key: key, is_own_key, signal });
    const { request_id, attempts } = result.call;
    const answer = result.kind === "data" ? result.data : null;
    const request = { idempotency_key: key, is_own_key, attempts, now_ms: this.#timing.now_ms() };
    const items = readBatch<Output>(answer, inputs.length, request);
    if (items !== null) return items;
    throw new AssayError("The answer of the batch could not be read.", {
      ...{ code: "unexpected", status: 200, detail: null, is_charged: null, idempotency_key: key },
      ...{ request_id, attempts },
    });
  };

  readonly list = async ({ signal = null }: { readonly signal?: AbortSignal | null } = {}): Promise<ToolList> => {
    const request = { path: "/api/tools", body: null, idempotency_key: null, is_own_key: false, signal };
    const result = await this.#ask<ToolList>(request);
    if (result.kind === "data") return result.data;
    const { call } = result;
    const facts = { status: 200, detail: result, is_charged: false, idempotency_key: null };
    throw new AssayError("The list of tools could not be read.", {
      ...facts,
      code: "unexpected",
      request_id: call.request_id,
      attempts: call.attempts,
    });
  };

  #ask<Output>(request: SdkRequest): Promise<Result<Output>> {
    return this.#pace.inTurn(() => this.#attempts(request), request.signal);
  }

  async #attempts<Output>(request: SdkRequest): Promise<Result<Output>> {
    const { idempotency_key, is_own_key, signal } = request;
    const { attempts = 4, total_ms = 120_000 } = this.#options;
    let until_ms = Number.POSITIVE_INFINITY;
    let may_have_run = false;
    for (let number = 1, failed = 0; ; number += 1) {
      await this.#turn(signal);
      if (number === 1) until_ms = this.#timing.now_ms() + total_ms;
      const attempt: RequestAttempt = { number, idempotency_key, is_own_key, may_have_run };
      const reply = await this.#send(request, until_ms - this.#timing.now_ms());
      this.#pace.learn(limitIn(reply) ?? 0);
      const verdict = judge<Output>(reply, attempt, this.#timing.now_ms());
      if (verdict.kind === "done") return verdict.result;
      if (verdict.kind === "refused") throw verdict.error;
      may_have_run = verdict.may_have_run;
      // Waiting for a running call or for a turn is not a failure.
      const is_waiting = verdict.error.code === "rate_limited" || verdict.error.status === 409;
      if (!is_waiting) failed += 1;
      const pause = verdict.after_ms ?? pause_ms(number, this.#timing.random());
      if (failed >= attempts || this.#timing.now_ms() + pause >= until_ms) throw verdict.error;
      await this.#timing.sleep(pause, signal);
    }
  }

  /** Waits until the key's rate allows one more request. */
  async #turn(signal: AbortSignal | null): Promise<void> {
    for (let wait = this.#pace.start(); wait > 0; wait = this.#pace.start()) await this.#timing.sleep(wait, signal);
  }

  /** Sends one attempt. Throws the caller's abort reason; returns every other failure as a reply. */
  async #send({ path, body, idempotency_key, signal }: SdkRequest, left_ms: number): Promise<AttemptReply> {
    const { url, key, catalog_version, timeout_ms = 40_000, fetch = globalThis.fetch } = this.#options;
    if (signal?.aborted) throw signal.reason;
    const stop = new AbortController();
    const onAbort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => stop.abort(new Error("timed out")), Math.min(timeout_ms, Math.max(1, left_ms)));
    try {
      const response = await fetch(`${url.replace(/\/+$/, "")}${path}`, {
        method: body === null ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === null ? {} : { "content-type": "application/json" }),
          ...(idempotency_key === null ? {} : { "idempotency-key": idempotency_key }),
          ...(catalog_version === undefined ? {} : { "x-credit-catalog-version": catalog_version }),
        },
        ...(body === null ? {} : { body }),
        // A redirect would send the key to another service.
        redirect: "error",
        credentials: "omit",
        signal: stop.signal,
      });
      const text = await response.text();
      return { kind: "answer", status: response.status, headers: response.headers, body: readBody(text) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return { kind: "lost", cause: error };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

export const openAssay = (options: AssayOptions, timing: Timing = systemTiming): Assay => {
  if (!/^https?:\/\//.test(options.url)) throw new TypeError(`'${options.url}' is not a URL of a service`);
  if (!/^[\x21-\x7e]+$/.test(options.key))
    throw new TypeError("The key is empty or contains characters that no key has");
  return new Client(options, timing);
};
