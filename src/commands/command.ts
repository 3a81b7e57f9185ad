import { parseArgs as parseTokens } from "node:util";
import type { LoadedSettings } from "../config/settings.ts";
import { nearest } from "../lib/nearest.ts";

/** Exit codes of every command (docs/operating/command-line.md). */
export const EXIT = { ok: 0, error: 1, usage: 2, no_data: 3, auth: 4, refused: 5 } as const;

/** Input and output of a command. Data goes to `out` (stdout), text for people to `err` (stderr). */
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

/** A flag of a command, as the parser, help and completion know it. */
export interface CommandFlag {
  readonly name: string;
  /** The placeholder of its value in help. A flag without one is a switch. */
  readonly value?: string;
  /** A sentence. */
  readonly summary: string;
  /** The actions (first word of the arguments) that take it; without this, all of them. */
  readonly actions?: readonly string[];
}

export interface Command {
  readonly name: string;
  /** Arguments as shown in help, without the command's name. */
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly CommandFlag[];
  /** The words that may come first, where they choose between actions. */
  readonly actions?: readonly string[];
  /** A whole line. */
  readonly example: string;
  /** It opens stores of its own on this machine, whose engines must be installed before its code can be loaded. */
  readonly needs_engines?: boolean;
  /** Help on these words of its arguments, such as a tool's name; null: help on the command. @throws UsageFault */
  readonly helpOn?: (words: readonly string[]) => Promise<string | null>;
  readonly run: (args: CommandArgs, io: CommandIo) => Promise<number>;
}

/** Arguments after the command's name: words, and flags as `--name value` or `--name`. */
export interface CommandArgs {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, readonly string[]>>;
}

/** The command was written wrongly: exit 2 with this sentence and the usage line. */
export class UsageFault extends Error {}

/** The flags of every command. */
export const COMMON_FLAGS: readonly CommandFlag[] = [
  {
    name: "config",
    value: "FILE",
    summary: "Read this configuration file instead of assay.config.json of the working folder.",
  },
  { name: "json", summary: "Print JSON, on a terminal too." },
  { name: "help", summary: "Show this help; -h is the same." },
];

/** A flag that the command does not take: exit 2 with this one sentence. */
export class FlagFault extends UsageFault {}

type DeclaredCommand = Pick<Command, "name" | "flags" | "actions">;

/** Flags that a command takes with these words. Words that choose no action are for the command itself to refuse. */
const flagsWith = ({ flags, actions = [] }: DeclaredCommand, words: readonly string[]): readonly CommandFlag[] => {
  const [action = ""] = words;
  const is_chosen = actions.includes(action);
  return [...flags, ...COMMON_FLAGS].filter((one) => !is_chosen || one.actions?.includes(action) !== false);
};

const unknownFlag = (command: DeclaredCommand, name: string, words: readonly string[]): FlagFault => {
  if (command.flags.some((one) => one.name === name))
    return new FlagFault(`'${command.name} ${words[0]}' takes no --${name}`);
  const guess = nearest(
    name,
    flagsWith(command, words).map((one) => one.name),
  );
  const advice = guess === null ? `: 'assay ${command.name} --help' lists them` : `; did you mean --${guess}?`;
  return new FlagFault(`there is no option --${name}${advice}`);
};

/** Splits the arguments of a command into words and flags. @throws UsageFault */
export const parseArgs = (command: DeclaredCommand, raw: readonly string[]): CommandArgs => {
  const known = [...command.flags, ...COMMON_FLAGS];
  const options = Object.fromEntries(
    known.map(({ name, value }) => [name, { type: value === undefined ? ("boolean" as const) : ("string" as const) }]),
  );
  const config = { args: [...raw], options, strict: false, allowPositionals: true, tokens: true } as const;
  const { tokens, positionals: words } = parseTokens(config);
  const taken = flagsWith(command, words);
  const flags: Record<string, string[]> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, value, rawName, inlineValue } = token;
    if (!rawName.startsWith("--")) throw new FlagFault(`there is no option ${rawName}: options begin with --`);
    const found = taken.find((one) => one.name === name);
    if (found === undefined) throw unknownFlag(command, name, words);
    if (found.value === undefined && value !== undefined) throw new FlagFault(`--${name} takes no value`);
    const is_next_flag = inlineValue === false && known.some((one) => value === `--${one.name}`);
    if (found.value !== undefined && (value === undefined || is_next_flag))
      throw new FlagFault(`--${name} needs a value: --${name} ${found.value}`);
    flags[name] = [...(flags[name] ?? []), value ?? "true"];
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

/** The entry called `name`; otherwise a fault that names the nearest one, or all of them. */
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
