import { PICTURED_TOOLS } from "../../../charts/index.ts";
import { isRecord } from "../../../lib/record.ts";
import { toJson } from "../../http/json.ts";
import type { SurfaceResponse } from "../../surface_response.ts";

/** Answers that were just given, as text, so that they can be drawn: by account and request, bounded in bytes and in time. */
export interface RecentAnswers {
  /** Of a call that went its way: keeps what it answered, or, of a repeat, that it asked for what is kept already. */
  note(call: AnsweredCall, answer: SurfaceResponse): SurfaceResponse;
  /** Null for an answer that is not kept here, was evicted, or is of another account or tool; the caller cannot distinguish them. */
  find(of: { readonly account_id: string; readonly tool: string; readonly request_id: string }): unknown;
  readonly bytes: number;
}

export interface AnsweredCall {
  readonly tool: string;
  readonly account_id: string;
  readonly request_id: string;
  readonly idempotency_key: string | null;
}

export interface RecentAnswerLimits {
  readonly kept_ms: number;
  /** One answer that is longer is not kept. */
  readonly answer_bytes_max: number;
  /** Of one account: its oldest go first. */
  readonly account_bytes_max: number;
  /** Of all: then those go of the account that has the most. */
  readonly bytes_max: number;
}

export const RECENT_ANSWER_LIMITS: RecentAnswerLimits = {
  kept_ms: 10 * 60_000,
  answer_bytes_max: 1_048_576,
  account_bytes_max: 4_194_304,
  bytes_max: 33_554_432,
};

interface RecentAnswer {
  readonly tool: string;
  readonly json: Buffer;
  readonly until_ms: number;
  readonly idempotency_key: string | null;
  /** The ids of all requests with this answer. */
  readonly request_ids: string[];
}

/** Answers of one account, oldest first. */
interface AnswersOfAccount {
  readonly kept: Set<RecentAnswer>;
  readonly by_id: Map<string, RecentAnswer>;
  readonly by_key: Map<string, RecentAnswer>;
  bytes: number;
}

/** Approximate memory of an entry beside its text. */
const ENTRY_BYTES = 512;
/** Ids of repeats that are kept with one answer. */
const REPEATS_MAX = 8;

const sizeOf = ({ json }: RecentAnswer): number => json.length + ENTRY_BYTES;

const isData = ({ status, body }: SurfaceResponse): boolean =>
  status === 200 &&
  isRecord(body) &&
  body.status !== "no_data" &&
  body.status !== "error" &&
  // Such an answer is refunded.
  body.error === undefined;

/** The key was used for the very same request, and that was answered. */
const isRepeat = ({ status, body }: SurfaceResponse): boolean => {
  const detail = isRecord(body) ? body.detail : null;
  return status === 409 && isRecord(detail) && detail.same_request === true && detail.state === "completed";
};

export const openRecentAnswers = (
  now_ms: () => number,
  limits: RecentAnswerLimits = RECENT_ANSWER_LIMITS,
): RecentAnswers => new Shelves(now_ms, limits);

class Shelves implements RecentAnswers {
  readonly #now_ms: () => number;
  readonly #limits: RecentAnswerLimits;
  readonly #shelves = new Map<string, AnswersOfAccount>();
  #bytes = 0;

  constructor(now_ms: () => number, limits: RecentAnswerLimits) {
    this.#now_ms = now_ms;
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  note(call: AnsweredCall, answer: SurfaceResponse): SurfaceResponse {
    if (!PICTURED_TOOLS.includes(call.tool)) return answer;
    this.#sweep();
    if (isRepeat(answer)) this.#repeat(call);
    if (!isData(answer)) return answer;
    const json = Buffer.from(toJson(answer.body));
    if (json.length > this.#limits.answer_bytes_max) return answer;
    this.#keep(call, json);
    const { retract } = answer;
    if (retract === undefined) return answer;
    // A refunded answer was not sent.
    const withdrawn = async (): Promise<SurfaceResponse> => {
      this.#forget(call);
      return retract();
    };
    return { ...answer, retract: withdrawn };
  }

  find({ account_id, tool, request_id }: Parameters<RecentAnswers["find"]>[0]): unknown {
    this.#sweep();
    const kept = this.#shelves.get(account_id)?.by_id.get(request_id);
    return kept === undefined || kept.tool !== tool ? null : JSON.parse(kept.json.toString("utf8"));
  }

  #keep({ account_id, request_id, idempotency_key, tool }: AnsweredCall, json: Buffer): void {
    const shelf = this.#shelves.get(account_id) ?? { kept: new Set(), by_id: new Map(), by_key: new Map(), bytes: 0 };
    this.#shelves.set(account_id, shelf);
    const until_ms = this.#now_ms() + this.#limits.kept_ms;
    const kept: RecentAnswer = { tool, json, until_ms, idempotency_key, request_ids: [request_id] };
    shelf.kept.add(kept);
    shelf.by_id.set(request_id, kept);
    if (idempotency_key !== null) shelf.by_key.set(idempotency_key, kept);
    shelf.bytes += sizeOf(kept);
    this.#bytes += sizeOf(kept);
    while (shelf.bytes > this.#limits.account_bytes_max && shelf.kept.size > 1) this.#removeOldest(account_id, shelf);
    while (this.#bytes > this.#limits.bytes_max) {
      const [fullest] = [...this.#shelves].sort(([, a], [, b]) => b.bytes - a.bytes);
      if (fullest === undefined) return;
      this.#removeOldest(...fullest);
    }
  }

  #repeat({ account_id, request_id, idempotency_key, tool }: AnsweredCall): void {
    const shelf = this.#shelves.get(account_id);
    const kept = idempotency_key === null ? undefined : shelf?.by_key.get(idempotency_key);
    if (shelf === undefined || kept?.tool !== tool || kept.request_ids.length > REPEATS_MAX) return;
    kept.request_ids.push(request_id);
    shelf.by_id.set(request_id, kept);
  }

  #forget({ account_id, request_id }: AnsweredCall): void {
    const shelf = this.#shelves.get(account_id);
    const kept = shelf?.by_id.get(request_id);
    if (shelf !== undefined && kept !== undefined) this.#remove(account_id, shelf, kept);
  }

  #sweep(): void {
    const now = this.#now_ms();
    for (const [account_id, shelf] of this.#shelves)
      for (const kept of shelf.kept) {
        if (kept.until_ms > now) break;
        this.#remove(account_id, shelf, kept);
      }
  }

  #removeOldest(account_id: string, shelf: AnswersOfAccount): void {
    const [oldest] = shelf.kept;
    if (oldest !== undefined) this.#remove(account_id, shelf, oldest);
  }

  #remove(account_id: string, shelf: AnswersOfAccount, kept: RecentAnswer): void {
    if (!shelf.kept.delete(kept)) return;
    for (const id of kept.request_ids) shelf.by_id.delete(id);
    const { idempotency_key: key } = kept;
    if (key !== null && shelf.by_key.get(key) === kept) shelf.by_key.delete(key);
    shelf.bytes -= sizeOf(kept);
    this.#bytes -= sizeOf(kept);
    if (shelf.kept.size === 0) this.#shelves.delete(account_id);
  }
}
