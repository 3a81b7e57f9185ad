import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, seedUpTo, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import { readMovements } from "../../address/movements/read_movements.ts";
import { PNL_CLAIM_SELECTORS } from "./pnl.ts";
import { readClaims } from "./read_claims.ts";

// Claims found in the movements in memory, compared with those of the store's ledger, on generated transactions: own
// ones and others', with fees, coins and tokens, and calls of a claim function or another one.

const network = "demo";
const [FINAL, HEAD] = [60, 80];
const [WALLET, OTHER] = [testAddress(0xa1), testAddress(0xb2)];
const TOKENS = [Buffer.alloc(0), testAddress(0x70), testAddress(0x71)];
const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(SEED);
  const places = Array.from({ length: 160 }, (_, n) => ({ block_number: 1 + (n >> 1), tx_index: n & 1, n }));
  const drawn = places.map(({ n, ...place }) => {
    const sender = dice(3) === 0 ? OTHER : WALLET;
    const at = { network, ...place, time: 1_700_000_000 + 12 * place.block_number };
    const transfers = Array.from({ length: 1 + dice(3) }, (_unused, position) => {
      const is_in = dice(3) > 0;
      const token = TOKENS[dice(TOKENS.length)] ?? Buffer.alloc(0);
      const kind = token.length > 0 ? ("erc20" as const) : dice(2) === 0 ? ("native" as const) : ("fee" as const);
      const [source, destination] = is_in ? [OTHER, WALLET] : [WALLET, OTHER];
      return { ...at, position, kind, token, token_id: 0n, source, destination, amount: 5n, sender };
    });
    const selector = dice(2) === 0 ? (PNL_CLAIM_SELECTORS[dice(PNL_CLAIM_SELECTORS.length)] ?? "") : "a9059cbb";
    const transaction = {
      ...{ ...at, hash: testAddress(n), sender, recipient: OTHER, value: 0n, fee: 1n, gas_used: 1, nonce: n },
      ...{ succeeded: 1, selector: Buffer.from(selector, "hex"), created: "" },
    };
    return { transfers, transaction };
  });
  const [transfers, transactions] = [drawn.flatMap((one) => one.transfers), drawn.map((one) => one.transaction)];
  await seedUpTo(store, { network, from: 1, final: FINAL, head: HEAD }, { transfers, transactions });
});
afterAll(() => store.close());

test("claims among the movements in memory equal those of the store's ledger", async () => {
  const wallet = toHex(WALLET);
  let claims = 0;
  for (const [as_of, from_block] of [
    [null, 1],
    [null, 33],
    [FINAL, 1],
    [20, 7],
  ] as const) {
    const snapshot = await store.facts.snapshot(network, as_of);
    const scope = { facts: store.facts, snapshot };
    const { movements } = await readMovements(scope, wallet, { since: 0, until: snapshot.block.time + 1 });
    const asked: string[] = [];
    const facts: typeof store.facts = {
      ...store.facts,
      ask: (at, query, params) => {
        asked.push(query);
        return store.facts.ask(at, query, params);
      },
    };
    const found = await readClaims({ facts, snapshot }, { wallet, movements, from_block });
    const within = { ...snapshot, from_block };
    const rows = await store.facts.ask(within, "pnl/claims", { wallet, selectors: PNL_CLAIM_SELECTORS });
    expect([...found].sort()).toEqual(rows.map((row) => `${row.block_number}:${row.tx_index}`).sort());
    expect(asked).toEqual(["transaction_details"]);
    claims += found.size;
  }
  expect(claims).toBeGreaterThan(20);
});
