import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRecorded } from "../../bench/replay/recorded.ts";
import { type ReplayServer, startReplay } from "../../bench/replay/server.ts";
import type { Block, Network, Transaction } from "../chains/chain.ts";
import { openEvmChain } from "../chains/evm/chain.ts";
import { NETWORKS } from "../chains/networks/index.ts";
import { base, ethereum, gnosis, optimism, polygon, scroll } from "../chains/networks/known.gen.ts";
import { EMPTY, fromHex, toHex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { decodeBlock } from "./decode.ts";

const PRODUCER = "99".repeat(20);
const SENDER = "aa".repeat(20);
const bytes = (text: string) => fromHex(text) ?? EMPTY;

const blockOf = (paid: Partial<Transaction>, some: Partial<Block> = {}): Block => ({
  number: 200_000_000,
  hash: EMPTY,
  parent_hash: EMPTY,
  time: 1_800_000_000,
  producer: bytes(PRODUCER),
  base_fee: 7n,
  issuance: [],
  has_traces: true,
  verified: "none",
  transactions: [
    {
      index: 0,
      hash: EMPTY,
      sender: bytes(SENDER),
      recipient: bytes("bb".repeat(20)),
      value: 0n,
      nonce: 0,
      input: EMPTY,
      succeeded: true,
      gas_used: 10n,
      fee: 0n,
      tip: 0n,
      created_contract: null,
      logs: [],
      calls: [],
      ...paid,
    },
  ],
  ...some,
});

/** Amount by recipient; the empty address is the burnt amount. */
const received = (network: Network, block: Block): Record<string, bigint> => {
  const sums: Record<string, bigint> = {};
  for (const { destination, amount } of decodeBlock(block, network, new Map()).transfers)
    sums[toHex(destination)] = (sums[toHex(destination)] ?? 0n) + amount;
  return sums;
};

/** 100 in all: 10 for inclusion, 30 for layer 1, 20 for blobs, and 40 that EIP-1559 burns. */
const PAID = { fee: 100n, tip: 10n, layer1_fee: 30n, blob_fee: 20n };
const BASE_VAULT = "4200000000000000000000000000000000000019";
const LAYER1_VAULT = "420000000000000000000000000000000000001a";
const OPERATOR_VAULT = "420000000000000000000000000000000000001b";
const COLLECTOR = "6bbe78ee9e474842dbd4ab4987b3cefe88426a92";
const SCROLL_VAULT = "5300000000000000000000000000000000000005";
const RIO = "7ee41d8a25641000661b1ef5e6ae8a00400466b0";
const LISOVO = "3ef57def668054dd750bd260526105c4eeef104f";

test.each<readonly [string, Network, Partial<Block>, Record<string, bigint>]>([
  ["Ethereum burns all but the tip", ethereum, {}, { [PRODUCER]: 10n, "": 90n }],
  ["OP-stack pays two vaults", base, {}, { [PRODUCER]: 10n, [BASE_VAULT]: 40n, [LAYER1_VAULT]: 30n, "": 20n }],
  ["before Bedrock there was no vault", optimism, { number: 105_235_062 }, { [PRODUCER]: 10n, "": 90n }],
  ["Gnosis collects blobs too", gnosis, {}, { [PRODUCER]: 10n, [COLLECTOR]: 60n, "": 30n }],
  ["before Prague it burnt them", gnosis, { time: 1_746_021_819 }, { [PRODUCER]: 10n, [COLLECTOR]: 40n, "": 50n }],
  ["Polygon since Lisovo", polygon, {}, { [RIO]: 10n, [LISOVO]: 40n, "": 50n }],
  ["Scroll keeps everything", scroll, {}, { [SCROLL_VAULT]: 80n, "": 20n }],
])("%s", (_name, network, some, expected) => {
  expect(received(network, blockOf(PAID, some))).toEqual(expected);
});

test("the operator of an OP Stack network is paid into a vault of its own", () => {
  // 100 in all: 10 for inclusion, 30 for layer 1, 25 for the operator, 35 for gas at the base fee.
  const paid = { fee: 100n, tip: 10n, layer1_fee: 30n, operator_fee: 25n };
  expect(received(base, blockOf(paid))).toEqual({
    [PRODUCER]: 10n,
    [BASE_VAULT]: 35n,
    [LAYER1_VAULT]: 30n,
    [OPERATOR_VAULT]: 25n,
  });
  // Without data on layer 1 and without blobs it is read just the same.
  expect(received(base, blockOf({ fee: 60n, tip: 0n, operator_fee: 25n }))).toEqual({
    [BASE_VAULT]: 35n,
    [OPERATOR_VAULT]: 25n,
  });
});

test("four parts of a fee with four recipients are four movements", () => {
  const { transfers } = decodeBlock(blockOf({ ...PAID, operator_fee: 15n }), base, new Map());
  const paid = transfers.map(({ kind, position, destination, amount }) => [kind, position, toHex(destination), amount]);
  expect(paid).toEqual([
    ["tip", 4_294_967_294, PRODUCER, 10n],
    // 100 - 10 - 30 - 15 - 20.
    ["fee", 4_294_967_295, BASE_VAULT, 25n],
    ["tip", 4_294_967_293, LAYER1_VAULT, 30n],
    ["tip", 4_294_967_291, OPERATOR_VAULT, 15n],
    ["tip", 4_294_967_290, "", 20n],
  ]);
});

test("on every network the paid fee equals the received and burnt amounts, and each part is one movement", () => {
  for (const network of NETWORKS.filter(({ family }) => family === "evm")) {
    for (const number of [1, 20_000_000, 60_000_000, 80_000_000, 200_000_000]) {
      const { transfers } = decodeBlock(blockOf(PAID, { number }), network, new Map());
      expect(transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(100n);
      expect(new Set(transfers.map(({ position }) => position)).size).toBe(transfers.length);
      // The one row of this kind names the sender.
      expect(transfers.filter(({ kind }) => kind === "fee")).toHaveLength(1);
      expect(new Set(transfers.map(({ source }) => toHex(source)))).toEqual(new Set([SENDER]));
    }
  }
});

const FOLDER = join(process.cwd(), "../shared/data/evm");
const recorded = (readRecorded(FOLDER) ?? []).filter(({ chain }) => chain === "polygon");
const replays: ReplayServer[] = [];
afterAll(() => Promise.all(replays.map((replay) => replay.close())));

/** Bor writes each tip into a log of its own: payer, recipient, amount, and both balances before and after. */
const FEE_LOG = "4dfe1bbbcf077ddc3e01291eea2d5c70c2b422b415d95645b9adcfd678cb1d63";

test.skipIf(recorded.length > 0)("the recorded blocks are not here: their tests are skipped", () => {
  expect(existsSync(FOLDER)).toBe(false);
});

describe.each(recorded)("Polygon's block $number", (one) => {
  test("pays the tips to the recipients, and in the amounts, of its own logs", async () => {
    const replay = await startReplay({ blocks: [one.replay], chain_id: 137 });
    replays.push(replay);
    const signal = new AbortController().signal;
    const chain = await openEvmChain(polygon, { rpc: [replay.url], log: silentLog }, signal);
    const [block] = await chain.blocks(one.number, one.number, signal);
    await chain.close();
    if (block === undefined) throw new Error("no block");
    const tips = decodeBlock(block, polygon, new Map()).transfers.filter(({ kind }) => kind === "tip");
    const told = block.transactions.flatMap(({ logs }) =>
      logs
        .filter(({ topics }) => toHex(topics[0] ?? EMPTY) === FEE_LOG)
        .map(({ topics, data }) => ({
          from: toHex(topics[2] ?? EMPTY).slice(24),
          to: toHex(topics[3] ?? EMPTY).slice(24),
          amount: BigInt(`0x${toHex(data.subarray(0, 32))}`),
        })),
    );
    expect(told.length).toBeGreaterThan(50);
    expect(
      tips.map(({ source, destination, amount }) => ({ from: toHex(source), to: toHex(destination), amount })),
    ).toEqual(told.filter(({ amount }) => amount > 0n));
    const gas = block.transactions.reduce((sum, { gas_used }) => sum + gas_used, 0n);
    const contract = received(polygon, block)["70bca57f4579f58670ab2d18ef16e02c17553c38"];
    expect(contract).toBe(gas * (block.base_fee ?? 0n));
  });
});
