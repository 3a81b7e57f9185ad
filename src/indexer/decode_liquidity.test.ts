import { expect, test } from "vitest";
import { bareTransaction } from "../../test/activity_scenario.ts";
import { ALICE, BOB, bytes, logOf, readable, ZERO_ADDRESS } from "../../test/sample_logs.ts";
import type { EventLog, Network } from "../chains/chain.ts";
import { decodeBlock } from "./decode.ts";

const [CHILD, FACTORY, POOL] = ["c1".repeat(20), "f2".repeat(20), "cc".repeat(20)];

const network: Network = {
  ...{ id: "somewhere", name: "Somewhere", family: "evm", chain_id: 7, caip2: "eip155:7" },
  ...{ native: { symbol: "ETH", decimals: 18 }, wrapped_native: null, stablecoins: [], finality_blocks: 64 },
  ...{ block_seconds: 12, multicall: null, ens: null },
};

const emitted = (address: string, index: number, log: EventLog): EventLog => ({
  ...log,
  address: bytes(address),
  index,
});

/** Liquidity facts of the logs of one transaction. */
const liquidityIn = (logs: readonly EventLog[]) =>
  decodeBlock(
    {
      ...{ number: 100, hash: bytes("0b".repeat(32)), parent_hash: bytes("0a".repeat(32)), time: 1_700_000_000 },
      ...{ producer: bytes(FACTORY), base_fee: 7n, issuance: [], has_traces: true, verified: "none" },
      transactions: [bareTransaction({ value: 0n, logs })],
    },
    network,
    new Map(),
  ).liquidity_events.map(readable);

test("shares of a constant-product pool come from its own Transfer before the event", () => {
  // As UniswapV2Pair.mint does on the first deposit: 1000 to the zero address, the rest to the provider.
  const shares = (to: string, amount: number) =>
    logOf("Transfer(address,address,uint256)", [ZERO_ADDRESS, to], [amount]);
  const logs = [
    emitted(POOL, 0, shares(ZERO_ADDRESS, 1000)),
    emitted(POOL, 1, shares(BOB, 77)),
    emitted(CHILD, 2, shares(ALICE, 5)),
    emitted(POOL, 3, logOf("Sync(uint112,uint112)", [], [10, 20])),
    emitted(POOL, 4, logOf("Mint(address,uint256,uint256)", [FACTORY], [10, 20])),
    emitted(POOL, 5, logOf("Transfer(address,address,uint256)", [POOL, ZERO_ADDRESS], [33])),
    emitted(POOL, 6, logOf("Sync(uint112,uint112)", [], [6, 12])),
    emitted(POOL, 7, logOf("Burn(address,uint256,uint256,address)", [FACTORY, ALICE], [4, 8])),
  ];
  expect(liquidityIn(logs)).toMatchObject([
    { kind: "mint", pool: POOL, owner: BOB, actor: FACTORY, liquidity: 77n, amount0: 10n, amount1: 20n, log_index: 4 },
    { kind: "burn", pool: POOL, owner: ALICE, actor: FACTORY, liquidity: 33n, amount0: 4n, amount1: 8n, log_index: 7 },
  ]);
});

test("a Mint or Burn of two numbers is liquidity only of a contract that proves to be a pool", () => {
  const shares = logOf("Transfer(address,address,uint256)", [ZERO_ADDRESS, BOB], [77]);
  const sync = logOf("Sync(uint112,uint112)", [], [10, 20]);
  const mint = logOf("Mint(address,uint256,uint256)", [BOB], [10, 20]);
  const burn = logOf("Burn(address,uint256,uint256,address)", [BOB, ALICE], [4, 8]);
  const liquidity = (logs: Parameters<typeof emitted>[2][], address = POOL) =>
    liquidityIn(logs.map((log, i) => emitted(address, i, log))).length;
  expect(liquidity([shares, sync, mint, burn])).toBe(2);
  // As a money market's receipt: minted shares without reserves.
  expect(liquidity([shares, mint])).toBe(0);
  expect(liquidity([sync, mint, burn])).toBe(0);
  // The reserves are those of another contract.
  const foreign = [emitted(POOL, 0, shares), emitted(CHILD, 1, sync), emitted(POOL, 2, mint)];
  expect(liquidityIn(foreign)).toEqual([]);
});
