/**
 * A whole service over real accounts, with quick tools: `node quick_instance.js SETTINGS`. Prints `ready` with its
 * address, reads one command a line (`skew MS` sets how far its clock is off, `memory` collects garbage and reports the
 * rest, `close` stops in order), and can be killed.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openAccounts } from "../../src/accounts/open.ts";
import { readLocation } from "../../src/accounts/testing/temporary_accounts.ts";
import { SILENT_OPERATOR } from "../../src/domain/operator.ts";
import { silentLog } from "../../src/lib/log.ts";
import { REQUEST_LIMITS } from "../../src/surfaces/limits/request_limits.ts";
import { openPublicServer } from "../../src/surfaces/server.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { fixedFacts } from "../../test/fixed_facts.ts";
import { readServiceSettings, type ServiceSettings, sharedLimitsOf, WIDE_PLANS } from "./instance_settings.ts";
import { QUICK_TOOLS, turn } from "./quick_tools.ts";
import { watchAnswers } from "./watched.ts";

const main = async (settings: ServiceSettings): Promise<void> => {
  turn.ms = settings.work_ms ?? turn.ms;
  const seen = settings.watched === true ? watchAnswers(settings.deadline_ms ?? REQUEST_LIMITS.deadline_ms) : null;
  let skew_ms = 0;
  const now = () => Date.now() + skew_ms;
  const store = await openAccounts({
    place: readLocation(settings.place),
    plans: WIDE_PLANS,
    keys: { prefix: "svc_live_" },
    tools: QUICK_TOOLS.map(({ name, credits }) => ({ name, credits })),
    now,
    log: silentLog,
    ...(settings.deadline_ms === undefined ? {} : { deadline_ms: settings.deadline_ms }),
    ...(settings.lease_ms === undefined ? {} : { lease_ms: settings.lease_ms }),
    ...sharedLimitsOf(settings),
  });
  const chains = [fixedChain()];
  const facts = fixedFacts();
  const rest = openPublicServer({
    tools: QUICK_TOOLS,
    meter: store.meter,
    store,
    chains,
    contextFor: (_, signal) => ({
      facts,
      chain: () => chains[0] ?? fixedChain(),
      networks: ["demo"],
      operator: SILENT_OPERATOR,
      signal,
    }),
    status: async () => ({ accounts: true, facts: true, networks: {} }),
    log: silentLog,
    now_ms: now,
    limits: {
      calls_max: settings.calls_max ?? 256,
      account_share_percent: settings.account_share_percent ?? 100,
      ...(settings.deadline_ms === undefined ? {} : { deadline_ms: settings.deadline_ms }),
    },
  });
  report({ event: "ready", url: await rest.listen({ host: "127.0.0.1", port: 0 }) });
  for await (const line of createInterface({ input: process.stdin })) {
    const [command = "", count = "0"] = line.split(" ");
    if (command === "close") break;
    if (command === "skew") skew_ms = Number(count);
    else if (command === "memory") reportMemory();
    else throw new Error(`Unknown command ${command}`);
  }
  await rest.close();
  await store.close();
  if (seen !== null) report({ event: "answers", ...seen });
};

const reportMemory = (): void => {
  garbageCollector()();
  const { rss, heapUsed, external } = process.memoryUsage();
  report({ event: "memory", rss, heap: heapUsed, external });
};

const garbageCollector = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  // With that flag every new context has it.
  return runInNewContext("gc") as () => void;
};

/** Synchronous, so that no line is lost in a buffer when the process is killed. */
const report = (facts: object): void => void writeSync(1, `${JSON.stringify(facts)}\n`);

await main(readServiceSettings(process.argv[2]));
