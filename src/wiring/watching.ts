/**
 * Watching in the processes that answer callers: compares rules with blocks, sends webhooks, reruns risk checks by the
 * tools.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { AccountsStore } from "../accounts/open.ts";
import type { Chain } from "../chains/chain.ts";
import type { Settings } from "../config/settings.ts";
import type { Operator } from "../domain/operator.ts";
import { formatToken } from "../domain/token/metadata/metadata.ts";
import { outcomeLevel, TOKEN_OUTCOMES } from "../domain/token/verdict/verdict.ts";
import { CATEGORIES } from "../labels/categories.ts";
import { hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Outcome } from "../lib/outcome.ts";
import { readTransferSubject } from "../lib/transfer_subject.ts";
import { factsIdentity } from "../store/fence.ts";
import type { FactsStore } from "../store/open.ts";
import { bindArguments } from "../surfaces/call/arguments/bind.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";
import { runOnConsistentFacts } from "../surfaces/call/consistent_run.ts";
import type { ServerParts } from "../surfaces/server_parts.ts";
import { tools } from "../tools/index.ts";
import type { AnyTool } from "../tools/tool.ts";
import { testBody } from "../watch/body.ts";
import type { Judge } from "../watch/judge.ts";
import { startWatching, type WatchRun } from "../watch/run.ts";
import { guardedWeb, type OwnOrigin } from "../web/guarded.ts";
import { refusalOfUrl } from "../web/url.ts";
import type { Web } from "../web/web.ts";
import type { SubjectCalls } from "./subject_calls.ts";
import { watchedSubjects } from "./watched_subjects.ts";

export interface WatchingOptions {
  readonly settings: Settings;
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly subjects: SubjectCalls;
  readonly readRiskRules: Operator["readRiskRules"];
  readonly log: Log;
  readonly stop: AbortSignal;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_EVERY_MS = 250;
const DEADLINE_MS = 10_000;
/** Only the status of an answer matters. */
const ANSWER_BYTES_MAX = 1_024;

/** Returns null when the operator has not enabled it. */
export const openWatching = async (parts: WatchingOptions): Promise<WatchRun | null> => {
  const { settings, accounts, facts, chains, log, stop } = parts;
  const { watch } = settings;
  if (!watch.enabled) return null;
  const limits = {
    deliveries_per_minute: watch.deliveries_per_minute,
    retry_first_ms: watch.retry_first_seconds * 1_000,
    retry_most_ms: HOUR_MS,
    horizon_ms: watch.retry_hours * HOUR_MS,
    keep_ms: watch.keep_days * DAY_MS,
    risk_per_minute: watch.risk_per_minute,
    events_per_block: watch.events_per_block,
    look_every_ms: LOOK_EVERY_MS,
  };
  const facts_id = await factsIdentity(facts.engine);
  const web = watch.webhooks ? webhookWeb(watch.local_origins) : null;
  const { leases, watch: book } = accounts;
  const subjects = watchedSubjects(parts);
  const own = { book, facts: facts.served, subjects, facts_id, chains, leases, web, judge: judgeBy(parts), limits };
  return startWatching({ ...own, readBasis: basisOf(parts), now_ms: Date.now, log }, stop);
};

interface WatchOutcome extends Pick<WatchingOptions, "accounts" | "chains"> {
  readonly figures: WatchRun["figures"];
}

/** Watch data for callers and metrics. */
export const watchSurface = (
  { watch }: Settings,
  { accounts, chains, figures }: WatchOutcome,
): Pick<ServerParts, "watch" | "watch_standing"> => ({
  watch: {
    ...{ book: accounts.watch, chains, categories: CATEGORIES, testBody },
    refusalOfUrl,
    ...{ webhooks: watch.webhooks, local_origins: watch.local_origins, streams_per_account: watch.streams_per_account },
  },
  watch_standing: { figures, read: () => accounts.watch.deliveries.figures() },
});

/** Public addresses by https, and the operator's own origins unchanged. */
export const webhookWeb = (local_origins: readonly string[]): Web => ({
  async fetch(request) {
    const own = await Promise.all(local_origins.filter((one) => isOf(request.url, one)).map(ownOrigin));
    const known = own.filter((one) => one !== null);
    if (known.length === 0 && !request.url.startsWith("https://"))
      return { kind: "refused", reason: "Assay may not contact the address: webhooks require https.", redirects: [] };
    return guardedWeb({ own_origins: known, deadline_ms: DEADLINE_MS, bytes_max: ANSWER_BYTES_MAX }).fetch(request);
  },
});

const isOf = (url: string, origin: string): boolean => URL.canParse(url) && new URL(url).origin === origin;

/** The current address of an operator's own origin; null when its name has no address. */
const ownOrigin = async (origin: string): Promise<OwnOrigin | null> => {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await lookup(host).catch(() => null) : { address: host };
  const at = Number(port) || (protocol === "https:" ? 443 : 80);
  return found === null ? null : { origin, address: found.address, port: at };
};

/** A screening is judged by the lists of labels and sanctions, and by the operator's rules. */
const basisOf =
  ({ facts: { served }, readRiskRules }: WatchingOptions) =>
  async (): Promise<string> => {
    const lists = [served.lists("labels_among"), served.lists("sanctions_among")];
    return JSON.stringify(await Promise.all([...lists, readRiskRules()]));
  };

/** The tool that judges a subject, and its arguments. */
const assessmentOf = (
  chain: Chain,
  { subject_kind, subject }: Pick<Parameters<Judge>[0], "subject_kind" | "subject">,
): { readonly tool: AnyTool; readonly args: Readonly<Record<string, unknown>> } => {
  const network = chain.network.id;
  if (subject_kind === "screening") {
    const { tx_hash, asset, ...how } = readTransferSubject(subject);
    const args = { tx_hash: chain.formatHash(tx_hash), asset: formatToken(chain, asset), ...how, network };
    return { tool: toolCalled("analyze_transaction"), args };
  }
  const address = chain.formatAddress(hex(subject));
  return subject_kind === "address"
    ? { tool: toolCalled("get_wallet_risk_score"), args: { address, network } }
    : { tool: toolCalled("get_token_risk_traits"), args: { token_address: address, network } };
};

/** Runs the risk tools without a charge, so that their answers show the reasons of a level. */
const judgeBy =
  ({ chains, contextFor, settings }: WatchingOptions): Judge =>
  async ({ network, subject_kind, subject }) => {
    const chain = chains.find((one) => one.network.id === network);
    if (chain === undefined) return null;
    const asked = assessmentOf(chain, { subject_kind, subject });
    const bound = bindArguments(asked.tool, asked.args, { chains: [chain], now_ms: Date.now() });
    if (bound.kind === "refused") return null;
    const about = { asked: bound.asked, account_id: "" };
    const fresh = () => contextFor(asked.tool, AbortSignal.timeout(settings.call_timeout_ms), about);
    const { outcome, snapshots } = await runOnConsistentFacts(asked.tool, bound.asked, fresh);
    const said = subject_kind === "screening" ? verdictOf(outcome) : levelOf(outcome);
    const snapshot = snapshots.find((one) => one.network === network);
    if (said === null || snapshot === undefined) return null;
    const { number, hash, time } = snapshot.block;
    return { ...said, block: { block_number: number, hash, time }, final_block: snapshot.final_block };
  };

const toolCalled = (name: string): AnyTool => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new AssayError({ code: "BUG", message: `there is no tool ${name}` });
  return tool;
};

/** Without data the level is unknown: a level of its own, so that the check does not run again and again. */
const UNKNOWN = { level: "unknown", says: { risk_score: null, outcome: null } };

/** Outcomes of a token that an owner wants to hear of; others follow from its age and its trades. */
const BAD_OUTCOMES: ReadonlySet<unknown> = new Set(TOKEN_OUTCOMES.filter((outcome) => outcomeLevel(outcome) !== null));

/** For a wallet: level and score. For a token: level and bad outcome. Null when the tool has no result now. */
const levelOf = (outcome: Outcome<unknown>) => {
  if (outcome.kind === "no_data") return UNKNOWN;
  if (outcome.kind === "error") return outcome.code === "NOT_A_TOKEN" ? UNKNOWN : null;
  const answer = Object(outcome.data) as Record<string, unknown>;
  const { risk_level, risk_score, outcome: became } = Object(answer.risk_overview ?? answer) as Record<string, unknown>;
  if (typeof risk_level !== "string") return null;
  const word = BAD_OUTCOMES.has(became) ? ` ${became}` : "";
  return { level: `${risk_level}${word}`, says: { risk_score: risk_score ?? null, outcome: became ?? null } };
};

/** Evidence of one reason in an event, whose size is limited; the tool gives all. */
const EVIDENCE_MAX = 3;

/** The verdict of a screening with the codes of its reasons; `unknown` without one. Null when the tool has no result now. */
const verdictOf = (outcome: Outcome<unknown>) => {
  if (outcome.kind === "no_data") return { level: "unknown", says: { verdict: null, reasons: [], unavailable: [] } };
  if (outcome.kind === "error") return null;
  const { screening } = Object(outcome.data) as Record<string, unknown>;
  const { verdict, reasons, unavailable } = Object(screening) as Record<string, unknown>;
  const told = Array.isArray(reasons)
    ? reasons.map(({ evidence, ...reason }) => ({ ...reason, evidence: evidence.slice(0, EVIDENCE_MAX) }))
    : [];
  return { level: typeof verdict === "string" ? verdict : "unknown", says: { verdict, reasons: told, unavailable } };
};
