/** The stream of an account's events (server-sent events): resumable, bounded, ended with its key. */
import type { ServerResponse } from "node:http";
import type { Caller } from "../../../accounts/meter.ts";
import { FairShare } from "../../../lib/fair_share.ts";
import { pause } from "../../../lib/pause.ts";
import { sendText } from "../../http/streamed_text.ts";
import { answerHeaders } from "../../http/transport.ts";
import { refusal, type SurfaceResponse } from "../../surface_response.ts";
import type { AccountContext } from "../account/operations.ts";
import { MANAGE, READ, type WatchContext, watchOf } from "../account/watch_operations.ts";

export const STREAM_PATH = "/api/watch/events";

const LOOK_EVERY_MS = 500;
const HEARTBEAT_EVERY_MS = 15_000;
/** Events that one stream holds in memory at most. */
const BATCH = 32;
/** Streams of one process: the first one of each account has a place of its own, all share those beyond. */
const PLACES = { shared: 512, per_account: 100, accounts: 4_096 };

export interface StreamParts {
  /** Aborted when the process stops. */
  readonly closing: AbortSignal;
}

export interface StreamRequest {
  readonly context: AccountContext;
  /** Authenticates the request once more: a key is revoked, a session ends, a role changes while the stream is open. */
  readonly again: () => Promise<Caller<"account"> | null>;
  /** The last event that the client received, by its `Last-Event-ID` or the query; null = it begins. */
  readonly last: string | null;
  readonly request_id: string;
  readonly response: ServerResponse;
}

/** The newest event of an account, as the last query found it. */
interface Look {
  readonly until: number;
  readonly newest: Promise<number>;
}

export class WatchStreams {
  readonly #parts: StreamParts;
  readonly #places = new FairShare(PLACES);
  readonly #newest = new Map<string, Look>();

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** A refusal, or null once the stream has begun. The stream closes itself. @throws AssayError WATCH_OFF, NOT_ALLOWED */
  async begin(wish: StreamRequest): Promise<SurfaceResponse | null> {
    const { context, last, response, request_id } = wish;
    const watch = watchOf(context, READ);
    if (last !== null && !/^\d{1,15}$/.test(last))
      return refusal(422, "Last-Event-ID is the number of an event that this stream has sent");
    const { account_id } = context.caller;
    const count = this.#places.held(account_id);
    if (count >= watch.streams_per_account)
      return refusal(429, `${count} streams of this account are open; close one first`);
    if (!this.#places.take(account_id)) return refusal(429, "Too many streams are open; try again later");
    try {
      const from = last === null ? await watch.book.events.newest(account_id) : Number(last);
      response.writeHead(200, {
        ...answerHeaders(request_id),
        "content-type": "text/event-stream; charset=utf-8",
        "x-accel-buffering": "no",
      });
      response.write(": stream of watched events\n\n");
      void this.#run(wish, watch, from).finally(() => this.#close(account_id));
    } catch (error) {
      this.#close(account_id);
      throw error;
    }
    return null;
  }

  #close(account_id: string): void {
    this.#places.free(account_id);
    if (this.#places.held(account_id) === 0) this.#newest.delete(account_id);
  }

  /** One question for all streams of an account in one look. */
  #newestOf(watch: WatchContext, account_id: string): Promise<number> {
    const now = performance.now();
    const known = this.#newest.get(account_id);
    if (known !== undefined && now < known.until) return known.newest;
    const newest = watch.book.events.newest(account_id);
    this.#newest.set(account_id, { until: now + LOOK_EVERY_MS / 2, newest });
    return newest;
  }

  async #run({ context, again, response }: StreamRequest, watch: WatchContext, from: number): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const ends = AbortSignal.any([gone.signal, this.#parts.closing]);
    let seq = from;
    let told_ms = performance.now();
    try {
      while (!ends.aborted && (await isStill(context.caller, again))) {
        const { account_id } = context.caller;
        const has_more = (await this.#newestOf(watch, account_id)) > seq;
        const events = has_more ? await watch.book.events.after(account_id, seq, BATCH) : [];
        for (const event of events) {
          if (!(await sendText(response, `id: ${event.seq}\nevent: watch\ndata: ${event.body}\n\n`, ends))) return;
          seq = event.seq;
          told_ms = performance.now();
        }
        if (performance.now() - told_ms >= HEARTBEAT_EVERY_MS) {
          if (!(await sendText(response, ": heartbeat\n\n", ends))) return;
          told_ms = performance.now();
        }
        if (events.length < BATCH) await pause(LOOK_EVERY_MS, ends);
      }
    } catch {
      // The store is away: the client comes again with the number that it has.
    } finally {
      response.end();
      if (!response.writableFinished) setTimeout(() => response.destroy(), 1_000).unref();
    }
  }
}

/** The same key or user still reads the account's events. */
const isStill = async (caller: Caller<"account">, again: StreamRequest["again"]): Promise<boolean> => {
  const now = await again();
  return now !== null && now.key_id === caller.key_id && [READ, MANAGE].some((right) => now.scopes.includes(right));
};
