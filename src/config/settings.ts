import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { FileFault, readBoundedFile } from "../lib/bounded_file.ts";
import { AssayError } from "../lib/errors.ts";
import { DOCUMENT_BOUNDS, JsonFault, readJson } from "../lib/json_bounds.ts";
import { nearest } from "../lib/nearest.ts";
import { accountsSettings } from "./accounts.ts";
import { isTree, overlayEnvironment, type Tree } from "./environment.ts";
import { factsSettings, ofOtherEngine } from "./facts.ts";
import { labelPackSettings } from "./label_pack.ts";
import { mcpSettings } from "./mcp.ts";
import { address, freezableCoin, stablecoin, venue } from "./network_parts.ts";
import { operatorSettings } from "./operator.ts";
import { pricesSettings } from "./prices.ts";
import { fillInHeaders, nodesNamedIn, rpcSetting } from "./rpc.ts";
import { operatorsStayHere, signInSettings } from "./sign_in.ts";
import { telemetrySettings } from "./telemetry.ts";
import { watchSettings } from "./watch.ts";
import { webSettings } from "./web.ts";

const networkEntry = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .meta({ description: "`false`: neither indexed nor answered; what is stored of it stays." }),
  rpc: rpcSetting,
  from_block: z.int().min(0).default(0).meta({ description: "First block to index." }),
  family: z
    .enum(["evm", "tron"])
    .optional()
    .meta({ description: "Only for a network that is not in the list of known ones; `evm` when left out." }),
  chain_id: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "Only for a network that is not in the list of known ones." }),
  native: z
    .strictObject({ symbol: z.string(), decimals: z.int().min(0).max(36) })
    .optional()
    .meta({ description: "Native coin of a network that is not in the list of known ones." }),
  wrapped_native: address.optional().meta({ description: "Wrapped native coin." }),
  stablecoins: z.array(stablecoin).optional().meta({ description: "Replaces the known stablecoins of the network." }),
  freezes: z
    .array(freezableCoin)
    .optional()
    .meta({ description: "Further coins that an issuer can freeze; one of a known contract replaces it." }),
  venues: z.array(venue).default([]).meta({ description: "Further exchanges of a known contract family." }),
  multicall: address.optional().meta({ description: "Multicall3 contract." }),
  ens: z.strictObject({ registry: address }).optional().meta({ description: "ENS registry of the network." }),
  finality_blocks: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: "Blocks until a block is final, for nodes without a `finalized` tag." }),
  poll_ms: z
    .int()
    .min(50)
    .max(600_000)
    .default(1_000)
    .meta({ description: "Pause between two looks at the node's head, milliseconds." }),
  verify: z.enum(["full", "header"]).default("full").meta({
    description:
      "`full`: recompute what a block's hash commits to; `header`: compare the links between blocks and believe the rest; a block is then refused only where no facts can be stored (docs/threat_model.md).",
  }),
  agree: z.int().min(1).max(16).default(1).meta({
    description:
      "How many of the nodes in `rpc` must say the same of what no block commits to; 1: the word of one node is taken.",
  }),
  votes: z.enum(["summed", "singly"]).default("summed").meta({
    description:
      "Solana. `summed`: of votes that did nothing else, their number and fees per block and validator are kept; `singly`: each as a transaction, some 60 % of all.",
  }),
  openings: z.enum(["read", "skip"]).optional().meta({
    description:
      "`read`: ask the node for what each address held before from_block (archive node; one call per address and token). Left out: `read` for an EVM network that is not known by name, whose genesis block may hand out coins, `skip` for any other.",
  }),
});

/** An address that stands there twice is one node. */
const network = networkEntry.refine(({ rpc, agree }) => agree <= nodesNamedIn(rpc), {
  path: ["agree"],
  error: "more nodes must agree than rpc names",
});

/** Every setting, with its default, unit and a sentence. `docs/configuration.md` is made from it. */
const everySetting = z.strictObject({
  listen: z
    .string()
    .default("127.0.0.1:8787")
    .meta({ description: "Address and port of the public surface; port 0 picks a free one." }),
  data_dir: z
    .string()
    .default(".assay")
    .meta({ description: "Where both stores live, relative to the configuration file." }),
  log_level: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("warn")
    .meta({ description: "Log lines on stderr from this level." }),
  log_format: z
    .enum(["plain", "json"])
    .default("plain")
    .meta({ description: "`plain`: lines for people; `json`: an object per line, for collectors of logs." }),
  request_log: z.boolean().default(true).meta({
    description:
      "Whether each request is a log line of level `info`: id, method, route, status, tool, account, credits, network, milliseconds.",
  }),
  facts: factsSettings,
  ...accountsSettings,
  operator: operatorSettings,
  sign_in: signInSettings,
  web: webSettings,
  prices: pricesSettings,
  watch: watchSettings,
  mcp: mcpSettings,
  telemetry: telemetrySettings,
  call_timeout_ms: z.int().min(1_000).max(120_000).default(30_000).meta({
    description: "Deadline of a call, milliseconds from the arrival of its request: waiting, run and answer together.",
  }),
  rpc_timeout_ms: z
    .int()
    .min(500)
    .max(120_000)
    .default(10_000)
    .meta({ description: "Deadline of one request to a node, milliseconds." }),
  index_lease_ms: z.int().min(500).max(600_000).default(15_000).meta({
    description:
      "How long an indexer that is not heard of keeps its network before another one takes it over, milliseconds.",
  }),
  body_bytes_max: z
    .int()
    .min(1_024)
    .max(16_777_216)
    .default(65_536)
    .meta({ description: "Largest request body, bytes." }),
  concurrent_calls_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .meta({ description: "Calls that run at once; more are answered 503." }),
  account_share_percent: z.int().min(1).max(100).default(25).meta({
    description:
      "Part of `concurrent_calls_max` and of `waiting_bytes_max` that one account may take with all its keys, percent; one call at least.",
  }),
  waiting_bytes_max: z.int().min(1_048_576).max(17_179_869_184).default(134_217_728).meta({
    description: "Bodies that are arriving and answers that clients have not taken yet, bytes of all connections.",
  }),
  standing_facts_bytes_max: z.int().min(0).max(17_179_869_184).default(67_108_864).meta({
    description:
      "Memory of each answering process for facts that hardly ever change (labels, tokens, pools, contracts, prices of past hours), bytes; 0: they are read for each call.",
  }),
  recent_answers_bytes_max: z.int().min(0).max(17_179_869_184).default(33_554_432).meta({
    description:
      "Memory of each answering process for what was read of the newest blocks, until another block is written, bytes; 0: it is read for each call.",
  }),
  sanctions_max_age_hours: z.int().min(1).default(168).meta({
    description:
      "Oldest sanctions list that checks stand on, hours since `assay labels import` last read it; beyond it they fail.",
  }),
  label_pack: labelPackSettings,
  sources: z
    .strictObject({
      folder: z
        .string()
        .nullable()
        .default(null)
        .meta({ description: "Folder of verified sources, as a Sourcify repository has them; null = none." }),
      sourcify: z
        .url()
        .default("https://sourcify.dev/server")
        .meta({ description: "Sourcify server that is asked while outbound web is allowed." }),
    })
    .prefault({})
    .meta({ description: "Where verified sources of contracts come from." }),
  networks: z
    .record(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/), network)
    .default({})
    .meta({ description: "Enabled networks." }),
});

export const settings = everySetting.refine(operatorsStayHere, {
  path: ["sign_in", "operators"],
  error:
    "operators' pages would be reached from beyond this machine: listen on 127.0.0.1, or set operator.allow_remote to true",
});

export type Settings = z.output<typeof settings>;
export type NetworkSettings = Settings["networks"][string];

export interface LoadedSettings {
  readonly settings: Settings;
  /** Where each top-level value came from: `default`, the file's path, or the environment variable's name. */
  readonly origins: Readonly<Record<string, string>>;
  /** Null when no configuration file was found. */
  readonly file: string | null;
  /** Where the configuration file is, or would be read from if it were there. */
  readonly place: string;
  /** Absolute. */
  readonly data_dir: string;
}

const FILE_NAME = "assay.config.json";

const refuse = (message: string) => new AssayError({ code: "CONFIG", message, public: message });

const readFile = (path: string): Tree => {
  let value: unknown;
  try {
    value = readJson(readBoundedFile(path, DOCUMENT_BOUNDS.length_max), DOCUMENT_BOUNDS);
  } catch (error) {
    const is_of_the_file = error instanceof JsonFault || error instanceof FileFault;
    throw is_of_the_file ? refuse(`${path} ${error.message.replace(/^it /, "")}`) : error;
  }
  if (!isTree(value)) throw refuse(`${path} must hold a JSON object`);
  return value;
};

const explain = (issue: z.core.$ZodIssue): string => {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return `${path.join(".") || "configuration"}: ${issue.message}`;
  const known =
    issue.path.length === 0
      ? Object.keys(settings.shape)
      : path[0] === "networks"
        ? Object.keys(networkEntry.shape)
        : [];
  return issue.keys
    .map((key) => {
      const guess = nearest(key, known);
      const other = ofOtherEngine([...path, key].join("."));
      if (other !== null) return other;
      return `unknown setting '${[...path, key].join(".")}'${guess === null ? "" : `; did you mean '${guess}'?`}`;
    })
    .join("; ");
};

/**
 * Settings from file and environment. Without `--config`, `assay.config.json` in the working folder is used if it is
 * there. Throws `AssayError` CONFIG with a sentence per fault.
 */
export const loadSettings = (where: {
  readonly config: string | null;
  readonly cwd: string;
  /** What `data_dir` is relative to without a file. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}): LoadedSettings => {
  const candidate = where.config === null ? join(where.cwd, FILE_NAME) : resolve(where.cwd, where.config);
  const file = where.config !== null || existsSync(candidate) ? candidate : null;
  if (file !== null && !existsSync(file)) throw refuse(`there is no configuration file ${file}`);
  const tree = file === null ? {} : readFile(file);
  const origins: Record<string, string> = {};
  for (const name of Object.keys(settings.shape)) origins[name] = name in tree && file !== null ? file : "default";
  overlayEnvironment(tree, where.env, origins);
  const root = file === null ? where.home : dirname(file);
  fillInHeaders(tree, root, where.env);
  const parsed = settings.safeParse(tree);
  if (!parsed.success) throw refuse(parsed.error.issues.map(explain).join("\n"));
  const data_dir = isAbsolute(parsed.data.data_dir) ? parsed.data.data_dir : join(root, parsed.data.data_dir);
  return { settings: parsed.data, origins, file, place: candidate, data_dir };
};
