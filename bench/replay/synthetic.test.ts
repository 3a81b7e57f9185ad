import { expect, test } from "vitest";
import { openEvmChain } from "../../src/chains/evm/chain.ts";
import { ethereum } from "../../src/chains/networks/known.gen.ts";
import { decodeBlock } from "../../src/indexer/decode.ts";
import { massTransfersOf } from "../../src/indexer/mass_transfers.ts";
import { emptyRows, joinRows } from "../../src/indexer/rows.ts";
import { silentLog } from "../../src/lib/log.ts";
import { venuesOf } from "../../src/protocols/venues.ts";
import { answerState } from "./contracts.ts";
import { FactSum, type FactTotals } from "./facts_reference.ts";
import { startReplay } from "./server.ts";
import { syntheticBlocks } from "./synthetic.ts";

const COUNT = 12;
const FIRST = 20_000_000;
const signal = new AbortController().signal;

const total = (amounts: readonly bigint[]): FactTotals[string] => ({
  rows: amounts.length,
  sum: `${amounts.reduce((sum, amount) => sum + amount, 0n)}`,
});

test("generated blocks of the main network are verified in full, and every fact equals a plain reading of them", async () => {
  const blocks = syntheticBlocks({ shape: "mainnet", count: COUNT, with_traces: true });
  const reference = new FactSum();
  for (const block of blocks) reference.add(block);
  const { "pools known": _, ...expected } = reference.totals();
  const replay = await startReplay({ blocks, chain_id: 1, state: answerState(blocks) });
  const chain = await openEvmChain(ethereum, { rpc: [replay.url], log: silentLog }, signal);
  try {
    const read = await chain.blocks(FIRST, FIRST + COUNT - 1, signal);
    expect(new Set(read.map(({ verified }) => verified))).toEqual(new Set(["full"]));
    const rows = emptyRows();
    for (const block of read) joinRows(rows, decodeBlock(block, ethereum, venuesOf("ethereum")));
    const none = (list: readonly unknown[]): bigint[] => list.map(() => 0n);
    const moved = (kind: string): bigint[] =>
      rows.transfers.filter((row) => row.kind === kind).map(({ amount }) => amount);
    const found: Record<string, FactTotals[string]> = {
      blocks: total(none(rows.blocks)),
      transactions: total(rows.transactions.map(({ value }) => value)),
      swaps: total(rows.swaps.map(({ amount0 }) => amount0)),
      pool_states: total(
        rows.pool_states.map((row) => row.reserve0 + row.reserve1 + row.sqrt_price_x96 + row.liquidity),
      ),
      liquidity_events: total(rows.liquidity_events.map(({ amount0 }) => amount0)),
      pools: total(none(rows.pools)),
      approvals: total(none(rows.approvals)),
      ownership_events: total(none(rows.ownership_events)),
      freeze_events: total(none(rows.freeze_events)),
      position_events: total(rows.position_events.map(({ amount0 }) => amount0)),
      contracts: total(none(rows.contracts)),
      mass_transfers: total(massTransfersOf(rows.transfers).map(({ receivers }) => BigInt(receivers))),
    };
    for (const kind of ["erc20", "erc721", "erc1155", "native", "internal", "wrap"]) found[kind] = total(moved(kind));
    const filled = Object.entries(found).filter(([, one]) => one.rows > 0);
    expect(Object.fromEntries(filled)).toEqual(expected);
    // Tables that a dozen blocks surely fill; all.ts requires the rest of a few hundred.
    for (const name of ["swaps", "pool_states", "contracts", "internal", "wrap", "liquidity_events", "position_events"])
      expect(expected[name]?.rows ?? 0, name).toBeGreaterThan(0);
  } finally {
    await chain.close();
    await replay.close();
  }
});
