/** One run of the fault harness: clients call, faults strike, and afterwards the ledger must explain every answer. */
import { setTimeout as sleep } from "node:timers/promises";
import type { InvariantViolation } from "../../src/accounts/invariants.ts";
import { type AccountsStore, openAccounts } from "../../src/accounts/open.ts";
import { connectTo } from "../../src/accounts/testing/temporary_accounts.ts";
import { silentLog } from "../../src/lib/log.ts";
import { drawsOf, shuffled } from "../../test/random.ts";
import { startClients } from "./clients.ts";
import {
  CALLER_ACTS,
  type CallerAct,
  type Customer,
  FAULTS,
  type FaultContext,
  LEASE_MS,
  SKEW_MAX_MS,
} from "./faults.ts";
import { CHARGES_SQL, type ChargeRow, type ClientAttempt, openJudge } from "./histories.ts";
import { WIDE_PLANS } from "./instance_settings.ts";
import { QUICK_TOOLS, USUAL_MIX } from "./quick_tools.ts";
import { PARTS, type RequestHistory } from "./request_history.ts";
import { type EngineName, type FaultSetup, openFaultSetup, type StartService } from "./setup.ts";

export interface FaultRunSettings {
  readonly engine: EngineName;
  readonly start: StartService;
  readonly seed: number;
  /** Connections to each of the two services. */
  readonly clients: number;
  /** Accounts that are charged: calls of one wait for each other. */
  readonly customers: number;
  /** Names of faults; if empty, all that the engine can have. */
  readonly faults: readonly string[];
  /** How long faults strike, in rounds of the usual weights. 0: each strikes once. */
  readonly seconds: number;
  /** Faults continue until callers know of this many charges, however long that takes; null: for `seconds`. */
  readonly charges: number | null;
  /** Shortest time between two strikes. */
  readonly pause_ms: number;
  readonly tell?: (line: string) => void;
}

export interface FaultReport {
  /** How often each fault has struck; 0 for one that is impossible here. */
  readonly strikes: Readonly<Record<string, number>>;
  /** The same by the contract's categories. */
  readonly acts: Readonly<Record<CallerAct, number>>;
  readonly ends: Readonly<Record<ClientAttempt["end"], number>>;
  /** Charges by state. */
  readonly charges: Readonly<Record<string, number>>;
  /** Services that ended without being killed. */
  readonly died: number;
  readonly violations: readonly InvariantViolation[];
  readonly unexplained: readonly string[];
  readonly odd: readonly string[];
  readonly seconds: number;
  /** Names of the faults that are possible here. */
  readonly possible: readonly string[];
}

const ENDS = ["charged", "returned", "refused", "unknown"] as const;
/** Calls that must end well between two faults. */
const CALLS_BETWEEN = 20;
/** Most time without any answer: a fault from which the product does not recover ends the run. */
const SILENCE_MAX_MS = 90_000;

export const runFaults = async (settings: FaultRunSettings): Promise<FaultReport> => {
  const draw = drawsOf(settings.seed);
  const stage = await openFaultSetup({
    engine: settings.engine,
    start: settings.start,
    service: { lease_ms: LEASE_MS, calls_max: 2 * settings.clients },
  });
  try {
    const store = await openStore(stage, 0);
    const customers = await openCustomers(store, settings.customers);
    const garbling = { count: 0 };
    const clients = startClients({
      ports: stage.slots.map(({ front }) => front.port),
      connections: settings.clients,
      customers: customers.map((customer) => ({ account_id: customer.account_id, secret: () => customer.secret })),
      tools: USUAL_MIX,
      name: "c",
      draw,
      garbling: () => garbling.count,
    });
    const from = performance.now();
    const { strikes, died } = await strikeAll({ stage, store, customers, draw, garbling, clients }, settings);
    await clients.stop();
    const seconds = (performance.now() - from) / 1_000;
    for (const { kill } of stage.slots) await kill();
    await store.close();
    const possible = FAULTS.filter(({ can }) => can(stage)).map(({ name }) => name);
    const { odd, kept } = clients;
    return { strikes, acts: actsOf(strikes), died, seconds, possible, odd, ...(await audit(stage, [kept])) };
  } finally {
    await stage.close();
  }
};

export const openStore = (stage: FaultSetup, ahead_ms: number): Promise<AccountsStore> =>
  openAccounts({
    place: stage.place,
    plans: WIDE_PLANS,
    keys: { prefix: "svc_live_" },
    tools: QUICK_TOOLS.map(({ name, credits }) => ({ name, credits })),
    now: () => Date.now() + ahead_ms,
    log: silentLog,
    lease_ms: LEASE_MS,
  });

export const openCustomers = async (store: AccountsStore, count: number): Promise<readonly Customer[]> => {
  const customers: Customer[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await store.accounts.create({ name: `Customer ${number}`, plan: "wide" });
    const key = await store.keys.create({ account_id: id, scopes: ["api:call"] });
    customers.push({ account_id: id, key_id: key.id, secret: key.secret });
  }
  return customers;
};

const strikeAll = async (struck: FaultContext, settings: FaultRunSettings) => {
  const { stage, clients, draw } = struck;
  const { faults, seconds, charges, pause_ms, tell } = settings;
  const wanted = FAULTS.filter(({ name }) => faults.length === 0 || faults.includes(name));
  const strikes = Object.fromEntries(wanted.map(({ name }) => [name, 0]));
  const until = performance.now() + seconds * 1_000;
  const isOver = () => (charges === null ? performance.now() >= until : clients.charges() >= charges);
  let died = 0;
  const goOn = async (after: string): Promise<void> => {
    const enough = clients.charged() + CALLS_BETWEEN;
    const silent = performance.now() + SILENCE_MAX_MS;
    while (clients.charged() < enough) {
      if (performance.now() > silent) throw new Error(`After '${after}' no caller got an answer any more.`);
      await sleep(10);
    }
    for (const { service, start } of stage.slots) {
      if (service().is_alive) continue;
      died += 1;
      tell?.(`a service died after '${after}'`);
      await start();
    }
  };
  await goOn("start");
  do {
    const round = wanted
      .filter(({ can }) => can(stage))
      .flatMap((fault) => Array.from({ length: seconds === 0 ? 1 : fault.often }, () => fault));
    for (const { name, strike } of shuffled(round, draw)) {
      const from = performance.now();
      await strike(struck);
      strikes[name] = (strikes[name] ?? 0) + 1;
      await goOn(name);
      tell?.(`${name}: ${Math.round(performance.now() - from)} ms, ${clients.charged()} charged calls so far`);
      await sleep(Math.max(0, pause_ms - (performance.now() - from)));
      if (seconds > 0 && isOver()) break;
    }
  } while (!isOver());
  return { strikes, died };
};

const actsOf = (strikes: Readonly<Record<string, number>>): Readonly<Record<CallerAct, number>> => {
  const acts = Object.fromEntries(CALLER_ACTS.map((act) => [act, 0])) as Record<CallerAct, number>;
  for (const { name, act } of FAULTS) if (act !== undefined) acts[act] += strikes[name] ?? 0;
  return acts;
};

/**
 * Runs once every lease has expired on every clock. The charges come in parts: a million of them need not fit in
 * memory.
 */
export const audit = async (stage: FaultSetup, histories: readonly RequestHistory[]) => {
  const store = await openStore(stage, SKEW_MAX_MS + 2 * LEASE_MS + 60_000);
  await store.sweep();
  const violations = await store.ledger.verify();
  await store.close();
  const database = await connectTo(stage.place);
  const judge = openJudge();
  const charges: Record<string, number> = {};
  const unexplained: string[] = [];
  for (const digit of PARTS) {
    const rows = await database.all<ChargeRow>(CHARGES_SQL, [digit]);
    for (const { state } of rows) charges[state] = (charges[state] ?? 0) + 1;
    const wishes = histories.flatMap((kept) => kept.part(digit));
    unexplained.push(...judge.part(wishes, rows));
  }
  await database.close();
  const ends = { charged: 0, returned: 0, refused: 0, unknown: 0 };
  for (const kept of histories) for (const end of ENDS) ends[end] += kept.ends[end];
  return { violations, ends, charges, unexplained: [...unexplained, ...judge.sums()] };
};
