import type { Meter } from "../../src/accounts/meter.ts";
import type { AccountsSettings } from "../../src/accounts/open.ts";
import { openCustomer } from "../../src/accounts/testing/store.ts";
import { openTemporary } from "../../src/accounts/testing/temporary.ts";
import { SILENT_OPERATOR } from "../../src/domain/operator.ts";
import { CATEGORIES } from "../../src/labels/categories.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { Status } from "../../src/lib/status.ts";
import type { Facts } from "../../src/store/facts.ts";
import type { RequestLimits } from "../../src/surfaces/limits/request_limits.ts";
import type { WatchContext } from "../../src/surfaces/rest/account/watch_operations.ts";
import type { ReadDocument } from "../../src/surfaces/rest/assistants/clients.ts";
import type { PagesSettings } from "../../src/surfaces/rest/sign_in/browser.ts";
import { openPublicServer } from "../../src/surfaces/server.ts";
import type { ServerParts } from "../../src/surfaces/server_parts.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { testBody } from "../../src/watch/body.ts";
import { refusalOfUrl } from "../../src/web/url.ts";
import { fixedChain } from "../fixed_chain.ts";
import { fixedFacts } from "../fixed_facts.ts";
import { OPERATOR_STATE } from "../operator_state.ts";
import { benchTools } from "./bench_tools.ts";

export interface ServiceSettings {
  readonly plan?: string;
  readonly accounts?: Partial<AccountsSettings>;
  readonly limits?: Partial<RequestLimits>;
  readonly tools?: readonly AnyTool[];
  readonly hidden?: readonly string[];
  /** Puts faults between surfaces and the real accounts. */
  readonly wrap?: (meter: Meter) => Meter;
  readonly isCurrent?: Facts["isCurrent"];
  readonly status?: () => Promise<Status>;
  readonly mcp?: ServerParts["mcp"];
  readonly tracing?: ServerParts["tracing"];
  readonly log?: ServerParts["log"];
  readonly request_log?: ServerParts["request_log"];
  readonly cast?: ServerParts["cast"];
  readonly docs?: ServerParts["docs"];
  readonly portal?: ServerParts["portal"];
  /** Where people sign in. */
  readonly sign_in?: Partial<PagesSettings>;
  readonly followed?: ServerParts["followed"];
  readonly readDocument?: ReadDocument;
  readonly watch?: Pick<WatchContext, "webhooks" | "local_origins" | "streams_per_account">;
}

const READY: Status = {
  accounts: true,
  facts: true,
  networks: {
    demo: {
      head: 101,
      indexed: 100,
      lag_blocks: 1,
      from_block: 0,
      verified: "full",
      gaps: [],
      disagreements: 0,
      state: "following",
      blocks_per_second: null,
      remaining_blocks: null,
      problem: null,
      indexed_by: null,
      trouble: null,
      indexed_at: 1_767_225_600,
      fills: null,
      priced_share: null,
    },
  },
};

/** A whole service on a free port: real HTTP, real accounts in SQLite, tools that end in every way. */
export const openService = async (settings: ServiceSettings = {}) => {
  const tools = settings.tools ?? benchTools;
  const priced = tools.map(({ name, credits }) => ({ name, credits }));
  const store = await openTemporary({ tools: priced, monotonic: () => performance.now(), ...settings.accounts });
  const customer = await openCustomer(store, settings.plan ?? "business");
  const chains = [
    fixedChain(),
    fixedChain({ network: { id: "ethereum", name: "Ethereum", chain_id: 1, caip2: "eip155:1" } }),
  ];
  const facts = fixedFacts(settings.isCurrent);
  const rest = openPublicServer({
    tools: tools.filter(({ name }) => !settings.hidden?.includes(name)),
    meter: settings.wrap?.(store.meter) ?? store.meter,
    store,
    chains,
    contextFor: (tool, signal) => ({
      facts,
      chain: (id) => chains.find(({ network }) => network.id === id) ?? fixedChain(),
      networks: chains.filter(({ network }) => tool.families.includes(network.family)).map(({ network }) => network.id),
      operator: SILENT_OPERATOR,
      signal,
    }),
    status: settings.status ?? (async () => READY),
    log: settings.log ?? silentLog,
    ...(settings.followed === undefined ? {} : { followed: settings.followed }),
    ...(settings.request_log === undefined ? {} : { request_log: settings.request_log }),
    now_ms: () => store.clock.at,
    ...(settings.limits && { limits: settings.limits }),
    ...(settings.mcp && { mcp: settings.mcp }),
    ...(settings.tracing && { tracing: settings.tracing }),
    ...(settings.cast && { cast: settings.cast }),
    ...(settings.docs && { docs: settings.docs }),
    ...(settings.portal && { portal: settings.portal }),
    sign_in: {
      store,
      settings: { origin: null, proxies: [], operators: false, assistants: { enabled: true }, ...settings.sign_in },
      state: OPERATOR_STATE,
      log: silentLog,
      ...(settings.readDocument && { readDocument: settings.readDocument }),
    },
    ...(settings.watch && {
      watch: { book: store.watch, chains, categories: CATEGORIES, testBody, refusalOfUrl, ...settings.watch },
    }),
  });
  const url = await rest.listen({ host: "127.0.0.1", port: 0 });
  const close = async () => {
    await rest.close();
    await store.remove();
  };
  return { url, port: Number(new URL(url).port), rest, store, customer, close };
};
