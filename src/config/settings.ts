import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { FileFault, readBoundedFile } from "../lib/bounded_file.ts";
import { AssayError } from "../lib/errors.ts";
import { DOCUMENT_BOUNDS, JsonFault, readJson } from "../lib/json_bounds.ts";
import { nearest } from "../lib/nearest.ts";
import { accountsSettings } from "./accounts.ts";
import { answerSettings } from "./answers.ts";
import { caseSettings } from "./cases.ts";
import { isTree, overlayEnvironment, type SettingsTree } from "./environment.ts";
import { factsSettings, ofOtherEngine } from "./facts.ts";
import { labelPackSettings } from "./label_pack.ts";
import { mcpSettings } from "./mcp.ts";
import { address, freezableCoin, stablecoin, venue } from "./network_parts.ts";
import { onDemandSettings } from "./on_demand.ts";
import { operatorSettings } from "./operator.ts";
import { pricesSettings } from "./prices.ts";
import { riskRulesSettings } from "./risk_rules.ts";
import { fillInHeaders, nodesNamedIn, rpcSetting } from "./rpc.ts";
import { operatorsStayHere, signInSettings } from "./sign_in.ts";
import { telemetrySettings } from "./telemetry.ts";
import { watchSettings } from "./watch.ts";
import { webSettings } from "./web.ts";

const networkEntry = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .meta({ description: "`false`: the network is neither indexed nor served; its stored facts stay." }),
  rpc: rpcSetting,
  from_block: z.int().min(0).default(0).meta({ description: "First block to index." }),
  index: z.enum(["whole", "on_demand"]).default("whole").meta({
    description:
      "`whole`: index every block; `on_demand`: read only the histories of addresses that calls name or that `assay track` follows, from an archive node of an EVM network, a node of Solana or TronGrid (docs/design/on_demand.md).",
  }),
  family: z.enum(["evm", "tron"]).optional().meta({ description: "Only for a custom network. Default: `evm`." }),
  chain_id: z.int().min(1).optional().meta({ description: "Only for a custom network." }),
  native: z
    .strictObject({ symbol: z.string(), decimals: z.int().min(0).max(36) })
    .optional()
    .meta({ description: "Native coin of a custom network." }),
  wrapped_native: address.optional().meta({ description: "Wrapped native coin." }),
  stablecoins: z.array(stablecoin).optional().meta({ description: "Replaces the known stablecoins of the network." }),
  freezes: z
    .array(freezableCoin)
    .optional()
    .meta({ description: "Further coins that an issuer can freeze; an entry for a known contract replaces it." }),
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
    .meta({ description: "Interval between two polls of the node's head, in milliseconds." }),
  verify: z.enum(["full", "header"]).default("full").meta({
    description:
      "`full`: recompute everything that a block's hash commits to; `header`: check only the links between blocks and trust the node for the rest, refusing a block only when its facts cannot be stored (docs/threat_model.md).",
  }),
  agree: z.int().min(1).max(16).default(1).meta({
    description:
      "Number of nodes in `rpc` that must agree on facts that no block hash commits to; 1: one node is trusted.",
  }),
  votes: z.enum(["summed", "singly"]).default("summed").meta({
    description:
      "Solana. `summed`: plain votes are stored as their number and fees per block and validator; `singly`: each vote is stored as a transaction (about 60 % of all transactions).",
  }),
  openings: z.enum(["read", "skip"]).optional().meta({
    description:
      "`read`: read what each address held before from_block from an archive node (one call per address and token). Default: `read` for a custom EVM network, whose genesis block may allocate coins, `skip` for any other.",
  }),
});

/** A repeated address is one node. */
const network = networkEntry.refine(({ rpc, agree }) => agree <= nodesNamedIn(rpc), {
  path: ["agree"],
  error: "more nodes must agree than rpc has",
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
    .meta({ description: "Folder of both stores, relative to the configuration file." }),
  log_level: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("warn")
    .meta({ description: "Lowest level of log lines on stderr." }),
  log_format: z
    .enum(["plain", "json"])
    .default("plain")
    .meta({ description: "`plain`: lines for people; `json`: one object per line, for log collectors." }),
  request_log: z.boolean().default(true).meta({
    description:
      "Log each request at level `info`: id, method, route, status, tool, account, credits, network, milliseconds.",
  }),
  facts: factsSettings,
  ...accountsSettings,
  operator: operatorSettings,
  sign_in: signInSettings,
  web: webSettings,
  prices: pricesSettings,
  watch: watchSettings,
  cases: caseSettings,
  answers: answerSettings,
  mcp: mcpSettings,
  telemetry: telemetrySettings,
  on_demand: onDemandSettings,
  call_timeout_ms: z.int().min(1_000).max(120_000).default(30_000).meta({
    description:
      "Deadline of a call in milliseconds from the arrival of its request, including waiting, run and answer.",
  }),
  rpc_timeout_ms: z
    .int()
    .min(500)
    .max(120_000)
    .default(10_000)
    .meta({ description: "Deadline of one request to a node, in milliseconds." }),
  workers: z.int().min(0).max(64).optional().meta({
    description:
      "Threads that recover the signers of transactions beside the main thread. Default: the number of processors less one.",
  }),
  segment_rows: z.int().min(10_000).max(2_000_000).optional().meta({
    description:
      "Rows that the indexer writes at once. Default: 300,000 where 8 GiB of memory are free for each network at the start, otherwise 75,000, which takes a tenth to a third more processor time and 200 MB less memory.",
  }),
  index_lease_ms: z.int().min(500).max(600_000).default(15_000).meta({
    description: "Time without a sign of life after which another indexer takes over a network, in milliseconds.",
  }),
  body_bytes_max: z
    .int()
    .min(1_024)
    .max(16_777_216)
    .default(65_536)
    .meta({ description: "Largest request body in bytes." }),
  concurrent_calls_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .meta({ description: "Most concurrent calls; further ones fail with 503." }),
  account_share_percent: z.int().min(1).max(100).default(25).meta({
    description:
      "Share of `concurrent_calls_max` and `waiting_bytes_max` that one account may use with all its keys, in percent; at least one call.",
  }),
  waiting_bytes_max: z.int().min(1_048_576).max(17_179_869_184).default(134_217_728).meta({
    description: "Most bytes of arriving bodies and unread answers over all connections.",
  }),
  standing_facts_bytes_max: z.int().min(0).max(17_179_869_184).default(67_108_864).meta({
    description:
      "Bytes per serving process for cached facts that rarely change (labels, tokens, pools, contracts, prices of past hours); 0: read on every call.",
  }),
  recent_answers_bytes_max: z.int().min(0).max(17_179_869_184).default(33_554_432).meta({
    description:
      "Bytes per serving process for cached reads of the newest blocks, until the next block is written; 0: read on every call.",
  }),
  sanctions_max_age_hours: z.int().min(1).default(168).meta({
    description:
      "Oldest sanctions list that checks accept, in hours since its last `assay labels import`; with older lists they fail.",
  }),
  risk_rules: riskRulesSettings,
  label_pack: labelPackSettings,
  sources: z
    .strictObject({
      folder: z
        .string()
        .nullable()
        .default(null)
        .meta({ description: "Folder of verified sources in the layout of a Sourcify repository; null: none." }),
      sourcify: z
        .url()
        .default("https://sourcify.dev/server")
        .meta({ description: "Sourcify server, used while outbound web requests are enabled." }),
    })
    .prefault({})
    .meta({ description: "Origins of verified contract sources." }),
  networks: z
    .record(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/), network)
    .default({})
    .meta({ description: "Enabled networks." }),
});

export const settings = everySetting.refine(operatorsStayHere, {
  path: ["sign_in", "operators"],
  error:
    "operator pages would be reachable from other machines: listen on 127.0.0.1, or set operator.allow_remote to true",
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

const readFile = (path: string): SettingsTree => {
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
  /** Base of a relative `data_dir` without a file. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}): LoadedSettings => {
  const candidate = where.config === null ? join(where.cwd, FILE_NAME) : resolve(where.cwd, where.config);
  const file = where.config !== null || existsSync(candidate) ? candidate : null;
  if (file !== null && !existsSync(file)) throw refuse(`the configuration file ${file} does not exist`);
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
