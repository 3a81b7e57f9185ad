import { pino } from "pino";

export type Log = {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
};

/** A value that must never be printed. `reveal` is the only way to its text. */
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return "[secret]";
  }
  toJSON(): string {
    return "[secret]";
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[secret]";
  }
}

/** Structured log on stderr (stdout belongs to data). Authorization headers are redacted wherever they stand. */
export const openLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: ["*.authorization", "authorization", "*.headers", "headers"], censor: "[secret]" },
    },
    pino.destination({ dest: 2, sync: true }),
  );

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A URL as it may be shown: host and port only, no credentials, path or query (providers put keys there). */
export const maskUrl = (url: string): string => {
  if (!URL.canParse(url)) return "[unreadable url]";
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname.length > 1 || search !== "" ? "/…" : ""}`;
};
