import { pino } from "pino";
import { cleanText } from "./text.ts";

export type Log = {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
};

/** A value that must never be printed. Only `reveal` returns its text. */
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

/** `plain`: a line for people. `json`: an object per line, for collectors. */
export type LogFormat = "plain" | "json";

/** Log on stderr (stdout belongs to data). Redacts secrets anywhere in a line. */
export const openLog = (level: string, format: LogFormat = "plain"): Log =>
  format === "json" ? jsonLog(level) : plainLog(level);

const jsonLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: ["*.authorization", "authorization", "*.headers", "headers"], censor: "[secret]" },
    },
    pino.destination({ dest: 2, sync: true }),
  );

const LEVELS = ["debug", "info", "warn", "error"] as const;

const plainLog = (level: string): Log => {
  const least = LEVELS.findIndex((one: string) => one === level);
  const at = (own: (typeof LEVELS)[number]) => (facts: object, message: string) => {
    if (least < 0 || LEVELS.indexOf(own) < least) return;
    // On a terminal, a status line may occupy this line.
    const clear = process.stderr.isTTY === true ? "\r\u001b[2K" : "";
    process.stderr.write(`${clear}${plainLine(new Date(), own, { facts, message })}\n`);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
};

const FACT_BYTES_MAX = 500;
const HIDDEN: readonly string[] = ["authorization", "headers"];
/** Facts shown only when debugging. */
const DEEP: readonly string[] = ["stack"];

/** One line: time, level, network, message and facts. An error appears as its message; line breaks are removed. */
export const plainLine = (
  when: Date,
  level: string,
  { facts, message }: { readonly facts: object; readonly message: string },
): string => {
  const { network, err, ...rest } = Object.fromEntries(Object.entries(facts));
  const shown = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || DEEP.includes(name) ? [] : [`${name.replaceAll("_", " ")} ${factText(name, value)}`],
  );
  const subject = network === undefined ? "" : `${factText("network", network)}: `;
  const reason = err === undefined ? "" : `: ${withoutSubject(subject, factText("err", err))}`;
  const tail = shown.length === 0 ? "" : ` (${shown.join(", ")})`;
  return `${when.toISOString().slice(0, 19)}Z ${level.padEnd(5)} ${subject}${oneLine(message)}${reason}${tail}`;
};

const factText = (name: string, value: unknown): string => {
  if (HIDDEN.includes(name)) return "[secret]";
  if (value instanceof Error) return oneLine(value.message);
  if (typeof value !== "object" || value === null) return oneLine(String(value));
  return oneLine(
    JSON.stringify(value, (key, inner) =>
      HIDDEN.includes(key) ? "[secret]" : typeof inner === "bigint" ? String(inner) : inner,
    ),
  );
};

/** Removes the subject from a message when the line already begins with it. */
export const withoutSubject = (subject: string, text: string): string =>
  subject !== "" && text.startsWith(subject) ? text.slice(subject.length) : text;

/** Text of a node or a caller may contain anything, including terminal control sequences. */
const oneLine = (text: string): string => cleanText(text, FACT_BYTES_MAX);

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A URL that is safe to show: host and port only, without credentials, path or query (providers put keys there). */
export const maskUrl = (url: string): string => {
  if (!URL.canParse(url)) return "[unreadable url]";
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname.length > 1 || search !== "" ? "/…" : ""}`;
};
