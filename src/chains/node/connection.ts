import { Pool } from "undici";
import { AssayError } from "../../lib/errors.ts";
import { isTooDeep } from "../../lib/json_bounds.ts";
import type { RequestTracer } from "../../lib/trace.ts";
import { BadAnswer } from "./answer.ts";
import { EndpointCounters, type EndpointCounts } from "./endpoint_counters.ts";
import { checkHttp } from "./http_answer.ts";
import { Pacer } from "./pacer.ts";
import { isInBackground } from "./priority.ts";
import { isConcurrencyLimit, isPerSecondLimit, NodeRefusal, Slow } from "./refusal.ts";
import { addressProblem, decoded, endpointOf, maskedAddress, type RpcAddress, secretsOf } from "./rpc_address.ts";

export interface EndpointLimits {
  /** Deadline of one HTTP request, its body included. */
  readonly timeout_ms: number;
  /** Largest answer that is read. */
  readonly response_bytes_max: number;
  readonly concurrency_max: number;
  readonly batch_max: number;
  /**
   * If the rate delays a request longer than this, the request fails so that another endpoint can serve it. Default:
   * never.
   */
  readonly rate_wait_ms_max?: number;
  readonly tracing?: RequestTracer;
}

interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly body?: string;
}

/** Refusals of one request, with pauses between them, after which the rate is not the reason. */
const RATE_TRIES_MAX = 20;
const ASKED_BYTES_MAX = 10_000;
/** Refusals of one array of calls after which the endpoint is assumed to count the calls. */
const RATE_TRIES_WHOLE = 3;

/** Kept-alive connections to one node, and the pace that it allows. */
export class Connection {
  /** Name for logs and reports: without credentials, path and query. */
  readonly name: string;
  readonly pacer: Pacer;
  readonly #limits: EndpointLimits;
  readonly #pool: Pool;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #secrets: readonly string[];
  readonly #counters = new EndpointCounters();

  constructor(address: RpcAddress, limits: EndpointLimits) {
    const endpoint = endpointOf(address);
    this.name = maskedAddress(address);
    const problem = addressProblem(endpoint.url);
    if (problem !== null) throw new AssayError({ code: "CONFIG_INVALID", message: problem, public: problem });
    const concurrency_max = Math.min(limits.concurrency_max, endpoint.max_concurrency ?? limits.concurrency_max);
    const batch_max = Math.min(limits.batch_max, endpoint.max_batch ?? limits.batch_max);
    const { requests_per_second, requests_per_day, counts } = endpoint;
    this.#limits = limits;
    this.pacer = new Pacer({ concurrency_max, batch_max, requests_per_second, requests_per_day, counts });
    this.#url = new URL(endpoint.url);
    this.#secrets = secretsOf(address);
    this.#headers = headersOf(this.#url, endpoint.headers ?? {});
    this.#pool = new Pool(this.#url.origin, { connections: concurrency_max, pipelining: 1, keepAliveTimeout: 30_000 });
  }

  /** Counters so far, under the name that the network gives the endpoint. */
  counts(name: string): EndpointCounts {
    return this.#counters.counts(name, this.pacer.pace);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #pathOf(path: string): string {
    const { pathname, search } = this.#url;
    if (path === "") return pathname + search;
    return pathname.replace(/\/+$/, "") + path + (path.includes("?") ? search.replace("?", "&") : search);
  }

  /**
   * Traces `work` as a step of its request. The step has the node's host and no other part of the address.
   * @param method the request as the protocol names it; never with arguments
   */
  protected step<T>(method: string, work: () => Promise<T>): Promise<T> {
    const { tracing } = this.#limits;
    if (tracing === undefined) return work();
    const facts = { "server.address": this.#url.hostname, "rpc.method": method };
    return tracing.step({ name: `node ${method}`, kind: "client", facts }, work);
  }

  /**
   * Sends one request of `calls` calls in its turn; its outcome sets the pace of the next ones. A request that came too
   * soon is sent again when the rate allows it, unless another endpoint can answer sooner.
   * @throws what `work` throws, or the signal's reason
   */
  protected async paced<T>(calls: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let refusals = 1; ; refusals += 1) {
      const turn = await this.pacer.acquire(signal, isInBackground(), calls);
      if (turn.rate_wait_ms !== null) this.#counters.waited(turn.rate_wait_ms);
      this.#counters.sent(calls);
      try {
        const answer = await work();
        this.pacer.succeeded(calls);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        this.#counters.failed(error);
        if (error instanceof Slow && calls > 1) this.pacer.tooLarge(calls);
        else if (error instanceof Slow) this.pacer.tooBusy();
        if (!(error instanceof NodeRefusal)) throw error;
        if (error.reason === "size") {
          if (error.calls_max !== null) this.pacer.takesAtMost(error.calls_max);
          else this.pacer.tooLarge(calls);
          throw error;
        }
        if (isConcurrencyLimit(error.message)) this.pacer.tooBusy();
        this.pacer.tooOften(turn, error.wait_ms, isPerSecondLimit(error.message));
        this.#giveBack(error, { calls, refusals });
      } finally {
        this.pacer.release();
      }
    }
  }

  /** @throws Refusal if a request that came too soon is not to be sent again as it is */
  #giveBack(refusal: NodeRefusal, { calls, refusals }: { readonly calls: number; readonly refusals: number }): void {
    if (calls > 1 && refusals >= RATE_TRIES_WHOLE) {
      this.pacer.tooLarge(calls);
      throw new NodeRefusal("size", refusal.message);
    }
    if (refusals >= RATE_TRIES_MAX) throw new BadAnswer(`one question is refused again and again: ${refusal.message}`);
    const { rate_wait_ms_max = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.pacer.rate_wait_ms > rate_wait_ms_max || this.pacer.refuses_all) throw refusal;
  }

  /** The text of the answer to a question of any family, or null. Rejects only with the signal's reason. */
  asked(path: string, question: object, signal: AbortSignal): Promise<string | null> {
    return this.paced(1, signal, () => this.post(path, JSON.stringify(question), signal)).then(
      (bytes) => bytes.toString("utf8", 0, ASKED_BYTES_MAX),
      () => {
        signal.throwIfAborted();
        return null;
      },
    );
  }

  /** Counts error objects of single calls. */
  protected countErrors(errors: readonly Error[]): void {
    for (const error of errors) this.#counters.failed(error);
  }

  /** A node's message without the keys that it repeats. */
  protected withoutSecrets(words: string): string {
    return this.#secrets.reduce((text, secret) => text.replaceAll(secret, "[secret]"), words);
  }

  /**
   * Posts JSON to `path` below the node's address ('' is the address itself). Returns the raw text of the answer.
   * @throws Refusal, Slow, BadAnswer, or the connection's error
   */
  protected post(path: string, body: string, signal: AbortSignal): Promise<Buffer> {
    return this.#request(path, { method: "POST", body }, signal);
  }

  /** Gets `path`, perhaps with a query, below the node's address. Returns the raw text of the answer. @throws as `post` */
  protected get(path: string, signal: AbortSignal): Promise<Buffer> {
    return this.#request(path, { method: "GET" }, signal);
  }

  async #request(path: string, sent: HttpRequest, signal: AbortSignal): Promise<Buffer> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#limits.timeout_ms);
    const follow = (): void => deadline.abort();
    signal.addEventListener("abort", follow, { once: true });
    const started = performance.now();
    try {
      const answer = await this.#pool.request({
        path: this.#pathOf(path),
        headers: this.#headers,
        ...sent,
        signal: deadline.signal,
      });
      const bytes = await readBody(answer.body, this.#limits.response_bytes_max, deadline);
      this.#counters.answered((performance.now() - started) / 1_000);
      checkHttp({ status: answer.statusCode, headers: answer.headers, bytes, url: this.#url });
      return bytes;
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.signal.aborted && !(error instanceof NodeRefusal))
        throw new Slow(`no answer within ${this.#limits.timeout_ms} ms`);
      if (error instanceof Error) error.message = this.withoutSecrets(error.message);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", follow);
    }
  }
}

/** A compressed answer would take twice as long to read, and its size is not known in advance. */
const headersOf = ({ username, password }: URL, own: Readonly<Record<string, string>>): Record<string, string> => {
  const headers: Record<string, string> = {};
  if (username !== "" || password !== "") {
    const credentials = `${decoded(username)}:${decoded(password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value;
  return { ...headers, "content-type": "application/json", accept: "application/json", "accept-encoding": "identity" };
};

const readBody = async (body: AsyncIterable<Buffer>, bytes_max: number, stop: AbortController): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytes_max) {
      stop.abort();
      throw new NodeRefusal("size", `the answer is larger than ${bytes_max} bytes`);
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
};

/** @throws BadAnswer */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new BadAnswer("the answer is nested too deeply");
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer("the answer is not JSON");
  }
};
