import type { Command } from "./command.ts";
import { ACCOUNTS } from "./declared/accounts.ts";
import { CALLING } from "./declared/calling.ts";
import type { ListedCommand } from "./declared/listed.ts";
import { RUNNING } from "./declared/running.ts";
import { STORES } from "./declared/stores.ts";

const listed: readonly ListedCommand[] = [
  ...RUNNING.processes,
  ...CALLING.tools,
  ...ACCOUNTS.holders,
  ...ACCOUNTS.catalog,
  ...STORES.sources,
  ...RUNNING.checks,
  ...STORES.facts,
  ...ACCOUNTS.ledger,
  ...CALLING.assistants,
  ...STORES.copies,
  ...CALLING.documents,
  {
    name: "completion",
    usage: "[bash|zsh|fish]",
    summary: "Print a completion script for a shell (default: one that bash and zsh read).",
    actions: ["bash", "zsh", "fish"],
    flags: [],
    example: 'eval "$(assay completion bash)"',
    load: async () => (await import("./completion.ts")).completionOf(commands),
  },
];

/** Every command, in the order of help. */
export const commands: readonly Command[] = listed.map(({ load, ...command }) => ({
  ...command,
  run: async (args, io) => (await load()).run(args, io),
}));

/** @throws Error for a name that no command has */
export const commandNamed = (name: string): Command => {
  const found = commands.find((command) => command.name === name);
  if (found === undefined) throw new Error(`there is no command '${name}'`);
  return found;
};
