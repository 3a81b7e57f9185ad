/**
 * Checks the guarantees of accounts on two real services over HTTP: `node dist/bench/claims.js [--engine
 * sqlite|postgres] [--times 100] [--only overdraft,duplicates,orphans,revocation,rates]`. Ends with an error if a
 * guarantee does not hold. Rates need a Redis.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type AccountsStore, openAccounts } from "../src/accounts/open.ts";
import { startProgram } from "../src/accounts/testing/process.ts";
import { findRedis, makeRedisServer } from "../src/accounts/testing/redis_server.ts";
import { silentLog } from "../src/lib/log.ts";
import { type Callers, openCallers } from "./faults/callers.ts";
import { type ServiceSettings, WIDE_PLANS } from "./faults/instance_settings.ts";
import { orphanTimes } from "./faults/orphans.ts";
import { QUICK_TOOLS } from "./faults/quick_tools.ts";
import { rateFaults } from "./faults/rates.ts";
import { type EngineName, type FaultSetup, openFaultSetup } from "./faults/setup.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";

const SERVICE = fileURLToPath(new URL("./faults/quick_instance.js", import.meta.url));
/** Simultaneous calls on one pool, and the number that the pool covers. */
const [CROWD, COVERED] = [1_000, 237];
const EQUAL_KEYS = 200;
/** Each of these simultaneous calls on one pool must be granted or refused, not rejected for lack of time. */
const UNHURRIED = { deadline_ms: 600_000 };
const REVOCATIONS = 20;

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "sqlite" },
    times: { type: "string", default: "100" },
    only: { type: "string", default: "" },
  },
});
if (values.engine !== "sqlite" && values.engine !== "postgres") throw new Error("--engine is sqlite or postgres");
const engine: EngineName = values.engine;
const times = Number(values.times);
const wanted = values.only === "" ? [] : values.only.split(",");

interface ClaimSetup {
  readonly stage: FaultSetup;
  readonly store: AccountsStore;
  readonly callers: Callers;
}

const withSetup = async (more: Partial<ServiceSettings>, work: (place: ClaimSetup) => Promise<void>): Promise<void> => {
  const stage = await openFaultSetup({
    engine,
    start: (settings) => startProgram(SERVICE, [settings]),
    service: { calls_max: 2 * CROWD, ...more },
  });
  try {
    const store = await openAccounts({
      place: stage.place,
      plans: WIDE_PLANS,
      keys: { prefix: "svc_live_" },
      tools: QUICK_TOOLS.map(({ name, credits }) => ({ name, credits })),
      now: Date.now,
      log: silentLog,
      // The services must find orphaned charges themselves.
      sweep_every_ms: 3_600_000,
    });
    const callers = openCallers(
      stage.slots.map(({ front }) => front.port),
      CROWD / 2,
    );
    await work({ stage, store, callers });
    mustEqual("broken invariants", await store.ledger.verify(), []);
    await callers.close();
    await store.close();
  } finally {
    await stage.close();
  }
};

/** An account of `monthly_credits` with one key. */
const openAccount = async (store: AccountsStore, monthly_credits: number) => {
  const numbers = { monthly_credits, keys_max: 10, calls_per_minute: 10_000_000 };
  const { id } = await store.accounts.create({ name: "Claim", plan: "custom", ...numbers });
  const key = await store.keys.create({ account_id: id, scopes: ["api:call"] });
  return { account_id: id, key_id: key.id, secret: key.secret };
};

const overdraft = async ({ store, callers }: ClaimSetup): Promise<void> => {
  for (let round = 0; round < times; round += 1) {
    const customer = await openAccount(store, COVERED);
    const ends = await callers.all(CROWD, { ...customer, tool: "answer", idempotency_key: null });
    mustEqual("granted and refused", [ends.charged, ends.refused], [COVERED, CROWD - COVERED]);
    mustEqual("credits used", (await store.accounts.show(customer.account_id)).credits_used, COVERED);
  }
  printLine(
    `| overdraft | 0: ${times} times ${CROWD} calls at once on two services, ${COVERED} granted each time | ${loadText()} |`,
  );
};

const duplicates = async ({ store, callers }: ClaimSetup): Promise<void> => {
  const customer = await openAccount(store, 1_000_000_000);
  const rounds = 10 * times;
  for (let round = 0; round < rounds; round += 1) {
    const wish = { ...customer, idempotency_key: `round-${round}` };
    // Every other time the key was refunded before.
    if (round % 2 === 1) mustEqual("refunded", (await callers.all(1, { ...wish, tool: "fail_softly" })).returned, 1);
    const ends = await callers.all(EQUAL_KEYS, { ...wish, tool: "answer" });
    mustEqual("winners and duplicates", [ends.charged, ends.refused], [1, EQUAL_KEYS - 1]);
  }
  mustEqual("credits used", (await store.accounts.show(customer.account_id)).credits_used, rounds);
  printLine(`| duplicates | 1 winner of ${EQUAL_KEYS}, ${rounds} times, half of them after a refund | ${loadText()} |`);
};

const orphans = async ({ stage, store, callers }: ClaimSetup): Promise<void> => {
  const customer = await openAccount(store, 1_000_000_000);
  const found = await orphanTimes(
    stage,
    () => void callers.all(20, { ...customer, tool: "wait", idempotency_key: null }),
  );
  for (const { what, ms } of found)
    printLine(`| orphaned charge, ${what} | ${(ms / 1_000).toFixed(1)} s | ${loadText()} |`);
};

const revocation = async ({ store, callers }: ClaimSetup): Promise<void> => {
  let longest = 0;
  for (let round = 0; round < REVOCATIONS; round += 1) {
    const customer = await openAccount(store, 1_000_000_000);
    await callers.all(10, { ...customer, tool: "answer", idempotency_key: null });
    const from = performance.now();
    const revoked = store.keys.revoke(customer.key_id);
    const until = await Promise.all(callers.each((port) => port.untilRefused(customer.secret)));
    await revoked;
    longest = Math.max(longest, ...until.map((at) => at - from));
  }
  if (longest >= 1_000) throw new Error(`a revocation took ${longest} ms`);
  printLine(`| revocation | the longest of ${REVOCATIONS} on two services ${Math.round(longest)} ms | ${loadText()} |`);
};

const rates = async ({ store, callers }: ClaimSetup): Promise<void> => {
  const open = async () => {
    const { id } = await store.accounts.create({ name: "Claim", plan: "paced" });
    return { account_id: id, secret: (await store.keys.create({ account_id: id, scopes: ["api:call"] })).secret };
  };
  const found = await rateFaults(callers, { hasty: (await open()).secret, paced: (await open()).secret });
  printLine(`| rate limit | ${found.words} | ${loadText()} |`);
  mustEqual("windows of 60 s with more than 60 calls, refusals at 60 a minute", found.faults, [0, 0]);
};

const PARTS: Readonly<Record<string, (place: ClaimSetup) => Promise<void>>> = {
  overdraft,
  duplicates,
  orphans,
  revocation,
};

printLine(`| ${engine} | found | |\n|---|---|---|`);
for (const [name, part] of Object.entries(PARTS))
  if (wanted.length === 0 || wanted.includes(name))
    await withSetup(name === "overdraft" || name === "duplicates" ? UNHURRIED : {}, part);
if (wanted.length === 0 || wanted.includes("rates")) {
  const program = findRedis();
  if (program === null) throw new Error("redis-server is not installed (apt-get install redis-server)");
  const redis = await makeRedisServer(program);
  await redis.start();
  try {
    await withSetup({ redis_url: redis.url, instances: 2 }, rates);
  } finally {
    await redis.remove();
  }
}
