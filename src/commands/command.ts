import type { LoadedSettings } from "../config/settings.ts";
import { nearest } from "../lib/nearest.ts";

/** Exit codes of every command (docs/operating/command-line.md). */
export const EXIT = { ok: 0, error: 1, usage: 2, no_data: 3, auth: 4, refused: 5 } as const;

/** What a command may touch of the outside. Data goes to `out` (stdout), everything for people to `err` (stderr). */
export interface CommandIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** `--json` was given or stdout is not a terminal. */
  readonly json: boolean;
  /** stderr is a terminal: bars and colours make sense. */
  readonly tty: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the program: the checkout, or the installed package. */
  readonly checkout: string;
  /** Reads configuration file and environment. Throws `AssayError` CONFIG. */
  readonly settings: () => LoadedSettings;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly name: string;
  /** Arguments as shown in help, without the command's name. */
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: CommandArgs, io: CommandIo) => Promise<number>;
}

/** Arguments after the command's name: words, and flags as `--name value` or `--name`. */
export interface CommandArgs {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, readonly string[]>>;
}

/** The command was written wrongly: exit 2 with this sentence and the usage line. */
export class UsageFault extends Error {}

/** Splits words and flags. `switches` are flags without a value. */
export const parseArgs = (raw: readonly string[], switches: readonly string[]): CommandArgs => {
  const words: string[] = [];
  const flags: Record<string, string[]> = {};
  const rest = [...raw];
  while (rest.length > 0) {
    const next = rest.shift() ?? "";
    if (!next.startsWith("--")) {
      words.push(next);
      continue;
    }
    const [name = "", inline] = next.slice(2).split(/=(.*)/s);
    const value = inline ?? (switches.includes(name) ? "true" : rest.shift());
    if (value === undefined) throw new UsageFault(`--${name} needs a value`);
    flags[name] = [...(flags[name] ?? []), value];
  }
  return { words, flags };
};

/** The last value of a flag, or null. */
export const flag = (args: CommandArgs, name: string): string | null => args.flags[name]?.at(-1) ?? null;

/** A flag that is a whole number. */
export const numberFlag = (args: CommandArgs, name: string): number | null => {
  const text = flag(args, name);
  if (text === null) return null;
  if (!/^\d+$/.test(text)) throw new UsageFault(`--${name} takes a whole number, not '${text}'`);
  return Number(text);
};

/** The n-th word after the command's name. */
export const word = (args: CommandArgs, index: number, what: string): string => {
  const text = args.words[index];
  if (text === undefined) throw new UsageFault(`${what} is missing`);
  return text;
};

/** Refuses flags that the command does not know. */
export const onlyFlags = (args: CommandArgs, known: readonly string[]): void => {
  const unknown = Object.keys(args.flags).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const guess = nearest(unknown, known);
  throw new UsageFault(`there is no option --${unknown}${guess === null ? "" : `; did you mean --${guess}?`}`);
};

/** What `name` stands for in a list of things; otherwise a fault that names the nearest one, or all of them. */
export const chosen = <T>(choices: Readonly<Record<string, T>>, name: string, what: string): T => {
  const known = Object.keys(choices);
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (choice !== undefined) return choice;
  const guess = nearest(name, known);
  throw new UsageFault(
    `there is no ${what} '${name}'${guess === null ? `: there are ${known.join(", ")}` : `; did you mean '${guess}'?`}`,
  );
};

/** One result: JSON on one line for machines, indented for people. */
export const printData = (io: CommandIo, value: unknown): void => {
  io.out(`${io.json ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`);
};
