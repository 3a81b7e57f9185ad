import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AssayError, messageOf } from "../lib/errors.ts";
import { nearest } from "../lib/nearest.ts";
import { type CommandArgs, type CommandIo, flag } from "./command.ts";

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const fault = (message: string) => new AssayError({ code: "HTTP", message, public: message });

/** A sentence about a tool that the service does not list. */
export const unknownTool = (name: string, tools: readonly { readonly name: string }[]): string => {
  const guess = nearest(
    name,
    tools.map((tool) => tool.name),
  );
  return `there is no tool '${name}'${guess === null ? ": 'assay tools' lists them" : `; did you mean '${guess}'?`}`;
};

/** Where the service listens: `--url`, ASSAY_URL, what the running service noted, or the configured address. */
export const serviceUrl = (args: CommandArgs, io: CommandIo): string => {
  const given = flag(args, "url") ?? io.env.ASSAY_URL;
  if (given !== undefined) return given.replace(/\/$/, "");
  const { settings, data_dir } = io.settings();
  try {
    return readFileSync(join(data_dir, "url"), "utf8").trim();
  } catch {
    return `http://${settings.listen}`;
  }
};

/** How long a service may take to say that it lives. */
const LIVES_WITHIN_MS = 3_000;

/** Where a service that lives has noted its address in the data folder; null when none did. */
export const notedService = async (io: CommandIo): Promise<string | null> => {
  const noted = join(io.settings().data_dir, "url");
  if (!existsSync(noted)) return null;
  const url = readFileSync(noted, "utf8").trim();
  try {
    const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LIVES_WITHIN_MS) });
    return ok ? url : null;
  } catch {
    return null; // one that was killed leaves its note behind
  }
};

/** The key: `--key`, ASSAY_KEY, or the demo's. */
export const callerKey = (args: CommandArgs, io: CommandIo): string => {
  const given = flag(args, "key") ?? io.env.ASSAY_KEY;
  if (given !== undefined) return given;
  const path = join(io.settings().data_dir, "demo.key");
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw fault(
      "there is no key: give --key, set ASSAY_KEY, or make one: 'assay account create me --plan pro', then 'assay key create --account me --scope api:call'",
    );
  }
};

/** One request to the service, with the body read as JSON. Throws when nothing answers at `url`. */
export const sendRequest = async (
  url: string,
  request: RequestInit & { readonly signal: AbortSignal },
): Promise<HttpResponse> => {
  let response: Response;
  try {
    response = await fetch(url, request);
  } catch (error) {
    request.signal.throwIfAborted();
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw fault(
      `nothing answers at ${new URL(url).origin} (${messageOf(cause)}): start the service with 'assay up', or name another one with --url`,
    );
  }
  const text = await response.text();
  try {
    return { status: response.status, headers: response.headers, body: JSON.parse(text) };
  } catch {
    throw fault(`${url} answered ${response.status} with something that is not JSON`);
  }
};
