/** Meaning of errors of PostgreSQL, or of its connection, for a transaction (appendix A of PostgreSQL's manual). */
import { AssayError, codeOf, messageOf } from "../lib/errors.ts";

/** 57P01..03: the server is stopping, has crashed, or is starting. 25P03: it ended an idle transaction. */
const LOST_STATES = ["57P01", "57P02", "57P03", "57P05", "25P03", "53300"];

const LOST_CODES = [
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // A Unix socket whose server has stopped.
  "ENOENT",
];

/** Errors of the client library carry no code. */
const LOST_WORDS =
  /^(Connection terminated|received invalid response|Query read timeout|timeout e|Client has encountered a connection error)/;

/** The connection is unusable: the last statement may or may not have run. */
export const isLost = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code !== null) return code.startsWith("08") || LOST_STATES.includes(code) || LOST_CODES.includes(code);
  return error instanceof Error && LOST_WORDS.test(error.message);
};

/** Serialization failure or deadlock: the server rolled back, and the transaction may be retried. */
export const isConflict = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error) ?? "");

/** Lock or statement timeout of the server. */
export const isTooLong = (error: unknown): boolean => ["55P03", "57014"].includes(codeOf(error) ?? "");

export const unavailable = (cause: unknown, is_unknown: boolean): AssayError =>
  new AssayError({
    code: is_unknown ? "ACCOUNTS_OUTCOME_UNKNOWN" : "ACCOUNTS_UNAVAILABLE",
    message: `PostgreSQL does not answer: ${messageOf(cause)}.${is_unknown ? " The connection was lost while committing, so the change may have been made. Check before you repeat it." : ""}`,
    public: "The accounts store does not answer. Try again.",
    retryable: true,
    cause,
  });

export const busy = (cause: unknown): AssayError =>
  new AssayError({
    code: "ACCOUNTS_BUSY",
    message: `Another transaction held the accounts store for too long: ${messageOf(cause)}.`,
    public: "The accounts store is busy. Try again.",
    retryable: true,
    cause,
  });
