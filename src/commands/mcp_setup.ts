import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CommandArgs, type CommandIo, flag } from "./command.ts";
import { serviceUrl } from "./http.ts";

/** How to configure an assistant to start the bridge. */
interface Setup {
  readonly client: string;
  /** `run`: a line for a shell. `file`: the content of a file. */
  readonly kind: "run" | "file";
  /** The file; null of a line. */
  readonly where: string | null;
  readonly text: string;
}

/** A program with its arguments and environment, as every client wants to know it. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Placeholder for the key: a secret is not printed. */
const KEY = "KEY";

const programOf = (args: CommandArgs, io: CommandIo): Program => {
  const { file, data_dir } = io.settings();
  const url = flag(args, "url") ?? io.env.ASSAY_URL;
  // Without a key in the environment the bridge takes the demo's.
  const has_own_key = (flag(args, "key") ?? io.env.ASSAY_KEY) === undefined && existsSync(join(data_dir, "demo.key"));
  const tools = flag(args, "tools");
  const started = join(io.checkout, "assay");
  const [command, ...first] = existsSync(started)
    ? [started]
    : [process.execPath, join(io.checkout, "dist/bundle/cli.js")];
  return {
    command,
    args: [
      ...first,
      "mcp",
      ...(tools === null ? [] : ["--tools", tools]),
      ...(file === null ? [] : ["--config", file]),
    ],
    env: { ...(url !== undefined && { ASSAY_URL: url }), ...(!has_own_key && { ASSAY_KEY: KEY }) },
  };
};

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const setups = ({ command, args, env }: Program): readonly Setup[] => {
  const given = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const started = [command, ...args];
  const line = (...words: readonly string[]): string => words.map(quoted).join(" ");
  const entry = { command, args, ...(Object.keys(env).length > 0 && { env }) };
  const servers = JSON.stringify({ mcpServers: { assay: entry } }, null, 2);
  return [
    {
      client: "Claude Code",
      kind: "run",
      where: null,
      text: line("claude", "mcp", "add", "assay", ...given, "--", ...started),
    },
    { client: "Claude Desktop", kind: "file", where: "claude_desktop_config.json", text: servers },
    { client: "Cursor", kind: "file", where: "~/.cursor/mcp.json", text: servers },
    {
      client: "VS Code",
      kind: "run",
      where: null,
      text: line("code", "--add-mcp", JSON.stringify({ name: "assay", ...entry })),
    },
    {
      client: "Codex",
      kind: "run",
      where: null,
      text: line("codex", "mcp", "add", "assay", ...given, "--", ...started),
    },
  ];
};

const formatSetup = ({ client, where, text }: Setup): string =>
  `${client}${where === null ? "" : `, in ${where}`}\n${text.replace(/^/gm, "  ")}\n`;

/** Setup lines for common assistants; with `--json` as data. They contain no secret. */
export const setupText = (args: CommandArgs, io: CommandIo): string => {
  const program = programOf(args, io);
  const lines = setups(program);
  if (args.flags.json !== undefined) return `${JSON.stringify(lines)}\n`;
  const key =
    program.env.ASSAY_KEY === undefined
      ? "The key is the demo's, which the bridge reads by itself."
      : `Put a key with scope mcp:call in the place of ${KEY} ('assay key create --scope mcp:call').`;
  const far = `Without this program: ${serviceUrl(args, io)}/mcp over Streamable HTTP, header 'Authorization: Bearer ${KEY}'.`;
  return `${lines.map(formatSetup).join("\n")}\n${key}\n${far}\n`;
};
