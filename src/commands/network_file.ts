/** Entries of networks in the configuration file, and whether a running service has taken them. */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { type LoadedSettings, settings } from "../config/settings.ts";
import { AssayError } from "../lib/errors.ts";
import { pause } from "../lib/pause.ts";
import type { CommandIo } from "./command.ts";
import { notedService } from "./http.ts";

export type ConfigurationEntry = Record<string, unknown>;

export const refuse = (message: string) => new AssayError({ code: "CONFIG", message, public: message });

interface ConfigurationTree {
  networks?: Record<string, ConfigurationEntry>;
}

/** The raw file; an empty object without one. It was just read as settings, so it is a JSON object. */
const readTree = ({ file }: LoadedSettings): ConfigurationTree =>
  file === null ? {} : (JSON.parse(readFileSync(file, "utf8")) as ConfigurationTree);

/** A network's entry of the file. @throws AssayError CONFIG where it has none */
export const entryOf = (loaded: LoadedSettings, id: string): ConfigurationEntry => {
  const entry = readTree(loaded).networks?.[id];
  if (entry !== undefined) return entry;
  const is_elsewhere = Object.hasOwn(loaded.settings.networks, id);
  throw refuse(
    is_elsewhere
      ? `${id} is configured by ${loaded.origins.networks ?? "the environment"}, not in ${loaded.place}: change it there, and restart`
      : `${id} is not configured in ${loaded.place}: 'assay network list' shows what is`,
  );
};

/**
 * Changes one entry of the file and keeps everything else in it; null takes the entry out. The file is replaced as a whole: a service that
 * reads it meanwhile finds the old one or the new one. Returns the file's path.
 * @throws AssayError CONFIG, and nothing is written, where the result is no configuration
 */
export const changeEntry = (
  loaded: LoadedSettings,
  id: string,
  change: (entry: ConfigurationEntry | undefined) => ConfigurationEntry | null,
): string => {
  const tree = readTree(loaded);
  const { [id]: before, ...others } = tree.networks ?? {};
  const entry = change(before);
  const networks: Record<string, ConfigurationEntry> = { ...tree.networks };
  if (entry !== null) networks[id] = entry;
  const next = { ...tree, networks: entry === null ? others : networks };
  const parsed = settings.safeParse(next);
  if (!parsed.success) throw refuse(`Nothing was written. ${z.prettifyError(parsed.error)}`);
  const mode = loaded.file === null ? 0o600 : statSync(loaded.file).mode & 0o777;
  writeFileSync(`${loaded.place}.new`, `${JSON.stringify(next, null, 2)}\n`, { mode });
  renameSync(`${loaded.place}.new`, loaded.place);
  return loaded.place;
};

/** How long a running service is given to take a change. */
const TAKEN_WITHIN_MS = 15_000;
const ASK_EVERY_MS = 200;

type EntryState = "there" | "gone" | "off";

const isSo = async (url: string, { id, is }: { readonly id: string; readonly is: EntryState }): Promise<boolean> => {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TAKEN_WITHIN_MS) });
  const body = (await response.json()) as { checks?: { networks?: Record<string, { state?: string }> } };
  const shown = body.checks?.networks?.[id];
  if (is === "gone") return shown === undefined;
  return shown !== undefined && (shown.state === "absent") === (is === "off");
};

/** Waits until the service that runs on this data folder shows the change, and says on stderr how it went. False: it does not show it. */
export const awaitService = async (
  io: CommandIo,
  change: { readonly id: string; readonly is: EntryState },
): Promise<boolean> => {
  const url = await notedService(io);
  if (url === null) return true;
  const until = performance.now() + TAKEN_WITHIN_MS;
  while (!io.signal.aborted && performance.now() < until) {
    if (await isSo(url, change)) {
      io.err(`the service at ${url} has taken the change\n`);
      return true;
    }
    await pause(ASK_EVERY_MS, io.signal);
  }
  io.err(
    `the service at ${url} does not show the change: it was started with another configuration, or must be restarted\n`,
  );
  return false;
};
