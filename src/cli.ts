#!/usr/bin/env node
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Command,
  type CommandArgs,
  type CommandIo,
  EXIT,
  FlagFault,
  flag,
  parseArgs,
  UsageFault,
} from "./commands/command.ts";
import { helpOf, overview, usageOf } from "./commands/help.ts";
import { commands } from "./commands/index.ts";
import { enginesText, missingEngines } from "./commands/needed_packages.ts";
import { programVersion } from "./commands/version.ts";
import { loadSettings } from "./config/settings.ts";
import { AssayError, messageOf } from "./lib/errors.ts";
import { nearest } from "./lib/nearest.ts";
import { restrictAccess } from "./lib/private_folder.ts";

// This file runs from dist/src; its source is in src.
const here = dirname(fileURLToPath(import.meta.url));
const checkout = join(here, here.endsWith(join("dist", "src")) ? "../.." : "..");

// When installed as a package, Assay writes its data to the working directory, never into node_modules.
const home = checkout.split(sep).includes("node_modules") ? process.cwd() : checkout;

const version = (): string => programVersion(checkout);

const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXIT.error); // the second signal exits at once
      stop.abort();
    });
  }
  return stop.signal;
};

const openIo = (args: CommandArgs): CommandIo => ({
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  json: args.flags.json !== undefined || !process.stdout.isTTY,
  tty: process.stderr.isTTY === true,
  env: process.env,
  checkout,
  settings: () => loadSettings({ config: flag(args, "config"), cwd: process.cwd(), home, env: process.env }),
  signal: stopSignal(),
});

/** Help takes precedence over any other fault of the command line. */
const wantsHelp = (raw: readonly string[]): boolean => {
  const end = raw.indexOf("--");
  return (end < 0 ? raw : raw.slice(0, end)).some((text) => text === "--help" || text === "-h");
};

const helpText = async (command: Command, raw: readonly string[]): Promise<string> => {
  const words = raw.filter((text) => !text.startsWith("-"));
  return (await command.helpOn?.(words)) ?? helpOf(command);
};

const runCommand = async (command: Command, raw: readonly string[]): Promise<number> => {
  if (wantsHelp(raw)) {
    process.stdout.write(await helpText(command, raw));
    return EXIT.ok;
  }
  const args = parseArgs(command, raw);
  const missing = command.needs_engines === true ? missingEngines(checkout) : [];
  if (missing.length > 0) {
    process.stderr.write(enginesText(missing));
    return EXIT.error;
  }
  return await command.run(args, openIo(args));
};

/** The exit code; the fault is written to stderr. */
const reportFault = (error: unknown, command: Command): number => {
  if (error instanceof UsageFault) {
    process.stderr.write(`assay: ${error.message}\n${error instanceof FlagFault ? "" : usageOf(command)}`);
    return EXIT.usage;
  }
  process.stderr.write(
    `assay: ${error instanceof AssayError ? error.message : `${messageOf(error)}\n${error instanceof Error ? error.stack : ""}`}\n`,
  );
  return EXIT.error;
};

const main = async (argv: readonly string[]): Promise<number> => {
  const [name = "--help", ...raw] = argv;
  if (name === "--version") {
    process.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview(version(), commands));
    return EXIT.ok;
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    const guess = nearest(
      name,
      commands.map((known) => known.name),
    );
    process.stderr.write(
      guess === null
        ? `assay: there is no command '${name}'\n${overview(version(), commands)}`
        : `assay: there is no command '${name}'; did you mean '${guess}'? ('assay --help' shows all)\n`,
    );
    return EXIT.usage;
  }
  try {
    return await runCommand(command, raw);
  } catch (error) {
    return reportFault(error, command);
  }
};

/** Ignores EPIPE: the reader of the output may exit before its end (`assay tools | head`). */
const mayLeave = (stream: NodeJS.WriteStream): void => {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
};

restrictAccess();
mayLeave(process.stdout);
mayLeave(process.stderr);
process.exitCode = await main(process.argv.slice(2));
