/** The part of a process that answers callers: tools, public surface, operator API. */
import type { AccountsStore } from "../accounts/open.ts";
import { listenAddress, listenName } from "../config/listen_address.ts";
import type { Settings } from "../config/settings.ts";
import { MovementCache, RecentMovementCache } from "../domain/address/movements/movement_cache.ts";
import type { Operator } from "../domain/operator.ts";
import { OperatorPrices } from "../domain/valuation/prices/operator_prices.ts";
import { TransactionFactsCache } from "../domain/wallet/history/acts/transaction_facts_cache.ts";
import { LedgerCache } from "../domain/wallet/pnl/ledger_cache.ts";
import type { Log } from "../lib/log.ts";
import type { Outcome } from "../lib/outcome.ts";
import type { ReadStatus } from "../lib/status.ts";
import { HolderCache } from "../store/holders/holder_cache.ts";
import { currentLists } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";
import { NetworkHistory } from "../surfaces/operator/network_history.ts";
import type { OperatorState } from "../surfaces/operator/state.ts";
import type { FollowContext } from "../surfaces/rest/account/followed_operations.ts";
import { openPublicServer, type PublicServer } from "../surfaces/server.ts";
import type { ServerParts } from "../surfaces/server_parts.ts";
import { tools } from "../tools/index.ts";
import { over_time } from "../tools/over_time/index.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { WatchRun } from "../watch/run.ts";
import type { OwnOrigin } from "../web/guarded.ts";
import { clientDocuments } from "./client_documents.ts";
import { contexts, foundChain } from "./contexts.ts";
import { followContext } from "./followed_addresses.ts";
import { watchFreezeViews } from "./freeze_watch.ts";
import { openListImports } from "./list_imports.ts";
import { openMarketData } from "./market_data.ts";
import { followNetworks } from "./network_samples.ts";
import type { NetworkSet } from "./network_set.ts";
import { openOperatorApi } from "./operator_api.ts";
import { runOperatorPrices } from "./operator_prices.ts";
import { operatorOf, RISK_CATEGORIES } from "./operators.ts";
import { type OwnCalls, ownCall } from "./own_call.ts";
import { openSearch } from "./search.ts";
import { SubjectCalls } from "./subject_calls.ts";
import { warm } from "./warming.ts";
import { openWatching, watchSurface } from "./watching.ts";

export interface AnsweringOptions extends Pick<ServerParts, "tracing" | "cast" | "metrics"> {
  /** Real answers of the tools' examples, for the OpenAPI document. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** Folder of the documentation to serve; none without it. */
  readonly docs?: string;
  readonly portal?: string;
  readonly settings: Settings;
  /** Absolute. */
  readonly data_dir: string;
  readonly log: Log;
  readonly own_origins?: readonly OwnOrigin[] | undefined;
  readonly networks: Pick<NetworkSet, "chains" | "enabled" | "find">;
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly status: ReadStatus;
  readonly stop: AbortSignal;
  /** Close resources opened here, the last one first. */
  readonly closers: (() => Promise<void>)[];
}

export interface AnsweringService {
  /** Opens both surfaces. Returns their `http://host:port`; the operator's is null when it is off. */
  listen(): Promise<{ readonly url: string; readonly operator_url: string | null }>;
  /**
   * Binds and runs the example on its card. An unexpected error becomes an error outcome with its internal text, for
   * operators.
   */
  runExample(tool: AnyTool): Promise<Outcome<unknown>>;
  /** Runs the warm-up calls of this process (warming.ts); stops with it. */
  warm(): Promise<void>;
}

export const openAnswering = async (parts: AnsweringOptions): Promise<AnsweringService> => {
  const { settings, own_origins = [], networks, data_dir, facts, log, stop, closers } = parts;
  const { chains, enabled } = networks;
  const readStoredRules = parts.accounts.risk_rules.list;
  const operator = operatorOf(settings, { networks: enabled, own_origins, readStoredRules });
  const prices = await runOperatorPrices({
    settings: settings.prices,
    networks: enabled,
    web: settings.web.enabled ? operator.web : null,
    data_dir,
    prices: facts.facts.own(OperatorPrices),
    log,
    now_ms: Date.now,
    stop,
  });
  closers.push(() => prices.done);
  const find = (id: string) => networks.find(id);
  const on_demand = { facts, enabled, chain: (id: string) => foundChain(find(id), id), settings };
  const subjects = new SubjectCalls(on_demand);
  const contextFor = contexts({ facts, chains, find, operator, subjects });
  const { call_timeout_ms } = settings;
  const own: OwnCalls = { chains, contextFor, call_timeout_ms, now_ms: Date.now, stop };
  return {
    listen: () =>
      listenWith(parts, { contextFor, operator, subjects, followed: followContext({ ...on_demand, subjects }) }),
    runExample: (tool) => ownCall(own, tool, tool.example),
    warm: () => {
      const warming = warm({ ...own, facts: facts.served, log });
      closers.push(() => warming);
      return warming;
    },
  };
};

interface CallParts {
  readonly contextFor: ContextFor;
  readonly operator: Operator;
  readonly subjects: SubjectCalls;
  readonly followed: FollowContext;
}

const listenWith = async (parts: AnsweringOptions, { contextFor, operator, subjects, followed }: CallParts) => {
  const { settings, log, accounts, facts, stop, closers } = parts;
  const { chains } = parts.networks;
  const { readRiskRules } = operator;
  const risk = { rules_of_file: settings.risk_rules, categories: RISK_CATEGORIES };
  const health = { history: new NetworkHistory(), endpoints: parts.metrics?.endpoints ?? (() => ({})) };
  const state: OperatorState = {
    ...{ status: parts.status, lists: () => currentLists(facts), now_ms: Date.now, risk, health },
    imports: openListImports({
      ...{ store: facts, enabled: () => parts.networks.enabled, choice: settings.label_pack, now_ms: Date.now },
    }),
  };
  const watched = await openWatching({
    ...{ settings, accounts, facts, chains, contextFor, subjects, readRiskRules, log, stop },
  });
  if (watched !== null) closers.push(() => watched.ended);
  const rest = openRestOn(parts, contextFor, { state, watched, followed });
  closers.push(() => rest.close());
  const url = await rest.listen(listenAddress(settings.listen));
  const api = await openOperatorApi(settings.operator, { accounts, state, log });
  if (api !== null) closers.push(() => api.close());
  const watching = watchFreezeViews({ facts: facts.facts, chains, log, stop });
  const sampling = followNetworks({ health, status: parts.status, log, stop });
  closers.push(async () => void (await Promise.all([watching, sampling])));
  return { url, operator_url: api?.url ?? null };
};

/** Caches of wallets and tokens in this process (docs/design/wallet_history.md, docs/design/queries.md). */
const cachesOf = ({ facts, recent }: FactsStore): NonNullable<ServerParts["kept"]> => ({
  answers: recent,
  movements: facts.own(MovementCache),
  newest: facts.own(RecentMovementCache),
  holders: facts.own(HolderCache),
  acts: facts.own(TransactionFactsCache),
  books: facts.own(LedgerCache),
});

/** Data of the surfaces besides tool answers. */
interface SurfaceExtras {
  readonly state: OperatorState;
  readonly watched: WatchRun | null;
  readonly followed: FollowContext;
}

const openRestOn = (
  parts: AnsweringOptions,
  contextFor: ContextFor,
  { state, watched, followed }: SurfaceExtras,
): PublicServer => {
  const { settings, log, examples, docs, portal, accounts, status, tracing, facts, metrics, cast = [] } = parts;
  const { chains } = parts.networks;
  const { sign_in } = settings;
  const own_name = sign_in.origin === null ? [] : [new URL(sign_in.origin).hostname];
  const readDocument = clientDocuments(settings, { own_origins: parts.own_origins ?? [] });
  return openPublicServer({
    ...(tracing === undefined ? {} : { tracing }),
    cast,
    status,
    book: facts.book,
    kept: cachesOf(facts),
    contextFor,
    followed,
    search: openSearch({ chains, contextFor, log }),
    market: openMarketData({ chains, contextFor }),
    tools,
    beside: over_time,
    meter: accounts.meter,
    store: accounts,
    sign_in: { store: accounts, settings: sign_in, state, log, readDocument },
    ...(watched === null ? {} : watchSurface(settings, { accounts, chains, figures: watched.figures })),
    chains,
    ...(metrics === undefined ? {} : { metrics }),
    log,
    request_log: settings.request_log,
    examples,
    ...(docs === undefined ? {} : { docs }),
    ...(portal === undefined ? {} : { portal }),
    mcp: { ...settings.mcp, hosts: [...settings.mcp.hosts, ...listenName(settings.listen), ...own_name] },
    limits: {
      deadline_ms: settings.call_timeout_ms,
      calls_max: settings.concurrent_calls_max,
      account_share_percent: settings.account_share_percent,
      waiting_bytes_max: settings.waiting_bytes_max,
      body_bytes_max: settings.body_bytes_max,
    },
  });
};
