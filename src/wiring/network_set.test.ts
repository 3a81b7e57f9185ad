import { expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import type { OpenChain } from "../chains/open_chain.ts";
import type { LeasedIndexer } from "../indexer/leased_indexer.ts";
import { silentLog } from "../lib/log.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import { NetworkSet } from "./network_set.ts";

const LINGER_MS = 50;

/** A set of networks without nodes, with a log of the events of each. */
const openSet = () => {
  const events: string[] = [];
  const faulty = new Set<string>();
  const stop = new AbortController();
  const set = new NetworkSet({
    open: async ({ network, rpc }) => {
      const name = `${network.id} of ${rpc[0]}`;
      if (faulty.has(String(rpc[0]))) throw new Error("no address");
      const close = async () => void events.push(`${name} closed`);
      const chain: OpenChain = {
        ...fixedChain({ network: { id: network.id } }),
        disagreements: 0,
        endpoints: [],
        probe: async () => [],
        close,
      };
      const run: LeasedIndexer["run"] = ({ signal }) =>
        new Promise((resolve) => {
          events.push(`${name} indexes`);
          // An indexer takes a moment to finish its writes.
          const end = () => setTimeout(() => resolve(void events.push(`${name} ended`)), 20);
          signal.addEventListener("abort", end, { once: true });
        });
      // The test uses no other method of an indexer.
      return { chain, indexer: { run } as LeasedIndexer };
    },
    how: { once: false, wait_ms: null },
    linger_ms: LINGER_MS,
    log: silentLog,
    stop: stop.signal,
  });
  return { set, events, faulty };
};

const network = (id: string, rpc = "a"): EnabledNetwork => ({
  network: fixedChain({ network: { id } }).network,
  rpc: [rpc],
  ...{ from_block: 0, to_block: null, poll_ms: 1, venues: [], openings: "skip" },
});
const wanted = (...enabled: EnabledNetwork[]) => ({ enabled, disabled: [] });
const ids = ({ chains }: NetworkSet) => chains.map((chain) => chain.network.id);

test("the shared array gains and loses networks, and an unchanged network keeps running", async () => {
  const { set, events } = openSet();
  const { chains } = set;
  await set.apply(wanted(network("one")));
  await set.apply(wanted(network("two"), network("one")));
  expect(ids(set)).toEqual(["two", "one"]);
  expect(set.open.map(({ chain }) => chain.network.id)).toEqual(["two", "one"]);
  expect(set.chains).toBe(chains);
  await set.apply(wanted(network("two")));
  expect(ids(set)).toEqual(["two"]);
  expect(events).toEqual(["one of a indexes", "two of a indexes", "one of a ended"]);
  await set.close();
});

test("a network with a changed configuration is opened first, and its indexers never run at the same time", async () => {
  const { set, events } = openSet();
  await set.apply(wanted(network("one")));
  await set.apply(wanted(network("one", "b")));
  await expect.poll(() => events).toContain("one of b indexes");
  expect(events.slice(0, 3)).toEqual(["one of a indexes", "one of a ended", "one of b indexes"]);
  await set.close();
});

test("a running call finds its network's nodes until its deadline, then they are closed", async () => {
  const { set, events } = openSet();
  await set.apply(wanted(network("one"), network("two")));
  const before = set.find("one");
  await set.apply(wanted(network("two")));
  expect(ids(set)).toEqual(["two"]);
  expect(set.find("one")).toBe(before);
  expect(events).not.toContain("one of a closed");
  await expect.poll(() => events).toContain("one of a closed");
  expect(set.find("one")).toBe(undefined);
  await set.close();
  expect(events.at(-1)).toBe("two of a closed");
});

test("a network that cannot be opened with its new configuration keeps running with the old one, and a new network is reported", async () => {
  const { set, faulty } = openSet();
  await set.apply(wanted(network("one")));
  faulty.add("bad");
  await set.apply(wanted(network("one", "bad"), network("new", "bad")));
  expect(ids(set)).toEqual(["one"]);
  expect(set.enabled[0]?.rpc).toEqual(["a"]);
  expect([...set.absent]).toEqual([["new", "no address"]]);
  await set.close();
});

test("a network that cannot be opened ends the start", async () => {
  const { set, faulty } = openSet();
  faulty.add("bad");
  await expect(set.apply(wanted(network("one", "bad")))).rejects.toThrow("no address");
  await set.close();
});

test("a disabled network is reported with the reason", async () => {
  const { set } = openSet();
  await set.apply({ enabled: [network("one")], disabled: ["off"] });
  expect([...set.absent.keys()]).toEqual(["off"]);
  await set.apply(wanted(network("one"), network("off")));
  expect([ids(set), [...set.absent]]).toEqual([["one", "off"], []]);
  await set.close();
});

test("an indexer ends before its connection is closed, also that of a removed network that ends meanwhile", async () => {
  const { set, events } = openSet();
  await set.apply(wanted(network("one"), network("two")));
  await set.apply(wanted(network("two")));
  await set.close();
  for (const name of ["one", "two"]) {
    const [ended, closed] = [events.indexOf(`${name} of a ended`), events.indexOf(`${name} of a closed`)];
    expect([name, ended >= 0 && closed > ended]).toEqual([name, true]);
  }
});
