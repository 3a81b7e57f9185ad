/** Paid answers that accounts keep, so that their people see them again without another charge. */
import type { Database, Queries } from "../database.ts";

/** Limits that the operator sets. */
export interface AnswerTerms {
  /** Days after which an answer is deleted; 0: none is kept. */
  readonly days: number;
  readonly answers_per_account: number;
  readonly bytes_per_account: number;
}

export const ANSWER_TERMS: AnswerTerms = { days: 7, answers_per_account: 200, bytes_per_account: 32 * 1_048_576 };

/** A longer answer is not kept. */
const ANSWER_BYTES_MAX = 2 * 1_048_576;

const DAY_MS = 86_400_000;

export interface KeptAnswer {
  readonly tool: string;
  readonly request_id: string;
  /** Price of the call. */
  readonly credits: number;
  /** Unix milliseconds. */
  readonly kept_at: number;
  /** JSON, as it was sent. */
  readonly body: string;
}

/** The account, and the digest of tool and arguments. */
export interface KeptQuestion {
  readonly account_id: string;
  readonly question: string;
}

export interface KeptAnswers {
  /** Keeps an answer in place of the earlier one to its question. The oldest go where the account has too many. */
  keep(question: KeptQuestion, answer: Omit<KeptAnswer, "kept_at">): Promise<void>;
  /** Null for an answer that is not kept, has expired, or is of another account. */
  find(question: KeptQuestion): Promise<KeptAnswer | null>;
  /** Deletes the answer of a call that was refunded afterwards. */
  forget(question: KeptQuestion, request_id: string): Promise<void>;
  /** Deletes what has expired, and everything where nothing is kept. */
  sweep(): Promise<void>;
}

export interface AnswersSettings {
  readonly database: Database;
  readonly now: () => number;
  readonly terms: AnswerTerms;
}

const KEEP_SQL = `insert into kept_answers (account_id, question, tool, request_id, credits, bytes, kept_at, body)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account_id, question) do update set
    tool = excluded.tool, request_id = excluded.request_id, credits = excluded.credits, bytes = excluded.bytes,
    kept_at = excluded.kept_at, body = excluded.body`;
const FIND_SQL = `select tool, request_id, credits, kept_at, body from kept_answers
  where account_id = $1 and question = $2 and kept_at > $3`;
const HELD_SQL = "select question, bytes from kept_answers where account_id = $1 order by kept_at desc, question";
const REMOVE_SQL = "delete from kept_answers where account_id = $1 and question = $2";
const FORGET_SQL = `${REMOVE_SQL} and request_id = $3`;
const EXPIRE_SQL = "delete from kept_answers where kept_at <= $1";

type HeldRow = { readonly question: string; readonly bytes: number };

/** Deletes the oldest answers of an account beyond its limits. */
const trim = async (within: Queries, account_id: string, terms: AnswerTerms): Promise<void> => {
  let [count, bytes] = [0, 0];
  for (const held of await within.all<HeldRow>(HELD_SQL, [account_id])) {
    count += 1;
    bytes += held.bytes;
    if (count > terms.answers_per_account || bytes > terms.bytes_per_account)
      await within.run(REMOVE_SQL, [account_id, held.question]);
  }
};

const lockOf = (account_id: string): string => `answers ${account_id}`;

export const openKeptAnswers = ({ database, now, terms }: AnswersSettings): KeptAnswers => {
  const expired_at = (): number => now() - terms.days * DAY_MS;
  return {
    async keep({ account_id, question }, { tool, request_id, credits, body }) {
      const bytes = Buffer.byteLength(body);
      if (terms.days === 0 || bytes > Math.min(ANSWER_BYTES_MAX, terms.bytes_per_account)) return;
      // Repeated after a lost connection, it has the same effect.
      await database.transaction({ lock: lockOf(account_id), proof: null }, async (within) => {
        await within.run(KEEP_SQL, [account_id, question, tool, request_id, credits, bytes, now(), body]);
        await trim(within, account_id, terms);
      });
    },
    async find({ account_id, question }) {
      return terms.days === 0
        ? null
        : database.get<KeptAnswer & Record<string, string | number>>(FIND_SQL, [account_id, question, expired_at()]);
    },
    async forget({ account_id, question }, request_id) {
      await database.run(FORGET_SQL, [account_id, question, request_id]);
    },
    async sweep() {
      await database.run(EXPIRE_SQL, [expired_at()]);
    },
  };
};
