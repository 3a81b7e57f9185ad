import { afterAll, beforeAll, expect, test } from "vitest";
import { logOf, word } from "../../../../../test/bridge_logs.ts";
import {
  type AcrossTransfer,
  BRIDGED,
  type BridgedNetwork,
  BridgeWorld,
  CHAIN_IDS,
  deposited,
  EXCHANGE,
  filled,
  MIXER,
  POOLS,
  RELAYER,
  THIEF,
  USDC,
  WETH,
} from "../../../../../test/bridge_world.ts";
import { openTestFacts, type TestFacts } from "../../../../../test/facts_store.ts";
import { fixedChain } from "../../../../../test/fixed_chain.ts";
import { addressOf } from "../../../../../test/value_rows.ts";
import type { Chain } from "../../../../chains/chain.ts";
import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import { type Hex, hex } from "../../../../lib/bytes.ts";
import { SILENT_OPERATOR } from "../../../operator.ts";
import { readHistory } from "../../../wallet/history/history.ts";
import { networkTrails } from "../findings.ts";
import { traceWallet } from "../wallet_trace.ts";
import { bridgesBetween } from "./follow.ts";

const MESSENGER = hex("bd3fa81b58ba92a82136038b25adec7066af3155");
const TRANSMITTER = hex("ad09780d193884d503182ad4588450c416d6f9d4");
const [FAKE, MINTER] = [addressOf(0x105), addressOf(0x106)];
const who = (story: number, nth = 0): Hex => addressOf(0x1_000 + story * 0x20 + nth);

const world = new BridgeWorld();
const pay: BridgeWorld["pay"] = (...args) => world.pay(...args);

/** Ether leaves Ethereum through the pool of Across. */
const leave = (block: number, moved: AcrossTransfer, payer = moved.payer): Hex =>
  pay("ethereum", block, [payer, POOLS.ethereum, 100], { logs: [deposited(moved)] });

const [TWINS, RELAYED, MINTED, FORGED, ELSEWHERE, HOLLOW, CROSSED, REPEATED, UNMADE] = Array.from(
  { length: 9 },
  (_, i) => i,
) as [number, number, number, number, number, number, number, number, number]; // nine

// First stolen ether leaves, then clean ether; the clean ether arrives first.
const twin = who(TWINS);
const twin_txs = [pay("ethereum", 101, [THIEF, twin, 100]), leave(102, { id: 1, payer: twin })];
pay("ethereum", 103, [EXCHANGE, twin, 100]);
leave(104, { id: 2, payer: twin });
pay("base", 105, [POOLS.base, twin, 99], { logs: [filled({ id: 2, payer: twin })] });
pay("base", 106, [twin, who(TWINS, 1), 99]);
twin_txs.push(pay("base", 107, [POOLS.base, twin, 99], { logs: [filled({ id: 1, payer: twin })] }));
twin_txs.push(pay("base", 108, [twin, who(TWINS, 2), 99]));

// 1,000 dollars to another address, from an account that no label names.
const relayed = { id: 3, payer: who(RELAYED), receiver: who(RELAYED, 1), given: 1_000_000_000n, got: 990_000_000n };
pay("ethereum", 101, [THIEF, who(RELAYED), 1_000_000_000n]);
const relayed_from = pay("ethereum", 102, [who(RELAYED), POOLS.ethereum, 1_000_000_000n], {
  logs: [deposited(relayed)],
});
pay("base", 101, [EXCHANGE, RELAYER, 990_000_000n]);
const relayed_to = pay("base", 103, [RELAYER, who(RELAYED, 1), 990_000_000n], {
  to: POOLS.base,
  logs: [filled(relayed)],
});
pay("base", 104, [who(RELAYED, 1), MIXER, 495_000_000n]);

// 500 dollars are burnt and minted. Ethereum is domain 0, Base domain 6.
const owner = who(MINTED);
pay("ethereum", 101, [THIEF, owner, 500_000_000n]);
pay("ethereum", 102, [owner, MINTER, 500_000_000n], {
  to: MESSENGER,
  logs: [
    logOf(MESSENGER, INTERFACES.cctp.DepositForBurn, [
      [word(44), word(USDC), word(owner)],
      [word(500_000_000), word(owner), word(6), word(0), word(0)],
    ]),
  ],
});
const burnt = `00000000${word(USDC)}${word(owner)}${word(500_000_000)}${word(owner)}`.padEnd(320, "0");
pay("base", 120, [hex(""), owner, 500_000_000n], {
  to: TRANSMITTER,
  logs: [
    logOf(TRANSMITTER, INTERFACES.cctp.MessageReceived, [
      [word(owner), word(44)],
      [word(0), word(MESSENGER), word(96), word(132), hex(burnt)],
    ]),
  ],
});

// A contract of its own logs the fill of a real deposit.
const forged = { id: 5, payer: who(FORGED), receiver: who(FORGED, 1) };
pay("ethereum", 101, [THIEF, who(FORGED), 100]);
leave(102, forged);
pay("base", 103, [FAKE, who(FORGED, 1), 99], { logs: [filled(forged, FAKE)] });

// The deposit is for Base, and the fill on Optimism has its number.
const elsewhere = { id: 6, payer: who(ELSEWHERE) };
pay("ethereum", 101, [THIEF, who(ELSEWHERE), 100]);
leave(102, elsewhere);
pay("optimism", 103, [POOLS.optimism, who(ELSEWHERE), 99], { logs: [filled({ ...elsewhere, to: "optimism" })] });

// The deposit names an account that paid nothing in it.
const hollow = { id: 7, payer: who(HOLLOW), receiver: who(HOLLOW, 1) };
pay("ethereum", 101, [THIEF, who(HOLLOW), 100]);
pay("ethereum", 101, [EXCHANGE, who(HOLLOW, 2), 100]);
leave(102, hollow, who(HOLLOW, 2));
pay("ethereum", 103, [who(HOLLOW), who(HOLLOW, 3), 100]);
pay("base", 103, [POOLS.base, who(HOLLOW, 1), 99], { logs: [filled(hollow)] });

// Owner, coin, amount and time fit; the fill is that of another deposit.
pay("ethereum", 101, [THIEF, who(CROSSED), 100]);
leave(102, { id: 8, payer: who(CROSSED) });
pay("base", 103, [POOLS.base, who(CROSSED), 99], {
  logs: [filled({ id: 9, payer: who(CROSSED, 1), receiver: who(CROSSED) })],
});

// A fill of a deposit that was never made, from an account with stolen money.
pay("base", 101, [THIEF, who(UNMADE), 990_000_000n]);
const unmade = { id: 10, payer: who(UNMADE, 2), receiver: who(UNMADE, 1), given: 1_000_000_000n, got: 990_000_000n };
pay("base", 102, [who(UNMADE), who(UNMADE, 1), 990_000_000n], { to: POOLS.base, logs: [filled(unmade)] });

// Without a log on either side.
pay("ethereum", 101, [THIEF, who(REPEATED), 100]);
pay("ethereum", 102, [who(REPEATED), POOLS.ethereum, 100]);
pay("base", 103, [POOLS.base, who(REPEATED), 99]);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await world.seed(store);
});
afterAll(() => store.close());

const chainsOf = (down: boolean): ReadonlyMap<string, Chain> =>
  new Map(
    BRIDGED.map((id) => [
      id,
      fixedChain({
        network: {
          ...{ id, name: id, chain_id: CHAIN_IDS[id], wrapped_native: WETH },
          stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }],
        },
        transactions: world.seenOn(id),
        down,
      }),
    ]),
  );

const traced = async (wallet: Hex, on: BridgedNetwork, { down = false, read = [] as string[] } = {}) => {
  const chains = chainsOf(down);
  const chainOf = (id: string): Chain => {
    const chain = chains.get(id) ?? fixedChain();
    return {
      ...chain,
      transaction: (hash, signal) => {
        read.push(`${id} ${hash}`);
        return chain.transaction(hash, signal);
      },
    };
  };
  const snapshot = await store.facts.snapshot(on, null);
  const scope = { facts: store.facts, chain: chainOf(on), snapshot, signal: new AbortController().signal };
  const life = await readHistory(scope, wallet, { from: 0, until: snapshot.block.time + 1 });
  const bridges = bridgesBetween({ networks: BRIDGED, chain: chainOf, facts: store.facts }, "haircut");
  const walk = await traceWallet({ scope, operator: SILENT_OPERATOR }, life, { bridges });
  const { followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd } = walk.coverage;
  return {
    trails: networkTrails([{ scope, walk }]).map(({ category, trail }) => ({
      found: [category, trail.direction, Math.round(trail.usd), trail.hops],
      confidence: trail.beyond?.confidence,
      path: [...(trail.beyond?.trail.path ?? []), ...trail.path],
      txs: [...(trail.beyond?.trail.tx_hashes ?? []), ...trail.tx_hashes],
    })),
    split: [followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd].map(Math.round),
  };
};

const foundIn = ({ trails }: Awaited<ReturnType<typeof traced>>) =>
  trails.map(({ found, confidence }) => [...found, confidence]);

test("two equal crossings of one owner within the hour stay apart", async () => {
  // 99 ether each.
  const clean = await traced(who(TWINS, 1), "base");
  expect([foundIn(clean), clean.split]).toEqual([[], [0, 247_500, 0, 0]]);
  const stolen = await traced(who(TWINS, 2), "base");
  expect([foundIn(stolen), stolen.split]).toEqual([[["theft_or_exploit", "in", 247_500, 4, 0.99]], [247_500, 0, 0, 0]]);
  expect(stolen.trails[0]?.txs).toEqual(twin_txs);
});

test("without an answer of the nodes both stay open", async () => {
  const found = await traced(who(TWINS, 2), "base", { down: true });
  expect([foundIn(found), found.split]).toEqual([[], [0, 0, 247_500, 0]]);
});

test("without an answer of the nodes, and without ids, sides match by owner, coin, amount and time", async () => {
  for (const down of [true, false])
    expect(foundIn(await traced(who(REPEATED), "base", { down }))).toEqual([
      ["theft_or_exploit", "in", 247_500, 3, 0.9],
    ]);
});

test("an unlabelled relayer's payment to another address is followed to the deposit, for two reads", async () => {
  const read: string[] = [];
  const receiver = who(RELAYED, 1);
  const found = await traced(receiver, "base", { read });
  expect(foundIn(found)).toEqual([
    ["theft_or_exploit", "in", 990, 3, 0.99],
    ["mixer", "out", 495, 1, undefined],
  ]);
  // The path names the bridge, not its relayer.
  expect(found.trails[0]?.path).toEqual([THIEF, who(RELAYED), hex("00"), POOLS.base, receiver]);
  expect(read.sort()).toEqual([`base ${relayed_to}`, `ethereum ${relayed_from}`]);
  // Without the nodes the relayer paid, with money of an exchange.
  expect((await traced(receiver, "base", { down: true })).split).toEqual([495, 990, 0, 0]);
});

test("money that leaves to another address is followed there", async () => {
  // Half of what arrived goes to the mixer: 500 of 1,000 dollars.
  expect(foundIn(await traced(who(RELAYED), "ethereum"))).toEqual([
    ["theft_or_exploit", "in", 1_000, 1, undefined],
    // To the bridge, to the receiver, to the mixer.
    ["mixer", "out", 500, 3, 0.99],
  ]);
});

test("minted dollars are those that were burnt, hours before", async () => {
  expect(foundIn(await traced(owner, "base"))).toEqual([["theft_or_exploit", "in", 500, 3, 0.99]]);
});

test.each([
  ["the log of a contract that is not the bridge's", FORGED, who(FORGED, 1), "base", [0, 0, 0, 247_500]],
  ["a deposit for another network", ELSEWHERE, who(ELSEWHERE), "optimism", [0, 0, 247_500, 0]],
  ["a deposit whose named owner paid nothing", HOLLOW, who(HOLLOW, 1), "base", [0, 0, 247_500, 0]],
  ["an equal amount of another deposit", CROSSED, who(CROSSED), "base", [0, 0, 247_500, 0]],
] as const)("%s is no other side", async (_, _story, wallet, on, split) => {
  const found = await traced(wallet, on);
  expect([foundIn(found), found.split]).toEqual([[], split]);
});

test("a fill without a deposit does not hide the money of its relayer", async () => {
  expect(foundIn(await traced(who(UNMADE, 1), "base"))).toEqual([["theft_or_exploit", "in", 990, 2, undefined]]);
});

test("the sender of a forged fill's deposit is not followed to its receiver", async () => {
  // 100 stolen ether came, and 100 left over the bridge.
  expect((await traced(who(FORGED), "ethereum")).split).toEqual([250_000, 0, 250_000, 0]);
});
