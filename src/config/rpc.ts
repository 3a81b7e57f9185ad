import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { AssayError } from "../lib/errors.ts";
import { isTree, type SettingsTree } from "./environment.ts";

const WEB_SOCKET = /^wss?:/i;

const url = z.string().superRefine((text, context) => {
  const is_http = URL.canParse(text) && /^https?:/i.test(text);
  if (is_http) return;
  const message = WEB_SOCKET.test(text)
    ? "Assay reads nodes over HTTP, not over WebSocket. Use the http(s) address of the same node"
    : "expected an http or https address like http://127.0.0.1:8545";
  context.addIssue({ code: "custom", message });
});

/** Headers that Assay sets itself. */
const OWN_HEADERS: readonly string[] = ["content-type", "content-length", "host", "accept-encoding", "connection"];

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "expected the name of an HTTP header")
  .refine((name) => !OWN_HEADERS.includes(name.toLowerCase()), "Assay sets this header itself");

const headerValue = z.union(
  [
    z.string().regex(/^[\x20-\x7e]{1,8000}$/),
    z.strictObject({ env: z.string() }),
    z.strictObject({ file: z.string() }),
  ],
  { error: 'expected a text, {"env": "NAME"} or {"file": "PATH"}' },
);

const rpcEndpoint = z.strictObject({
  url: url.meta({ description: "Address of the node." }),
  name: z
    .string()
    .regex(/^[\w. -]{1,40}$/)
    .optional()
    .meta({ description: "Name shown beside the host, to distinguish two endpoints of one host." }),
  headers: z.record(headerName, headerValue).optional().meta({
    description:
      'Headers of each request, e.g. `{"x-api-key": {"env": "NODE_KEY"}}`. A value is text, `{"env": NAME}` for an environment variable, or `{"file": PATH}` for the text of a file, relative to the configuration file.',
  }),
  requests_per_second: z.number().min(0.01).max(100_000).optional().meta({
    description:
      "Most requests per second. Default: learned from the node's refusals, as what the node seems to count.",
  }),
  requests_per_day: z.int().min(24).optional().meta({ description: "Most requests per day, spread over the day." }),
  counts: z.enum(["requests", "calls"]).optional().meta({
    description:
      "Unit of the two limits: HTTP requests (the default), or calls, each call of an array for itself, as most providers count.",
  }),
  max_batch: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: "Most calls per request; 1: no JSON-RPC batches." }),
  max_concurrency: z.int().min(1).max(1_000).optional().meta({ description: "Most concurrent requests." }),
});

export const rpcSetting = z
  .array(z.union([url, rpcEndpoint], { error: unionError }))
  .min(1)
  .meta({
    description: "Nodes, each an address or an object with an address. When one fails, Assay uses the next one.",
  });

/** Number of distinct nodes: a repeated address counts once. */
export const nodesNamedIn = (rpc: z.output<typeof rpcSetting>): number =>
  new Set(rpc.map((entry) => (typeof entry === "string" ? entry : entry.url))).size;

/** The fault of the form that was meant. */
function unionError(issue: { readonly input?: unknown; readonly errors?: readonly z.core.$ZodIssue[][] }): string {
  const of_form = issue.errors?.[isTree(issue.input) ? 1 : 0] ?? [];
  const wordsOf = (one: z.core.$ZodIssue): string =>
    one.code === "invalid_key" ? (one.issues[0]?.message ?? one.message) : one.message;
  return of_form.map((one) => [...one.path.map(String), wordsOf(one)].join(": ")).join("; ");
}

const refuse = (message: string) => new AssayError({ code: "CONFIG", message, public: message });

/**
 * Fills in header values from the environment and from files.
 * @throws AssayError CONFIG for a variable that is not set and a file that cannot be read
 */
export const fillInHeaders = (tree: SettingsTree, root: string, env: NodeJS.ProcessEnv): void => {
  if (!isTree(tree.networks)) return;
  for (const [id, network] of Object.entries(tree.networks)) {
    const rpc = isTree(network) && Array.isArray(network.rpc) ? network.rpc : [];
    for (const [i, endpoint] of rpc.entries()) {
      if (!isTree(endpoint) || !isTree(endpoint.headers)) continue;
      for (const [name, value] of Object.entries(endpoint.headers)) {
        const place = `networks.${id}.rpc.${i}.headers.${name}`;
        if (isTree(value)) endpoint.headers[name] = headerTextOf(value, place, { root, env });
      }
    }
  }
};

interface RpcEnvironment {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Other values are left to the validation of all settings. */
const headerTextOf = (value: SettingsTree, place: string, { root, env }: RpcEnvironment): unknown => {
  const [[how, name] = [], ...more] = Object.entries(value);
  if (more.length > 0 || typeof name !== "string") return value;
  if (how === "env") {
    const text = env[name];
    if (text === undefined || text === "") throw refuse(`${place}: the environment variable ${name} is not set`);
    return text;
  }
  if (how !== "file") return value;
  const path = isAbsolute(name) ? name : join(root, name);
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw refuse(`${place}: the file ${path} cannot be read`);
  }
};

interface RpcEntry {
  readonly url: string;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
}

/** An entry as it is after `fillInHeaders`, and its check. */
export const filledIn = <E extends RpcEntry>(
  entry: string | E,
): string | (Omit<E, "headers"> & { headers?: Record<string, string> }) => {
  if (typeof entry === "string") return entry;
  const { headers, ...rest } = entry;
  if (headers === undefined) return rest;
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...rest, headers: Object.fromEntries(texts) };
};
