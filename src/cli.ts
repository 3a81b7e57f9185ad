#!/usr/bin/env node
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, type CommandIo, EXIT, flag, parseArgs, UsageFault } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { enginesText, missingEngines } from "./commands/needed_packages.ts";
import { programVersion } from "./commands/version.ts";
import { loadSettings } from "./config/settings.ts";
import { AssayError, messageOf } from "./lib/errors.ts";
import { nearest } from "./lib/nearest.ts";
import { keepPrivate } from "./lib/private_folder.ts";

/** Flags without a value. */
const SWITCHES = [
  "json",
  "help",
  "version",
  "once",
  "repair",
  "csv",
  "secret",
  "setup",
  "unasked",
  "all",
  "accept-smaller",
  "operator",
  "makes-keys",
  "yes",
  "quick",
  "new",
  "facts",
];

/** Commands that open stores of their own on this machine, and load their engines before they run. */
const WITH_ENGINES = ["up", "serve", "index"];

// This file lies in dist/src when it runs, and in src when it is read.
const here = dirname(fileURLToPath(import.meta.url));
const checkout = join(here, here.endsWith(join("dist", "src")) ? "../.." : "..");

// Installed as a package, it keeps nothing among the packages: its data lie where it is called.
const home = checkout.split(sep).includes("node_modules") ? process.cwd() : checkout;

const version = (): string => programVersion(checkout);

const help = (): string =>
  [
    `assay ${version()}: blockchain analysis from your own nodes`,
    "",
    ...commands.map((command) => `  assay ${command.name.padEnd(10)} ${command.summary}`),
    "",
    "Every command takes --config FILE and --json. 'assay COMMAND --help' shows its arguments.",
    "",
  ].join("\n");

const usageOf = (command: Command): string => `usage: assay ${command.name} ${command.usage}\n${command.summary}\n`;

const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXIT.error); // asked twice: now
      stop.abort();
    });
  }
  return stop.signal;
};

const openIo = (raw: readonly string[]): CommandIo => {
  const args = parseArgs(raw, SWITCHES);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    json: args.flags.json !== undefined || !process.stdout.isTTY,
    tty: process.stderr.isTTY === true,
    env: process.env,
    checkout,
    settings: () => loadSettings({ config: flag(args, "config"), cwd: process.cwd(), home, env: process.env }),
    signal: stopSignal(),
  };
};

const main = async (argv: readonly string[]): Promise<number> => {
  const [name = "--help", ...raw] = argv;
  if (name === "--version") {
    process.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  if (name === "--help" || name === "help") {
    process.stdout.write(help());
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
        ? `assay: there is no command '${name}'\n${help()}`
        : `assay: there is no command '${name}'; did you mean '${guess}'? ('assay --help' shows all)\n`,
    );
    return EXIT.usage;
  }
  try {
    const args = parseArgs(raw, SWITCHES);
    if (args.flags.help !== undefined) {
      process.stdout.write(usageOf(command));
      return EXIT.ok;
    }
    const missing = WITH_ENGINES.includes(command.name) ? missingEngines(checkout) : [];
    if (missing.length > 0) {
      process.stderr.write(enginesText(missing));
      return EXIT.error;
    }
    return await command.run(args, openIo(raw));
  } catch (error) {
    if (error instanceof UsageFault) {
      process.stderr.write(`assay: ${error.message}\n${usageOf(command)}`);
      return EXIT.usage;
    }
    process.stderr.write(
      `assay: ${error instanceof AssayError ? error.message : `${messageOf(error)}\n${error instanceof Error ? error.stack : ""}`}\n`,
    );
    return EXIT.error;
  }
};

/** Whoever read the output may leave before its end (`assay tools | head`): that is no fault, and nobody is told. */
const mayLeave = (stream: NodeJS.WriteStream): void => {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
};

keepPrivate();
mayLeave(process.stdout);
mayLeave(process.stderr);
process.exitCode = await main(process.argv.slice(2));
