import { Pool } from "undici";
import { AssayError } from "../../lib/errors.ts";
import { isTooDeep } from "../../lib/json_bounds.ts";
import { maskUrl } from "../../lib/log.ts";
import type { Tracing } from "../../lib/trace.ts";
import { BadAnswer } from "./answer.ts";
import { EndpointCounters, type EndpointCounts } from "./endpoint_counters.ts";
import { Pacer } from "./pacer.ts";
import { Refusal, Slow } from "./refusal.ts";

export interface EndpointLimits {
  /** Deadline of one HTTP request, its body included. */
  readonly timeout_ms: number;
  /** Largest answer that is read. */
  readonly response_bytes_max: number;
  readonly concurrency_max: number;
  readonly batch_max: number;
  readonly tracing?: Tracing;
}

/** `{` */
const OPENING = 0x7b;
const RETRY_AFTER_MAX_MS = 5_000;

/** Kept-alive connections to one node, and the pace that it bears. */
export class Connection {
  /** As it may be shown: without credentials, path and query. */
  readonly name: string;
  readonly pacer: Pacer;
  readonly #limits: EndpointLimits;
  readonly #pool: Pool;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #counters = new EndpointCounters();

  constructor(url: string, limits: EndpointLimits) {
    this.name = maskUrl(url);
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      const message = `An RPC address must be an http or https URL, not ${this.name}.`;
      throw new AssayError({ code: "CONFIG_INVALID", message, public: message });
    }
    this.#limits = limits;
    this.pacer = new Pacer(limits);
    this.#url = parsed;
    this.#headers = { "content-type": "application/json", accept: "application/json", "accept-encoding": "identity" };
    if (parsed.username !== "" || parsed.password !== "") {
      const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`;
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    }
    this.#pool = new Pool(parsed.origin, {
      connections: limits.concurrency_max,
      pipelining: 1,
      keepAliveTimeout: 30_000,
    });
  }

  /** What it was asked so far, under the name by which its network tells it apart. */
  counts(name: string): EndpointCounts {
    const { concurrency, batch } = this.pacer;
    return this.#counters.counts(name, { requests_per_second: null, concurrency, batch });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #pathOf(path: string): string {
    const { pathname, search } = this.#url;
    return path === "" ? pathname + search : pathname.replace(/\/+$/, "") + path + search;
  }

  /**
   * `work` as a step of the request that it is done for. It tells the node's host, of the address nothing more.
   * @param method what the node is asked for, as the protocol names it; never with arguments.
   */
  protected step<T>(method: string, work: () => Promise<T>): Promise<T> {
    const { tracing } = this.#limits;
    if (tracing === undefined) return work();
    const facts = { "server.address": this.#url.hostname, "rpc.method": method };
    return tracing.step({ name: `node ${method}`, kind: "client", facts }, work);
  }

  /**
   * One request of `calls` calls when it is its turn; how it ended tells the pace of the next ones.
   * @throws what `work` throws, or the signal's reason
   */
  protected async paced<T>(calls: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.pacer.acquire(signal);
    this.#counters.sent(calls);
    try {
      const answer = await work();
      this.pacer.succeeded();
      return answer;
    } catch (error) {
      if (!signal.aborted) this.#counters.failed(error);
      if (error instanceof Refusal) this.pacer.refused(error.reason, calls);
      if (error instanceof Slow) this.pacer.refused(calls > 1 ? "size" : "rate", calls);
      throw error;
    } finally {
      this.pacer.release();
    }
  }

  /** Error objects that the node gave to single calls. */
  protected countErrors(errors: readonly Error[]): void {
    for (const error of errors) this.#counters.failed(error);
  }

  /**
   * Posts JSON to `path` below the node's address ('' is the address itself); the text of the answer as it came.
   * @throws Refusal, Slow, BadAnswer, or the connection's error
   */
  protected async post(path: string, body: string, signal: AbortSignal): Promise<Buffer> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#limits.timeout_ms);
    const follow = (): void => deadline.abort();
    signal.addEventListener("abort", follow, { once: true });
    const started = performance.now();
    try {
      const answer = await this.#pool.request({
        path: this.#pathOf(path),
        method: "POST",
        headers: this.#headers,
        body,
        signal: deadline.signal,
      });
      const bytes = await readBody(answer.body, this.#limits.response_bytes_max, deadline);
      this.#counters.answered((performance.now() - started) / 1_000);
      checkStatus(answer.statusCode, answer.headers, bytes);
      return bytes;
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.signal.aborted && !(error instanceof Refusal))
        throw new Slow(`no answer within ${this.#limits.timeout_ms} ms`);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", follow);
    }
  }
}

const readBody = async (body: AsyncIterable<Buffer>, bytes_max: number, stop: AbortController): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytes_max) {
      stop.abort();
      throw new Refusal("size", `the answer is larger than ${bytes_max} bytes`);
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
};

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const checkStatus = (status: number, headers: Headers, bytes: Buffer): void => {
  if (status === 200) return;
  if (status === 413) throw new Refusal("size", "HTTP 413");
  if (status === 429) throw new Refusal("rate", "HTTP 429", waitOf(headers["retry-after"]));
  // Several clients send JSON-RPC errors with 4xx or 5xx; their words say more than the number.
  if (bytes[0] === OPENING && bytes.includes('"error"')) return;
  throw new BadAnswer(`HTTP ${status}`, null, status);
};

const waitOf = (header: string | string[] | undefined): number => {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MAX_MS) : 0;
};

/** @throws BadAnswer */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new BadAnswer("the answer is nested too deeply");
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer("the answer is no JSON");
  }
};
