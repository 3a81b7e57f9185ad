import type { Command } from "./command.ts";

/** A command as help shows it, and where its code is: loaded when it runs, because each reaches other parts of the product. */
interface Listed extends Omit<Command, "run"> {
  readonly load: () => Promise<Pick<Command, "run">>;
}

const listed: readonly Listed[] = [
  {
    name: "up",
    usage: "",
    summary: "Start everything: index the configured networks and serve; without a configuration, the demo.",
    load: () => import("./up.ts"),
  },
  {
    name: "serve",
    usage: "",
    summary: "Answer callers without reading nodes (another process runs 'assay index').",
    load: () => import("./serve.ts"),
  },
  {
    name: "index",
    usage: "[--network N] [--from BLOCK] [--to BLOCK] [--once [--wait SECONDS]]",
    summary:
      "Read nodes into the facts store without answering callers; beside another indexer of a network, fill its history with it.",
    load: () => import("./index_blocks.ts"),
  },
  {
    name: "status",
    usage: "",
    summary: "Show whether the service is ready, how far each network is indexed and, on its own machine, by whom.",
    load: () => import("./status.ts"),
  },
  {
    name: "call",
    usage: "<tool> key=value… [--columns A,B] [--csv] [--url URL] [--key KEY] [--idempotency-key K] [--svg FILE]",
    summary: "Run one tool over HTTP; it is charged like any call.",
    load: () => import("./call.ts"),
  },
  {
    name: "tools",
    usage: "[name]",
    summary: "List the tools and their prices, or show one card.",
    load: () => import("./tools.ts"),
  },
  {
    name: "account",
    usage:
      "create NAME [--plan PLAN] | list | show ACCOUNT | plan ACCOUNT PLAN | grant ACCOUNT CREDITS\n" +
      "       | usage ACCOUNT --month YYYY-MM [--csv] | usage ACCOUNT --from DAY --to DAY [--by day,key_id,tool,outcome] [--csv]\n" +
      "       (ACCOUNT is an id or a name; plan custom takes --credits N --keys N --calls-per-minute N)",
    summary: "Accounts: make one, see its credits and its usage, change its plan, grant credits for this month.",
    load: () => import("./account.ts"),
  },
  {
    name: "accounts",
    usage: "migrate --from sqlite --to postgres [--url URL] | reopen",
    summary: "Move the accounts into PostgreSQL without losing a row; reopen the file when a move was given up.",
    load: () => import("./accounts.ts"),
  },
  {
    name: "key",
    usage:
      "create --account ID-OR-NAME --scope api:call|mcp:call|usage:read|keys:manage|watch:read|watch:manage [--scope …] [--limit N] [--secret] | list [--account ID] | revoke ID | limit ID N|plan | rotate ID [--grace SECONDS]",
    summary: "Keys: make one (its secret is shown once), list, revoke, limit, replace the secret.",
    load: () => import("./key.ts"),
  },
  {
    name: "user",
    usage:
      "link --account ID-OR-NAME [--operator] [--role ROLE] [--name NAME] | list [--account ID]\n" +
      "       role ID viewer|caller|watcher|key_manager|owner [--new-owner ID] | remove ID [--new-owner ID]\n" +
      "       (link --operator alone: somebody who calls no tools)",
    summary: "People who sign in: a link by which somebody chooses a password once, the list, the end of one.",
    load: () => import("./user.ts"),
  },
  {
    name: "prices",
    usage: "list | set TOOL N|null",
    summary: "Prices: list them, or set one over the tool's own (null = temporarily unavailable).",
    load: () => import("./prices.ts"),
  },
  {
    name: "allowlist",
    usage: "list | publish TOOL | hide TOOL",
    summary: "Which tools are public; a hidden one is answered like one that does not exist.",
    load: () => import("./allowlist.ts"),
  },
  {
    name: "audit",
    usage: "[--limit N] [--before SEQ]",
    summary: "The audit trail, newest first: who changed what, when, from what to what.",
    load: () => import("./audit.ts"),
  },
  {
    name: "network",
    usage:
      "list | add ID --rpc URL [--rpc URL] [--from-block N] [--new [--native SYMBOL]] [--unasked [--chain-id N]]\n" +
      "       | set ID [--rpc URL…] [--from-block N] [name=value…] | remove ID [--facts --yes] | reset ID [--from-block N] --yes",
    summary: "Networks of the configuration file: add, change, remove or index anew, also while a service runs.",
    load: () => import("./network.ts"),
  },
  {
    name: "labels",
    usage:
      "import FILE --format FORMAT --list NAME [--network ID|evm]… [--licence TEXT] [--origin TEXT] | fetch NAME…|--all [--from FILE|URL] [--accept-smaller] | lists | remove LIST | score FILE --format FORMAT [--network ID|evm]… | suppress ADDRESS [--reason TEXT] | unsuppress ADDRESS",
    summary:
      "Import label, sanctions and token lists, fetch published ones, list or remove them, score derived labels, and hide an address's personal records.",
    load: () => import("./labels.ts"),
  },
  {
    name: "doctor",
    usage: "[--seconds N] [--quick]",
    summary: "Measure every configured node: what it serves, its pace, which tools are full, what an index costs.",
    load: () => import("./doctor.ts"),
  },
  {
    name: "config",
    usage: "check",
    summary: "Read the configuration and print each value with its origin.",
    load: () => import("./config.ts"),
  },
  {
    name: "facts",
    usage: "verify [--network N] [--repair] | gaps [--network N] | skip NETWORK BLOCK | retry NETWORK BLOCK",
    summary:
      "Compare record, ledgers, places and balances with each other, and mend what differs; list recorded gaps, give a refused block up, or ask for it again.",
    load: () => import("./facts.ts"),
  },
  {
    name: "ledger",
    usage: "verify",
    summary: "Check the credit ledger: every invariant, the audit trail, and that the service reads the same store.",
    load: () => import("./ledger.ts"),
  },
  {
    name: "mcp",
    usage: "[--setup] [--url URL] [--key KEY]",
    summary: "Show how assistants are set up for MCP; started by one, pass its messages on to the service.",
    load: () => import("./mcp.ts"),
  },
  {
    name: "backup",
    usage: "FOLDER",
    summary: "Copy both stores into a new folder while the service runs.",
    load: () => import("./backup.ts"),
  },
  {
    name: "restore",
    usage: "FOLDER",
    summary: "Put a backup into the empty data folder of the configuration, and check it.",
    load: () => import("./restore.ts"),
  },
  {
    name: "docs",
    usage: "FOLDER",
    summary:
      "Write the documentation as files that a browser reads without a service; a running one serves it at /docs.",
    load: () => import("./docs.ts"),
  },
  {
    name: "case",
    usage: "show FILE | verify FILE [--url URL] [--key KEY] [--yes] | export FILE --html OUT",
    summary: "Case files: show one, ask its results again and compare them, make one page of it.",
    load: () => import("./case.ts"),
  },
  {
    name: "completion",
    usage: "",
    summary: "Print a completion script for bash and zsh.",
    load: async () => (await import("./completion.ts")).completionOf(listed.map(({ name }) => name)),
  },
];

/** Every command, in the order of help. */
export const commands: readonly Command[] = listed.map(({ load, ...command }) => ({
  ...command,
  run: async (args, io) => (await load()).run(args, io),
}));
