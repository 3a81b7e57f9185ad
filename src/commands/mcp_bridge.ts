import { AssayError, messageOf } from "../lib/errors.ts";
import { DOCUMENT_BOUNDS, readJsonOrNull } from "../lib/json_bounds.ts";

export interface BridgeOptions {
  /** Where messages go, and with which key. Asked for each message. */
  readonly peer: () => { readonly url: string; readonly key: string };
  /** Takes one message and its line end: nothing else may come out there. */
  readonly write: (line: string) => void;
  /** For people. */
  readonly complain: (sentence: string) => void;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
}

type BridgeJson = { readonly [member: string]: unknown };

/** Longer than the largest body that a service can be set to take. */
const LINE_BYTES_MAX = 32 << 20;
const LINE_END = 0x0a;

/** JSON-RPC's range for faults of an implementation. */
const BRIDGE_FAULT = -32_000;

const VERSION_MEMBER = "io.modelcontextprotocol/protocolVersion";

/**
 * Passes each line of `input` to the service and its answers back, in whatever order they come. Settles when the input has
 * ended and every message was answered.
 * @returns how many messages there were.
 */
export const bridgeMessages = async (input: AsyncIterable<Buffer>, parts: BridgeOptions): Promise<number> => {
  const bridge = new Bridge(parts);
  let messages = 0;
  try {
    for await (const line of linesOf(input)) {
      if (line.trim() === "") continue;
      messages += 1;
      bridge.take(line);
    }
  } catch (error) {
    if (!parts.signal.aborted) throw error;
  }
  await bridge.idle();
  return messages;
};

async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      yield rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > LINE_BYTES_MAX) throw new AssayError({ code: "MCP", message: "a message is too long" });
  }
  yield rest.toString("utf8");
}

const isJson = (value: unknown): value is BridgeJson =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const parse = (text: string): BridgeJson => {
  // The service reports the fault of a message that is not JSON.
  const value = readJsonOrNull(text, DOCUMENT_BOUNDS);
  return isJson(value) ? value : {};
};

const member = (value: unknown, name: string): unknown => (isJson(value) ? value[name] : undefined);

/** Header values are ASCII; the protocol has a form for all others. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) && !text.startsWith("=?base64?")
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** One message on its way. */
interface PendingMessage {
  readonly message: BridgeJson;
  readonly line: string;
  readonly stop: AbortSignal;
}

class Bridge {
  readonly #parts: BridgeOptions;
  readonly #under_way = new Map<unknown, AbortController>();
  readonly #answered = new Set<Promise<void>>();
  /** Revision agreed on by `initialize`; later revisions name theirs in each message. */
  #revision: string | null = null;

  constructor(parts: BridgeOptions) {
    this.#parts = parts;
  }

  take(line: string): void {
    const message = parse(line);
    if (message.method === "notifications/cancelled") {
      this.#under_way.get(member(message.params, "requestId"))?.abort();
      return;
    }
    const controller = new AbortController();
    if (message.id !== undefined) this.#under_way.set(message.id, controller);
    const stop = AbortSignal.any([controller.signal, this.#parts.signal]);
    const answered = this.#pass({ message, line, stop }).finally(() => {
      this.#answered.delete(answered);
      if (this.#under_way.get(message.id) === controller) this.#under_way.delete(message.id);
    });
    this.#answered.add(answered);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#answered);
  }

  async #pass(journey: PendingMessage): Promise<void> {
    const { message, line, stop } = journey;
    let url = "the service";
    try {
      const peer = this.#parts.peer();
      url = peer.url;
      const headers = { ...this.#headers(message), authorization: `Bearer ${peer.key}` };
      const response = await fetch(url, { method: "POST", headers, body: line, signal: stop });
      const text = await response.text();
      if (!stop.aborted) this.#answer(message, response, text);
    } catch (error) {
      if (stop.aborted) return;
      const why = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
      this.#fail(message, `nothing answers at ${url} (${why}); is 'assay up' running?`);
    }
  }

  #headers(message: BridgeJson): Readonly<Record<string, string>> {
    const always = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const { method, params } = message;
    const revision = member(member(params, "_meta"), VERSION_MEMBER);
    if (typeof revision !== "string" || typeof method !== "string")
      return this.#revision === null || method === "initialize"
        ? always
        : { ...always, "mcp-protocol-version": this.#revision };
    const name = member(params, method === "resources/read" ? "uri" : "name");
    return {
      ...always,
      "mcp-protocol-version": headerText(revision),
      "mcp-method": headerText(method),
      ...(typeof name === "string" ? { "mcp-name": headerText(name) } : {}),
    };
  }

  #answer(message: BridgeJson, response: Response, text: string): void {
    if (text === "") return;
    const is_stream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const sent = is_stream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? "") : [text];
    for (const one of sent.map(parse)) {
      if (one.jsonrpc === undefined) {
        const detail = typeof one.detail === "string" ? one.detail : `the service answered ${response.status}`;
        this.#fail(message, detail);
        continue;
      }
      const agreed = member(one.result, "protocolVersion");
      if (message.method === "initialize" && typeof agreed === "string") this.#revision = agreed;
      this.#parts.write(`${JSON.stringify(one)}\n`);
    }
  }

  #fail(message: BridgeJson, sentence: string): void {
    this.#parts.complain(sentence);
    if (message.id === undefined) return;
    const error = { code: BRIDGE_FAULT, message: sentence };
    this.#parts.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, error })}\n`);
  }
}
