import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { freezable, freezeContext, freezeHash, knows } from "../../../../test/freeze_scenario.ts";
import type { PastLog, PastLogsQuery } from "../../../chains/account_history.ts";
import type { FreezeEvent, IssuerCoin } from "../../../knowledge/issuer.ts";
import { familiesOf, topicOf } from "../../../labels/issuers/index.ts";
import { EMPTY, fromHex, type Hex, hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { checkFreezes } from "./freezes.ts";
import type { FreezeScope } from "./node_events.ts";
import { readPresentFreezes } from "./present_freezes.ts";

/** A network that is read on demand: the node has the events of the issuers. */

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const [BAD, FREED, CLEAN] = [testAddress(0xbad), testAddress(0xf4eed), testAddress(0xc1ea)];
const [bad, freed, clean] = [toHex(BAD), toHex(FREED), toHex(CLEAN)];
const CIRCLE = freezable("USDC", testAddress(0xc1), ["circle"]);
const NEW = freezable("USDT0", testAddress(0xc3), ["tether_new"]);
const BATCH = freezable("USDtb", testAddress(0xc5), ["batch_blocked"]);

const padded = (account: Uint8Array): string => toHex(account).padStart(64, "0");

/** The log of an event with its account at the place that its family says. */
const logOf = (
  coin: IssuerCoin,
  effect: FreezeEvent["effect"],
  at: { block: number; account: Uint8Array },
): PastLog => {
  const event = familiesOf(coin)
    .flatMap(({ events }) => events)
    .find((one) => one.effect === effect);
  if (event === undefined) throw new Error(`${coin.symbol} has no ${effect}`);
  const is_indexed = event.account_at === "topic1";
  // `address[]` of one account: where the list begins, how long it is, and the account.
  const list = `${"20".padStart(64, "0")}${"1".padStart(64, "0")}${padded(at.account)}`;
  const [topic, data] = is_indexed ? [hex(padded(at.account)), hex("")] : [null, hex(list)];
  return {
    ...{
      address: fromHex(coin.address) ?? EMPTY,
      data: fromHex(data) ?? EMPTY,
      index: 0,
      block: at.block,
      tx_index: 0,
    },
    ...{ topics: [topicOf(event), topic].flatMap((one) => (one === null ? [] : (fromHex(one) ?? EMPTY))) },
    ...{ tx_hash: toHex(freezeHash(at.block)), time: 5_000 + at.block },
  };
};

interface IssuerStory {
  readonly coins: readonly IssuerCoin[];
  readonly logs: readonly PastLog[];
  readonly answer?: ReturnType<typeof knows>;
  readonly needs_history?: boolean;
  readonly down?: boolean;
}

const onDemand = async ({ coins, logs, answer = knows([]), needs_history = false, down = false }: IssuerStory) => {
  const scope = await freezeContext(store, { coins, answer, is_watched: false });
  const asked: PastLogsQuery[] = [];
  const past = {
    doubt: { code: "DOUBT", message: () => "" },
    find: () => Promise.reject(new Error("no account is searched")),
    logs: async (query: PastLogsQuery) => {
      if (down) throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "no node" });
      asked.push(query);
      const isWanted = ({ address, block }: PastLog) =>
        query.addresses.includes(toHex(address)) && block >= query.from && block <= query.to;
      return { logs: logs.filter(isWanted), requests: 1 };
    },
  };
  const snapshot = { ...scope.snapshot, followed: { is_plain: true, addresses: [] } };
  const place: FreezeScope = { ...scope, chain: { ...scope.chain, past }, snapshot, needs_history };
  return { place, asked };
};

const statesOf = async (scope: FreezeScope, accounts: readonly Hex[]) =>
  Promise.all(
    accounts.map(async (account) => {
      const [check] = await checkFreezes(scope, account);
      return [check?.status, check?.is_frozen, check?.method, check?.history.map(({ effect }) => effect)];
    }),
  );

const story = (coin: IssuerCoin): readonly PastLog[] => [
  logOf(coin, "freeze", { block: 5, account: BAD }),
  logOf(coin, "freeze", { block: 6, account: FREED }),
  logOf(coin, "unfreeze", { block: 9, account: FREED }),
];

test("a coin without a view is judged by its events, which are read once", async () => {
  const { place, asked } = await onDemand({ coins: [BATCH], logs: story(BATCH) });
  const expected = [
    ["ok", true, "events", ["freeze"]],
    ["ok", false, "events", ["freeze", "unfreeze"]],
    ["ok", false, "events", []],
  ];
  expect(await statesOf(place, [bad, freed, clean])).toEqual(expected);
  expect(await statesOf(place, [bad, freed, clean])).toEqual(expected);
  expect(asked.map(({ from, to }) => [from, to])).toEqual([[1, 20]]);
});

test("a view without a read source is tested on an account that events state as frozen", async () => {
  const found = async (known: readonly Hex[]) => {
    const answer = knows(known, "isBlocked(address)");
    return statesOf((await onDemand({ coins: [NEW], logs: story(NEW), answer })).place, [bad, clean]);
  };
  const view = "isBlocked(address)";
  expect(await found([bad])).toEqual([
    ["ok", true, view, ["freeze"]],
    ["ok", false, view, []],
  ]);
  // It contradicts the events.
  expect((await found([])).map(([status]) => status)).toEqual(["failed", "failed"]);
});

test("earlier freezes of a coin with a trusted view are read where an answer needs them", async () => {
  const scene = { coins: [CIRCLE], logs: story(CIRCLE), answer: knows([bad]) };
  const view = "isBlacklisted(address)";
  expect(await statesOf((await onDemand(scene)).place, [freed])).toEqual([["ok", false, view, []]]);
  expect(await statesOf((await onDemand({ ...scene, needs_history: true })).place, [freed])).toEqual([
    ["ok", false, view, ["freeze", "unfreeze"]],
  ]);
});

test("without an answer of a node nothing is known", async () => {
  const { place } = await onDemand({ coins: [BATCH], logs: [], down: true });
  expect(await statesOf(place, [clean])).toEqual([["failed", null, "events", []]]);
  expect((await readPresentFreezes(place, [bad, clean])).unknown).toEqual([bad, clean]);
});

test("freezes in force of many accounts come from views, and from events of coins without one", async () => {
  const logs = [logOf(BATCH, "freeze", { block: 7, account: FREED })];
  const { place } = await onDemand({ coins: [BATCH, CIRCLE], logs, answer: knows([bad]) });
  const { frozen, unknown } = await readPresentFreezes(place, [bad, freed, clean]);
  expect(frozen.map(({ account, coin, since }) => [account, coin.symbol, since?.block_number ?? null]).sort()).toEqual(
    [
      [bad, "USDC", null],
      [freed, "USDtb", 7],
    ].sort(),
  );
  expect(unknown).toEqual([]);
});
