/** Faults of a store and its services, each as one strike that is over when it returns. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountsStore } from "../../src/accounts/open.ts";
import type { FaultyProxy, ProxyDirection } from "../../src/accounts/testing/faulty_proxy.ts";
import type { Child } from "../../src/accounts/testing/process.ts";
import { oneOf } from "../../test/random.ts";
import type { Clients } from "./clients.ts";
import type { FaultSetup, Slot } from "./setup.ts";

/** Short, so that a process can sleep longer than it many times over. */
export const LEASE_MS = 3_000;
/** Longer than the service tries to reach its database. */
const AWAY_MS = 4_500;
const DAY_MS = 86_400_000;
/** The furthest that a clock is ever off. */
export const SKEW_MAX_MS = 32 * DAY_MS;

export interface FaultContext {
  readonly stage: FaultSetup;
  readonly clients: Clients;
  /** The administration, over the direct connection to the store. */
  readonly store: AccountsStore;
  readonly customers: readonly Customer[];
  readonly draw: () => number;
  /** Counts up when garbling between callers and services begins and when it is over. */
  readonly garbling: { count: number };
}

export interface Customer {
  readonly account_id: string;
  readonly key_id: string;
  secret: string;
}

/** Minimum number of each in a run. */
export const CALLER_ACTS = ["process kills", "database kills", "cut connections", "stops beyond the lease"] as const;
export type CallerAct = (typeof CALLER_ACTS)[number];

interface FaultDefinition {
  readonly name: string;
  readonly act?: CallerAct;
  /** How often in one round. */
  readonly often: number;
  readonly can: (stage: FaultSetup) => boolean;
  readonly strike: (struck: FaultContext) => Promise<void>;
}

const anywhere = () => true;
const onServer = ({ server }: FaultSetup) => server !== null;

const slotOf = ({ stage, draw }: FaultContext): Slot => oneOf(stage.slots, draw);

/** @throws Error on SQLite, which has no such faults */
const backOf = (struck: FaultContext): FaultyProxy => {
  const { back } = slotOf(struck);
  if (back === null) throw new Error("there is no way to a server");
  return back;
};

const halfOpen = async (proxy: FaultyProxy, struck: FaultContext): Promise<void> => {
  proxy.hold(oneOf<ProxyDirection | "both">(["to_client", "to_server", "both"], struck.draw));
  await sleep(300 + 500 * struck.draw());
  proxy.cutAll();
  proxy.hold(null);
};

const late = async (proxy: FaultyProxy, struck: FaultContext): Promise<void> => {
  proxy.delay(20 + 80 * struck.draw());
  await sleep(500);
  proxy.delay(0);
};

const garble = async (proxy: FaultyProxy, struck: FaultContext): Promise<void> => {
  proxy.garble(3, struck.draw);
  await sleep(300);
  proxy.garble(0, struck.draw);
  proxy.cutAll();
};

const skew = async (services: readonly Child[], ms: number): Promise<void> => {
  for (const service of services) service.say(`skew ${ms}`);
  await sleep(600);
  for (const service of services) service.say("skew 0");
};

export const FAULTS: readonly FaultDefinition[] = [
  {
    name: "kill -9 of a service",
    act: "process kills",
    often: 12,
    can: anywhere,
    async strike(struck) {
      const slot = slotOf(struck);
      await slot.kill();
      await slot.start();
    },
  },
  {
    name: "kill -9 of the database",
    act: "database kills",
    often: 3,
    can: onServer,
    async strike({ stage }) {
      stage.server?.crash();
      await stage.startServer();
    },
  },
  {
    name: "database lost with a commit",
    act: "database kills",
    often: 1,
    can: onServer,
    async strike(struck) {
      const back = backOf(struck);
      const before = back.commits_cut;
      back.cutCommit("after");
      while (back.commits_cut === before) await sleep(1);
      await sleep(5);
      struck.stage.server?.crash();
      await sleep(AWAY_MS);
      await struck.stage.startServer();
    },
  },
  {
    name: "stopped for longer than the lease",
    act: "stops beyond the lease",
    often: 2,
    can: anywhere,
    async strike(struck) {
      const slot = slotOf(struck);
      slot.service().signal("SIGSTOP");
      await sleep(LEASE_MS + 1_000);
      slot.service().signal("SIGCONT");
    },
  },
  {
    name: "stopped while another's clock passes its lease",
    often: 1,
    can: anywhere,
    async strike({ stage, draw }) {
      const [sleeper, other] = draw() < 0.5 ? stage.slots : stage.slots.toReversed();
      sleeper?.service().signal("SIGSTOP");
      other?.service().say(`skew ${2 * LEASE_MS}`);
      await sleep(600);
      other?.service().say("skew 0");
      sleeper?.service().signal("SIGCONT");
    },
  },
  {
    name: "connections to the database cut",
    act: "cut connections",
    often: 2,
    can: onServer,
    strike: async (at) => backOf(at).cutAll(),
  },
  {
    name: "cut before a commit",
    act: "cut connections",
    often: 1,
    can: onServer,
    strike: async (at) => backOf(at).cutCommit("before"),
  },
  {
    name: "cut after a commit",
    act: "cut connections",
    often: 1,
    can: onServer,
    strike: async (at) => backOf(at).cutCommit("after"),
  },
  { name: "database half open", often: 1, can: onServer, strike: (at) => halfOpen(backOf(at), at) },
  { name: "database late", often: 1, can: onServer, strike: (at) => late(backOf(at), at) },
  { name: "database garbled", often: 1, can: onServer, strike: (at) => garble(backOf(at), at) },
  {
    name: "callers cut off",
    act: "cut connections",
    often: 1,
    can: anywhere,
    strike: async (at) => slotOf(at).front.cutAll(),
  },
  { name: "callers half open", often: 1, can: anywhere, strike: (at) => halfOpen(slotOf(at).front, at) },
  { name: "callers late", often: 1, can: anywhere, strike: (at) => late(slotOf(at).front, at) },
  {
    name: "callers garbled",
    often: 1,
    can: anywhere,
    async strike(struck) {
      struck.garbling.count += 1;
      await garble(slotOf(struck).front, struck);
      await sleep(50);
      struck.garbling.count += 1;
    },
  },
  {
    name: "one clock ahead",
    often: 1,
    can: anywhere,
    strike: (at) => skew([slotOf(at).service()], oneOf([2 * LEASE_MS, SKEW_MAX_MS], at.draw)),
  },
  {
    name: "one clock behind",
    often: 1,
    can: anywhere,
    strike: (at) => skew([slotOf(at).service()], -oneOf([2 * LEASE_MS, 3_600_000, SKEW_MAX_MS], at.draw)),
  },
  {
    name: "all clocks jump",
    often: 1,
    can: anywhere,
    strike: ({ stage, draw }) =>
      skew(
        stage.slots.map(({ service }) => service()),
        oneOf([2 * LEASE_MS, SKEW_MAX_MS, -3_600_000], draw),
      ),
  },
  { name: "full disk", often: 1, can: ({ disk }) => disk !== null, strike: (at) => fullDisk(at) },
  {
    name: "price change",
    often: 2,
    can: anywhere,
    async strike({ store, draw }) {
      const tool = oneOf(["answer", "find_nothing", "wait"], draw);
      await store.prices.set(tool, draw() < 0.2 ? null : 1 + Math.floor(9 * draw()));
      await sleep(200);
      await store.prices.set(tool, 1 + Math.floor(9 * draw()));
    },
  },
  {
    name: "plan change",
    often: 2,
    can: anywhere,
    async strike({ store, customers, draw }) {
      const { account_id } = oneOf(customers, draw);
      await store.accounts.setPlan(account_id, { plan: "narrow" });
      await sleep(200);
      await store.accounts.setPlan(account_id, { plan: "wide" });
    },
  },
  {
    name: "key rotation",
    often: 2,
    can: anywhere,
    async strike({ store, customers, draw }) {
      const customer = oneOf(customers, draw);
      const rotated = await store.keys.rotate(customer.key_id, oneOf([1, 3_600], draw));
      await sleep(200);
      customer.secret = rotated.secret;
    },
  },
];

/** Most time that the disk stays full: a store that has room in its log continues for a while. */
const FULL_MAX_MS = 8_000;

const fullDisk = async ({ stage, clients }: FaultContext): Promise<void> => {
  const before = clients.failed();
  const until = performance.now() + FULL_MAX_MS;
  stage.disk?.fill();
  try {
    while (clients.failed() < before + 20 && performance.now() < until) await sleep(50);
  } finally {
    stage.disk?.clear();
  }
  // The log of a full disk is the last thing that makes PostgreSQL give up.
  if (stage.server !== null && !stage.server.is_running()) await stage.startServer();
};
