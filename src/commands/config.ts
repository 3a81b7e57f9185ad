import { maskUrl } from "../lib/log.ts";
import { type CommandArgs, type CommandIo, EXIT, printData, UsageFault } from "./command.ts";

/** Settings whose values are never shown. */
const SECRETS = ["pepper", "previous_peppers", "password", "token", "tokens"];

/** Settings as they may be shown: node addresses without paths, secrets as `[secret]`. */
const redacted = (value: unknown, name: string): unknown => {
  if (SECRETS.includes(name)) return "[secret]";
  if (name === "rpc" && Array.isArray(value))
    return value.map((node) => (typeof node === "string" ? maskUrl(node) : redacted(node, "")));
  if (name === "headers" && typeof value === "object" && value !== null)
    return Object.fromEntries(Object.keys(value).map((key) => [key, "[secret]"]));
  if (["url", "redis_url", "otlp_url"].includes(name) && typeof value === "string") return maskUrl(value);
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, ""));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redacted(entry, key)]));
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  if (args.words[0] !== "check") throw new UsageFault("only 'config check' exists");
  const loaded = io.settings();
  const rows = Object.entries(loaded.settings).map(([name, value]) => ({
    name,
    value: redacted(value, name),
    origin: loaded.origins[name] ?? "default",
  }));
  if (io.json) {
    printData(io, { file: loaded.file, data_dir: loaded.data_dir, settings: rows });
    return EXIT.ok;
  }
  io.err(`configuration file: ${loaded.file ?? "none (demo)"}\ndata_dir: ${loaded.data_dir}\n`);
  for (const { name, value, origin } of rows) io.out(`${name.padEnd(22)} ${JSON.stringify(value)}  (${origin})\n`);
  return EXIT.ok;
};
