import { COMMON_FLAGS, type Command, type CommandFlag } from "./command.ts";

/** Columns of a line of help. */
const WIDTH = 100;

/** Breaks a text into lines that start `indent` columns in. */
export const wrapped = (text: string, indent: number): string => {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH - indent) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
};

/** Two columns: a term, and its sentence broken into lines. */
export const termList = (rows: readonly (readonly [term: string, text: string])[]): string => {
  const wide = Math.max(...rows.map(([term]) => term.length)) + 4;
  return rows.map(([term, text]) => `  ${term.padEnd(wide - 2)}${wrapped(text, wide)}\n`).join("");
};

const termOf = ({ name, value }: CommandFlag): string => (value === undefined ? `--${name}` : `--${name} ${value}`);

/** A flag that not every action takes names those that do. */
const flagText = ({ summary, actions }: CommandFlag): string =>
  actions === undefined ? summary : `${summary} (${actions.join(", ")})`;

const flagList = (flags: readonly CommandFlag[]): string =>
  termList(flags.map((flag) => [termOf(flag), flagText(flag)]));

export const usageOf = ({ name, usage, summary }: Command): string =>
  `usage: assay ${name}${usage === "" ? "" : ` ${usage}`}\n${summary}\n`;

/** Usage, every flag with its sentence, and an example. */
export const helpOf = (command: Command): string =>
  [
    usageOf(command),
    ...(command.flags.length === 0 ? [] : [flagList(command.flags)]),
    flagList(COMMON_FLAGS),
    `example: ${command.example}\n`,
  ].join("\n");

export const overview = (version: string, commands: readonly Command[]): string =>
  [
    `assay ${version}: blockchain analysis from your own nodes`,
    "",
    ...commands.map((command) => `  assay ${command.name.padEnd(10)} ${command.summary}`),
    "",
    "Every command takes --config FILE and --json. 'assay COMMAND --help' shows its flags, 'assay call TOOL --help' a tool's parameters.",
    "",
  ].join("\n");
