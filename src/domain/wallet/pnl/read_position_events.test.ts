import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, seedUpTo, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import { readMovements } from "../../address/movements/read_movements.ts";
import { readPositionRows } from "./read_position_events.ts";

// Position events found through the movements in memory, compared with those of the store's ledger, on generated
// events: of the wallet, of NFTs that it received before, after or never, and of others.

const network = "demo";
const [FINAL, HEAD] = [60, 80];
const [WALLET, OTHER, MANAGER] = [testAddress(0xa1), testAddress(0xb2), testAddress(0xc3)];
const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(SEED);
  const at = (n: number) => {
    const block_number = 1 + (n % HEAD);
    return { network, block_number, tx_index: 0, time: 1_700_000_000 + 12 * block_number };
  };
  const transfers = Array.from({ length: 120 }, (_, n) => {
    const [source, destination] = dice(2) === 0 ? [OTHER, WALLET] : [WALLET, OTHER];
    const piece = { kind: "erc721" as const, token: MANAGER, token_id: BigInt(dice(30)), amount: 1n };
    return { ...at(dice(HEAD)), position: n, ...piece, source, destination, sender: OTHER };
  });
  const position_events = Array.from({ length: 200 }, (_, n) => {
    const nft = Buffer.concat([MANAGER, Buffer.from(String(dice(40)))]);
    const subject = [WALLET, OTHER, nft, nft][dice(4)] ?? nft;
    const said = { kind: dice(2) === 0 ? ("increase" as const) : ("lend" as const), contract: MANAGER, pool: OTHER };
    const amounts = { asset: "", amount0: BigInt(n), amount1: 2n ** 200n, liquidity: 3n };
    return { ...at(dice(HEAD)), log_index: n, tx_hash: testAddress(n), subject, ...said, ...amounts };
  });
  await seedUpTo(store, { network, from: 1, final: FINAL, head: HEAD }, { transfers, position_events });
});
afterAll(() => store.close());

test("events found through the movements in memory equal those of the store's ledger", async () => {
  const wallet = toHex(WALLET);
  let events = 0;
  for (const as_of of [null, HEAD - 5, FINAL, 20]) {
    const snapshot = await store.facts.snapshot(network, as_of);
    const scope = { facts: store.facts, snapshot, chain: fixedChain(), signal: AbortSignal.timeout(20_000) };
    for (const until of [snapshot.block.time + 1, snapshot.block.time - 100]) {
      const read = await readMovements(scope, wallet, { since: 0, until });
      const right = await store.facts.ask(snapshot, "pnl/positions", { wallet, until });
      expect(await readPositionRows(scope, { wallet, read, until })).toEqual(right);
      // With incomplete movements in memory the store is queried.
      expect(await readPositionRows(scope, { wallet, read: { ...read, since: null }, until })).toEqual(right);
      events += right.length;
    }
  }
  expect(events).toBeGreaterThan(100);
});
