import { Pool } from "undici";
import { AssayError } from "../../lib/errors.ts";
import { maskUrl } from "../../lib/log.ts";
import { isTooDeep } from "./nesting.ts";
import { Pacer } from "./pacer.ts";
import { Refusal, RpcError, refusalOf, Slow } from "./refusal.ts";
import { BadAnswer, fieldsOf } from "./wire.ts";

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the node said to one call: a result, or its own error object. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

export interface EndpointLimits {
  /** Deadline of one HTTP request, its body included. */
  readonly timeout_ms: number;
  /** Largest answer that is read. */
  readonly response_bytes_max: number;
  readonly concurrency_max: number;
  readonly batch_max: number;
}

const RETRY_AFTER_MAX_MS = 5_000;
const SIZE_TRIES_MAX = 12;

/** One node behind one URL: JSON-RPC over kept-alive connections, at the pace that it bears. */
export class Endpoint {
  /** As it may be shown: without credentials, path and query. */
  readonly name: string;
  readonly pacer: Pacer;
  readonly #limits: EndpointLimits;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  #next_id = 1;

  constructor(url: string, limits: EndpointLimits) {
    this.name = maskUrl(url);
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      const message = `An RPC address must be an http or https URL, not ${this.name}.`;
      throw new AssayError({ code: "CONFIG_INVALID", message, public: message });
    }
    this.#limits = limits;
    this.pacer = new Pacer(limits);
    this.#path = parsed.pathname + parsed.search;
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

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /**
   * Answers in the order of `calls`, in as many requests as the endpoint's pace asks for. `bytes` is their size.
   * @throws Refusal (after having shrunk as far as it goes), Slow, BadAnswer, or the connection's error.
   */
  async ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<{ answers: RpcAnswer[]; bytes: number }> {
    const answers: RpcAnswer[] = [];
    let bytes = 0;
    let refusals = 0;
    while (answers.length < calls.length) {
      const part = calls.slice(answers.length, answers.length + this.pacer.batch);
      await this.pacer.acquire(signal);
      try {
        const sent = await this.#send(part, signal);
        for (const answer of sent.answers) answers.push(answer);
        bytes += sent.bytes;
        this.pacer.succeeded();
      } catch (error) {
        if (error instanceof Refusal) this.pacer.refused(error.reason, part.length);
        if (error instanceof Slow) this.pacer.refused(part.length > 1 ? "size" : "rate", part.length);
        refusals += 1;
        const smaller = error instanceof Refusal && error.reason === "size" && part.length > 1;
        if (!smaller || refusals > SIZE_TRIES_MAX) throw error;
      } finally {
        this.pacer.release();
      }
    }
    return { answers, bytes };
  }

  async #send(calls: readonly RpcCall[], signal: AbortSignal): Promise<{ answers: RpcAnswer[]; bytes: number }> {
    const first_id = this.#next_id;
    this.#next_id += calls.length;
    const requests = calls.map((call, i) => ({ jsonrpc: "2.0", id: first_id + i, ...call }));
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    const text = await this.#post(body, signal);
    const answers = matchAnswers(parseJson(text), first_id, calls.length);
    for (const answer of answers) {
      const refusal = answer.ok ? null : refusalOf(answer.error);
      if (refusal !== null) throw refusal;
    }
    return { answers, bytes: text.length };
  }

  async #post(body: string, signal: AbortSignal): Promise<string> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#limits.timeout_ms);
    const follow = (): void => deadline.abort();
    signal.addEventListener("abort", follow, { once: true });
    try {
      const answer = await this.#pool.request({
        path: this.#path,
        method: "POST",
        headers: this.#headers,
        body,
        signal: deadline.signal,
      });
      const text = await readBody(answer.body, this.#limits.response_bytes_max, deadline);
      checkStatus(answer.statusCode, answer.headers, text);
      return text;
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

const readBody = async (body: AsyncIterable<Buffer>, bytes_max: number, stop: AbortController): Promise<string> => {
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
  return (chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes)).toString("utf8");
};

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const checkStatus = (status: number, headers: Headers, text: string): void => {
  if (status === 200) return;
  if (status === 413) throw new Refusal("size", "HTTP 413");
  if (status === 429) throw new Refusal("rate", "HTTP 429", waitOf(headers["retry-after"]));
  // Several clients send JSON-RPC errors with 4xx or 5xx; their words say more than the number.
  if (text.startsWith("{") && text.includes('"error"')) return;
  throw new BadAnswer(`HTTP ${status}`);
};

const waitOf = (header: string | string[] | undefined): number => {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MAX_MS) : 0;
};

const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new BadAnswer("the answer is nested too deeply");
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer("the answer is no JSON");
  }
};

/** Each id exactly once. A lone error object for a batch speaks for all of it. */
const matchAnswers = (json: unknown, first_id: number, count: number): RpcAnswer[] => {
  if (!Array.isArray(json)) {
    const answer = answerOf(json);
    if (count === 1 && (answer.id === first_id || (answer.id === null && !answer.said.ok))) return [answer.said];
    if (count === 1) throw new BadAnswer("the answer has the id of another request");
    if (answer.said.ok) throw new BadAnswer("a batch was answered with one result");
    throw refusalOf(answer.said.error) ?? new Refusal("size", `batch refused: ${answer.said.error.message}`);
  }
  if (json.length !== count) throw new BadAnswer(`${count} calls have ${json.length} answers`);
  const answers = new Array<RpcAnswer | undefined>(count).fill(undefined);
  for (const item of json) {
    const { id, said } = answerOf(item);
    const place = typeof id === "number" ? id - first_id : -1;
    if (!(place in answers) || answers[place] !== undefined)
      throw new BadAnswer("an answer has a foreign or double id");
    answers[place] = said;
  }
  return answers.map((said) => {
    if (said === undefined) throw new BadAnswer("a call has no answer");
    return said;
  });
};

const answerOf = (json: unknown): { id: unknown; said: RpcAnswer } => {
  const fields = fieldsOf(json, "the answer");
  const id = fields.id ?? null;
  if (fields.error !== undefined && fields.error !== null) {
    const error = fieldsOf(fields.error, "the error");
    const code = typeof error.code === "number" ? error.code : 0;
    const message = typeof error.message === "string" ? error.message.slice(0, 500) : "error without words";
    return { id, said: { ok: false, error: new RpcError(code, message, error.data) } };
  }
  if (!("result" in fields)) throw new BadAnswer("the answer has neither result nor error");
  return { id, said: { ok: true, result: fields.result } };
};
