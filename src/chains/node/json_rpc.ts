import { messageOf } from "../../lib/errors.ts";
import { BadAnswer, fieldsOf } from "./answer.ts";
import { CallBatcher } from "./call_batcher.ts";
import { Connection, parseJson } from "./connection.ts";
import { arrayLimitOf, NodeRefusal, RpcError, refusalOf } from "./refusal.ts";

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node's answer to one call: a result, or its own error object. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

/** Answers to some calls, in order, and their total size. */
export interface RpcBatchResult {
  readonly answers: RpcAnswer[];
  readonly bytes: number;
}

/** The answers in a text, equivalent to `JSON.parse`. @throws BadAnswer */
type ReadAnswers = (text: Buffer) => unknown;

const SIZE_TRIES_MAX = 12;
const WORDS_MAX = 500;

/** One node behind one URL: JSON-RPC over kept-alive connections, at the pace that it allows. */
export class JsonRpcEndpoint extends Connection {
  #next_id = 1;
  readonly #gathered = new CallBatcher({
    batch: () => this.pacer.batch,
    together: async (calls, signal) =>
      (await this.paced(calls.length, signal, () => this.#exchange(calls, signal, (text) => this.read(text)))).answers,
    alone: async (calls, signal) => (await this.ask(calls, signal)).answers,
    step: (calls, work) => this.step(methodOf(calls), work),
  });

  /**
   * Answers in the order of `calls`, in as many requests as the endpoint's pace needs. `bytes` is their size.
   * @throws Refusal (after shrinking as far as possible), Slow, BadAnswer, or the connection's error
   */
  ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<RpcBatchResult> {
    return this.askAs(calls, signal, (text) => this.read(text));
  }

  /** `ask`, in one request with all other calls of this moment: for short reads that a node answers at once. */
  async askTogether(calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly RpcAnswer[]> {
    return this.#gathered.ask(calls, signal);
  }

  /** `ask`, where `read` parses the text of an answer, with results of any kind. */
  async askAs(calls: readonly RpcCall[], signal: AbortSignal, read: ReadAnswers): Promise<RpcBatchResult> {
    const answers: RpcAnswer[] = [];
    let bytes = 0;
    let refusals = 0;
    while (answers.length < calls.length) {
      const part = calls.slice(answers.length, answers.length + this.pacer.batch);
      try {
        const work = () => this.step(methodOf(part), () => this.#exchange(part, signal, read));
        const sent = await this.paced(part.length, signal, work);
        for (const answer of sent.answers) answers.push(answer);
        bytes += sent.bytes;
      } catch (error) {
        refusals += 1;
        const smaller = error instanceof NodeRefusal && error.reason === "size" && part.length > 1;
        if (!smaller || refusals > SIZE_TRIES_MAX) throw error;
      }
    }
    return { answers, bytes };
  }

  async #exchange(calls: readonly RpcCall[], signal: AbortSignal, read: ReadAnswers): Promise<RpcBatchResult> {
    const first_id = this.#next_id;
    this.#next_id += calls.length;
    const requests = calls.map((call, i) => ({ jsonrpc: "2.0", id: first_id + i, ...call }));
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    const text = await this.post("", body, signal).catch((error: unknown) => {
      throw calls.length > 1 && isRefusedArray(error) ? arrayRefusal(calls.length, messageOf(error)) : error;
    });
    const refusal_of = (error: RpcError): NodeRefusal | null => this.refusal(error);
    const matched = matchAnswers(read(text), { first_id, count: calls.length, refusal_of });
    const answers = matched.map((answer) => this.#withoutSecrets(answer));
    for (const answer of answers) {
      const refusal = answer.ok ? null : this.refusal(answer.error);
      if (refusal !== null) throw refusal;
    }
    this.countErrors(answers.flatMap((answer) => (answer.ok ? [] : [answer.error])));
    return { answers, bytes: text.length };
  }

  #withoutSecrets(answer: RpcAnswer): RpcAnswer {
    if (answer.ok) return answer;
    const { code, message, data } = answer.error;
    const clean = this.withoutSecrets(message);
    return clean === message ? answer : { ok: false, error: new RpcError(code, clean, data) };
  }

  /** The answers in a text. @throws BadAnswer */
  protected read(text: Buffer): unknown {
    return parseJson(text.toString("utf8"));
  }

  /** The refusal that an error stands for; null if the error is an answer. */
  protected refusal(error: RpcError): NodeRefusal | null {
    return refusalOf(error);
  }
}

interface ExpectedAnswers {
  readonly first_id: number;
  readonly count: number;
  readonly refusal_of: (error: RpcError) => NodeRefusal | null;
}

/** The method that all calls share, if any. */
const methodOf = ([first, ...more]: readonly RpcCall[]): string =>
  first !== undefined && more.every(({ method }) => method === first.method) ? first.method : "several";

/** Matches each id exactly once. A lone error object for a batch applies to all of it. */
const matchAnswers = (answered: unknown, { first_id, count, refusal_of }: ExpectedAnswers): RpcAnswer[] => {
  const json = count > 1 ? loneError(answered) : answered;
  if (!Array.isArray(json)) {
    const answer = answerOf(json);
    if (count === 1 && (answer.id === first_id || (answer.id === null && !answer.said.ok))) return [answer.said];
    if (count === 1) throw new BadAnswer("the answer has the id of another request");
    if (answer.said.ok) throw new BadAnswer("a batch was answered with one result");
    const { message } = answer.said.error;
    throw refusal_of(answer.said.error) ?? arrayRefusal(count, message);
  }
  if (json.length === 0) throw arrayRefusal(count, "the node answers an array of calls with an empty array");
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

/** Statuses of nodes and proxies that do not accept arrays of calls. */
const NO_ARRAY_STATUS: readonly number[] = [400, 405, 406, 415, 422];

const isRefusedArray = (error: unknown): boolean =>
  error instanceof BadAnswer &&
  error.status !== null &&
  (NO_ARRAY_STATUS.includes(error.status) || arrayLimitOf(error.message) !== null);

/**
 * An array of `calls` calls was rejected. Its message may blame the length, else the number of calls; an array of two
 * was rejected for being an array.
 */
const arrayRefusal = (calls: number, message: string): NodeRefusal => {
  const calls_max = calls === 2 ? 1 : arrayLimitOf(message);
  return new NodeRefusal("size", `batch refused: ${message}`, { calls_max });
};

/** One error in an array of several calls that belongs to none of them applies to all. */
const loneError = (json: unknown): unknown => {
  if (!Array.isArray(json) || json.length !== 1) return json;
  const [only] = json;
  return Object(only).id == null && Object(only).error != null ? only : json;
};

/** Some nodes send ids back as text. */
const idOf = (id: unknown): unknown => (typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : (id ?? null));

const answerOf = (json: unknown): { id: unknown; said: RpcAnswer } => {
  const fields = fieldsOf(json, "the answer");
  const id = idOf(fields.id);
  if (typeof fields.error === "string")
    return { id, said: { ok: false, error: new RpcError(0, fields.error.slice(0, WORDS_MAX), null) } };
  if (fields.error !== undefined && fields.error !== null) {
    const error = fieldsOf(fields.error, "the error");
    const code = typeof error.code === "number" ? error.code : 0;
    const message = typeof error.message === "string" ? error.message.slice(0, WORDS_MAX) : "error without words";
    return { id, said: { ok: false, error: new RpcError(code, message, error.data) } };
  }
  if (!("result" in fields)) throw new BadAnswer("the answer has neither result nor error");
  return { id, said: { ok: true, result: fields.result } };
};
