/** Searches of logs and traces in ranges of blocks, as wide as nodes answer, and answers of nodes behind a load balancer. */
import { messageOf } from "../../lib/errors.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingState, NodeRefusal, RpcError, Slow } from "../node/refusal.ts";
import { askSettled } from "../node/settled.ts";
import { blockIn } from "./past_logs.ts";
import type { EvmRpcNode, EvmRpcPool } from "./pool.ts";
import { resultsOf } from "./probe.ts";
import { quantity } from "./wire.ts";

/** A member behind a load balancer may lack a block that others have. */
const AGAIN_MAX = 6;
/** Log requests of one moment. */
const LOGS_IN_FLIGHT = 8;
/** After this many answers in a row the width grows. */
const ANSWERS_BEFORE_GROWTH = 8;
const GROWTH_LEAST = 1.1;
/** Refusals of the range itself in words that other requests are not refused with. */
const TOO_WIDE =
  /limit exceeded|time(?:d)?[ -]?out|took too long|too many|results?\b.{0,30}\b(?:limit|max|exceed)|(?:limit|max|exceed)\w*.{0,30}\b(?:results?|logs|blocks?|range)|range/i;

const BY_COUNT = /results|logs|size/i;

const isTooWide = (error: unknown): boolean =>
  error instanceof Slow ||
  (error instanceof NodeRefusal && (error.reason === "size" || /^\W*limit exceeded\W*$/i.test(error.message))) ||
  (error instanceof RpcError && !isMissingState(error) && TOO_WIDE.test(error.message));

export interface LearnedWidth {
  readonly value: number;
  /** No wider range is answered. */
  readonly most: number;
}

/** Before anything was refused. */
export const WIDEST: LearnedWidth = { value: Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

export interface BlockSpan {
  readonly from: number;
  readonly to: number;
}

interface LogJob extends BlockSpan {
  readonly filter: object;
}

const isUnsettled = (answer: RpcAnswer): boolean => (answer.ok ? answer.result === null : isMissingState(answer.error));

/** Answers to all calls; those that a member of the node does not have yet are requested again. */
export const answersOf = ({ endpoint }: EvmRpcNode, calls: readonly RpcCall[], signal: AbortSignal) =>
  askSettled(endpoint, { calls, isUnsettled, again_max: AGAIN_MAX }, signal);

/**
 * Width of the ranges of one search. A refused width is halved, or gives way to the widest one that was answered; after some answers the
 * width grows towards the narrowest that was refused. A refusal for the number of results says nothing about other ranges.
 */
class LogWidth {
  #width: number;
  #most: number;
  #widest = 0;
  #answers = 0;

  constructor({ value, most }: LearnedWidth) {
    this.#width = value;
    this.#most = most;
  }

  get value(): number {
    return this.#width;
  }

  /** The start of another search. */
  get learned(): LearnedWidth {
    return { value: this.#widest > 0 ? this.#widest : this.#width, most: this.#most };
  }

  refused(width: number, is_by_count: boolean): void {
    this.#answers = 0;
    if (!is_by_count) this.#most = Math.min(this.#most, width - 1);
    const half = Math.max(1, Math.floor(width / 2));
    const next = is_by_count || this.#widest >= width ? half : Math.max(half, this.#widest);
    this.#width = Math.min(this.#width, next);
  }

  answered(width: number): void {
    this.#widest = Math.max(this.#widest, width);
    if (width < this.#width) return;
    this.#answers += 1;
    if (this.#answers < ANSWERS_BEFORE_GROWTH) return;
    this.#answers = 0;
    const grown = Math.min(2 * this.#width, Math.floor((this.#width + this.#most) / 2));
    // A little more is not worth another refusal.
    if (grown > this.#width * GROWTH_LEAST) this.#width = grown;
  }
}

/** A method that returns rows of a range of blocks. */
export interface RangeMethod {
  readonly name: string;
  /** Its rows, in messages. */
  readonly rows: string;
  readonly blockIn: (row: JsonFields) => number;
  readonly accepts: (traits: EvmRpcNode["traits"]) => boolean;
}

const LOGS: RangeMethod = { name: "eth_getLogs", rows: "logs", blockIn, accepts: () => true };

interface LogSearchQuery extends BlockSpan {
  /** Default: logs. */
  readonly method?: RangeMethod;
  readonly filters: readonly object[];
  readonly signal: AbortSignal;
}

/** Searches the logs of a range, or rows of another method, by some filters. */
export class LogSearch<T> {
  readonly #pool: EvmRpcPool;
  readonly #width: LogWidth;
  readonly #query: LogSearchQuery;
  #requests = 0;
  was_refused = false;

  constructor(pool: EvmRpcPool, learned: LearnedWidth, query: LogSearchQuery) {
    this.#pool = pool;
    this.#width = new LogWidth(learned);
    this.#query = query;
  }

  get learned(): LearnedWidth {
    return this.#width.learned;
  }

  get requests(): number {
    return this.#requests;
  }

  /** The results of `read` on each log, in any order. `check` may end the search with an error. */
  async read(
    read: (log: JsonFields) => T,
    check: (found: readonly T[]) => void = () => undefined,
  ): Promise<{ readonly logs: T[]; readonly requests: number }> {
    const { from, to, filters, method: { rows } = LOGS } = this.#query;
    const logs: T[] = [];
    const open: LogJob[] = from > to ? [] : filters.map((filter) => ({ from, to, filter }));
    let working = 0;
    const worker = async (): Promise<void> => {
      for (let job = open.pop(); job !== undefined; job = open.pop()) {
        const end = Math.min(job.to, job.from + this.#width.value - 1);
        // Another worker may continue behind this piece at once.
        if (end < job.to) open.push({ ...job, from: end + 1 });
        const piece = { ...job, to: end };
        const found = await this.#ask(piece, read);
        if (found === null && piece.from === end)
          throw this.#pool.unavailable(rows, new BadAnswer(`the node refuses the ${rows} of block ${end} alone`));
        if (found === null) open.push(piece);
        for (const log of found ?? []) logs.push(log);
        check(found ?? []);
        if (working < LOGS_IN_FLIGHT && open.length > 0) more.push(start());
      }
    };
    const failures: unknown[] = [];
    const start = async (): Promise<void> => {
      working += 1;
      try {
        await worker();
      } catch (error) {
        failures.push(error);
        open.length = 0;
      }
      working -= 1;
    };
    const more: Promise<void>[] = [start()];
    // Workers start workers: the list grows while it is read.
    for (let at = 0; at < more.length; at += 1) await more[at];
    if (failures.length > 0) throw failures[0];
    return { logs, requests: this.#requests };
  }

  /** Null if the range is too wide for the node. */
  #ask({ filter, from, to }: LogJob, read: (log: JsonFields) => T): Promise<readonly T[] | null> {
    const { signal, method = LOGS } = this.#query;
    const { name, rows, accepts } = method;
    const call = { method: name, params: [{ ...filter, fromBlock: quantity(from), toBlock: quantity(to) }] };
    const width = to - from + 1;
    this.#requests += 1;
    return this.#pool.run({ what: `${rows} of blocks ${from}..${to}`, spread: true, accepts }, signal, async (node) => {
      try {
        const [result] = resultsOf(await answersOf(node, [call], signal));
        const logs = listOf(result, rows).map((row) => fieldsOf(row, rows));
        if (logs.map(method.blockIn).some((block) => block < from || block > to))
          throw new BadAnswer(`${rows} of another range`);
        const found = logs.map(read);
        this.#width.answered(width);
        return found;
      } catch (error) {
        if (!isTooWide(error)) throw error;
        this.was_refused = true;
        this.#width.refused(width, BY_COUNT.test(messageOf(error)));
        return null;
      }
    });
  }
}
