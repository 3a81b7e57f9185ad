import { describe, expect, test } from "vitest";
import { logOf, word } from "../../test/bridge_logs.ts";
import { INTERFACES } from "../knowledge/names.gen.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { isOneCrossing, mayCrossTo, type StatedCrossing, statedCrossings } from "./bridge_ids.ts";

const ETHEREUM = { id: "ethereum", chain_id: 1 };
const BASE = { id: "base", chain_id: 8453 };
const OPTIMISM = { id: "optimism", chain_id: 10 };
const POLYGON = { id: "polygon", chain_id: 137 };

const only = (stated: readonly StatedCrossing[]): StatedCrossing => {
  expect(stated).toHaveLength(1);
  return stated[0] as StatedCrossing; // its length is one
};

const [PAYER, RECEIVER, RELAYER, USDC_THERE] = ["a1", "b2", "c3", "d4"].map((end) => hex(end.padStart(40, "1"))) as [
  Hex,
  Hex,
  Hex,
  Hex,
]; // four texts are four addresses
const POOL_ETHEREUM = hex("5c7bcd6e7de5423a257d81b442095a1a6ced35c5");
const POOL_BASE = hex("09aea4b2242abc8bb4bb78d537a67a245a7bec64");

/** Deposit 7 of 1,000 on Ethereum for 990 on Base. */
const deposit = (to = 8453) =>
  logOf(POOL_ETHEREUM, INTERFACES.across.FundsDeposited, [
    [word(to), word(7), word(PAYER)],
    [
      word(USDC_THERE),
      word(0),
      word(1_000),
      word(990),
      word(1),
      word(2),
      word(0),
      word(RECEIVER),
      word(0),
      word(320),
      word(0),
    ],
  ]);
const fill = ({ at = POOL_BASE, receiver = RECEIVER, from = 1 } = {}) =>
  logOf(at, INTERFACES.across.FilledRelay, [
    [word(from), word(7), word(RELAYER)],
    [
      word(USDC_THERE),
      word(USDC_THERE),
      word(1_000),
      word(990),
      word(8453),
      word(2),
      word(0),
      word(0),
      word(PAYER),
      word(receiver),
      word(0),
      word(receiver),
      word(0),
      word(990),
      word(0),
    ],
  ]);

describe("Across", () => {
  const left = only(statedCrossings([deposit()], ETHEREUM));

  test("a deposit and its fill state one id, who paid and who received", () => {
    expect(left).toMatchObject({
      bridge: "across",
      is_arrival: false,
      account: PAYER,
      other_account: RECEIVER,
      amount: 1_000n,
    });
    const came = only(statedCrossings([fill()], BASE));
    expect(came).toMatchObject({
      is_arrival: true,
      account: RECEIVER,
      other_account: PAYER,
      amount: 990n,
      other_network: 1n,
    });
    expect(isOneCrossing(left, came)).toBe(true);
    expect(isOneCrossing(left, left)).toBe(false);
    expect([ETHEREUM, BASE, OPTIMISM].map((network) => mayCrossTo(left, network))).toEqual([false, true, false]);
    expect([ETHEREUM, BASE, OPTIMISM].map((network) => mayCrossTo(came, network))).toEqual([true, false, false]);
  });

  test.each([
    ["for another receiver", fill({ receiver: RELAYER }), BASE],
    ["of a deposit on another network", fill({ from: 10 }), BASE],
    ["on another network", fill({ at: hex("6f26bf09b1c792e3228e5467807a900a503c0281") }), OPTIMISM],
  ])("a fill %s is another crossing", (_, log_of_fill, network) => {
    expect(isOneCrossing(left, only(statedCrossings([log_of_fill], network)))).toBe(false);
  });

  test("a contract that is not the bridge's own on that network states nothing", () => {
    expect(statedCrossings([fill({ at: RELAYER })], BASE)).toEqual([]);
    expect(statedCrossings([fill({ at: POOL_ETHEREUM })], BASE)).toEqual([]);
  });

  test("a log that is cut anywhere states nothing or the same, and never throws", () => {
    const whole = fill();
    for (let length = 0; length < whole.data.length; length += 1)
      expect(statedCrossings([{ ...whole, data: whole.data.subarray(0, length) }], BASE)).toEqual([]);
    for (let count = 0; count < 4; count += 1)
      expect(statedCrossings([{ ...whole, topics: whole.topics.slice(0, count) }], BASE)).toEqual([]);
  });
});

describe("CCTP", () => {
  // Ethereum is domain 0 and Polygon 7.
  const burn = logOf(hex("bd3fa81b58ba92a82136038b25adec7066af3155"), INTERFACES.cctp.DepositForBurn, [
    [word(44), word(USDC_THERE), word(PAYER)],
    [word(500), word(RECEIVER), word(7), word(0), word(0)],
  ]);
  const body = `00000000${word(USDC_THERE)}${word(RECEIVER)}${word(500)}${word(PAYER)}`;
  const received = (length = 132) =>
    logOf(hex("f3be9355363857f3e001be68856a2f96b4c39ba9"), INTERFACES.cctp.MessageReceived, [
      [word(RELAYER), word(44)],
      [word(0), word(PAYER), word(96), word(length), hex(body.padEnd(320, "0"))],
    ]);

  test("both sides state domain and nonce, and the message who receives how much", () => {
    const came = only(statedCrossings([received()], POLYGON));
    expect(came).toMatchObject({ account: RECEIVER, other_account: PAYER, amount: 500n });
    const left = only(statedCrossings([burn], ETHEREUM));
    expect(isOneCrossing(left, came)).toBe(true);
    expect([POLYGON, BASE].map((network) => mayCrossTo(left, network))).toEqual([true, false]);
  });

  test("a message that ends early keeps its id and names no account", () => {
    const came = only(statedCrossings([received(60)], POLYGON));
    expect(came).toMatchObject({ account: null, other_account: null, amount: null, other_network: 0n });
    // Beyond the data.
    expect(only(statedCrossings([received(2 ** 40)], POLYGON)).account).toBe(RECEIVER);
  });
});

test("the same withdrawal hash of two roll-ups is two crossings", () => {
  const hash = word(hex("ab".repeat(32)));
  const passed = logOf(hex("4200000000000000000000000000000000000016"), INTERFACES.op_withdrawals.MessagePassed, [
    [word(1), word(PAYER), word(RECEIVER)],
    [word(5), word(0), word(128), hash, word(0)],
  ]);
  const finalized = logOf(
    hex("49048044d57e1c92a77f79988d21fa8faf74e97e"),
    INTERFACES.op_withdrawals.WithdrawalFinalized,
    [[hash], [word(1)]],
  );
  const came = only(statedCrossings([finalized], ETHEREUM));
  expect(isOneCrossing(only(statedCrossings([passed], BASE)), came)).toBe(true);
  expect(isOneCrossing(only(statedCrossings([passed], OPTIMISM)), came)).toBe(false);
  expect([BASE, OPTIMISM].map((network) => mayCrossTo(came, network))).toEqual([true, false]);
});

test("zeros are no id", () => {
  const sent = (guid: Hex) =>
    logOf(hex("77b2043768d28e9c9ab44e1abfc95944bce57931"), INTERFACES.layerzero_oft.OFTSent, [
      [guid, word(PAYER)],
      [word(30), word(9), word(9)],
    ]);
  expect(statedCrossings([sent(word(0))], ETHEREUM)).toEqual([]);
  expect(only(statedCrossings([sent(word(3))], ETHEREUM))).toMatchObject({ account: PAYER, amount: 9n });
});

test("a transfer of Wormhole is its sender and sequence, and its payload names the receiver", () => {
  // Type 1, amount, token, its chain 2, receiver, chain 5 (Polygon), fee.
  const payload = `01${word(9)}${word(USDC_THERE)}0002${word(RECEIVER)}0005${word(0)}`;
  const bridge = hex("3ee18b2214aff97000d974cf647e7c347e8fa585");
  const left = only(
    statedCrossings(
      [
        logOf(hex("98f3c9e6e3face36baad05fe09d375ef1464288b"), INTERFACES.wormhole.LogMessagePublished, [
          [word(bridge)],
          [word(12), word(0), word(128), word(1), word(133), hex(payload.padEnd(320, "0"))],
        ]),
      ],
      ETHEREUM,
    ),
  );
  expect(left).toMatchObject({ other_account: RECEIVER, other_network: 5n });
  const redeemed = logOf(hex("5a58505a96d1dbf8df91cb21b54419fc36e93fde"), INTERFACES.wormhole.TransferRedeemed, [
    [word(2), word(bridge), word(12)],
    [],
  ]);
  expect(isOneCrossing(left, only(statedCrossings([redeemed], POLYGON)))).toBe(true);
});
