import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import { hex } from "../../src/lib/bytes.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import { payNow } from "./character_payment.ts";
import { comparable, WALLET_TOOLS } from "./on_demand_figures.ts";
import { still } from "./still.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/** Above the final block, a network that is read on demand answers as the whole index of the same chain does. */

let both: WholeAndDemand;
beforeAll(async () => {
  both = await openWholeAndDemand(false);
});
afterAll(() => both?.close());

const SOON = { timeout: 30_000, interval: 100 };
const addressOf = (name: CharacterName) => CHARACTERS[name].address;
const subjectOf = (name: CharacterName) => hex(addressOf(name).slice(2).toLowerCase());

const pay = (from: CharacterName, to: CharacterName, value: number) => payNow(both.world, { from, to, value });

const newestOf = async (name: CharacterName) => {
  const asked = { address: addressOf(name), network: "demo", records_per_page: 1 };
  return (await both.demand.ask("get_wallet_transactions", asked)).body;
};

/** The node's balance at the end of an answer, and the holding that the answer states. */
const expectBalanced = async (name: CharacterName): Promise<void> => {
  const { body } = await both.demand.ask("get_wallet_token_holdings", {
    wallet_address: addressOf(name),
    network: "demo",
  });
  const at = `0x${Number(body.metadata.as_of.block_number).toString(16)}`;
  const balance = BigInt(String(await both.world.rpc.call("eth_getBalance", addressOf(name), at)));
  const held = body.holdings.find((one: { readonly token_address: string }) => one.token_address === "native");
  expect(held.balance_raw).toBe(balance.toString());
};

test("a payment shows before it is final, in both wallets that share its block, as on a whole index", async () => {
  await Promise.all([newestOf("alice"), newestOf("bob")]);
  const { hash, block: paid } = await pay("alice", "bob", 5_001);
  for (const [name, direction] of [
    ["alice", "out"],
    ["bob", "in"],
  ] as const)
    await vi.waitFor(async () => {
      const { data } = await newestOf(name);
      expect(data[0]).toMatchObject({ tx_hash: hash, direction, amount_raw: "5001" });
    }, SOON);
  const [record] = await readSubjects(both.demand.service.facts.engine, "demo", [subjectOf("alice")]);
  expect(record?.head?.number).toBeGreaterThan(record?.to_block ?? 0);
  expect(record?.head?.is_balanced).toBe(true);
  for (const [tool, field] of WALLET_TOOLS)
    await vi.waitFor(async () => {
      const asked = { [field]: addressOf("alice"), network: "demo" };
      const [found, expected] = [await both.demand.ask(tool, asked), await both.whole.ask(tool, asked)];
      expect(found.body.metadata.as_of).toEqual(expected.body.metadata.as_of);
      expect(found.body.metadata.as_of.block_number).toBe(paid);
      expect(comparable(still(found.text))).toEqual(comparable(still(expected.text)));
    }, SOON);
  await expectBalanced("alice");
  await expectBalanced("bob");
});

test("a reorganisation removes a payment", async () => {
  const { hash } = await pay("alice", "bob", 5_002);
  await vi.waitFor(async () => expect((await newestOf("bob")).data[0].tx_hash).toBe(hash), SOON);
  await both.world.rpc.call("anvil_reorg", 1, []);
  await both.world.rpc.call("anvil_mine", "0x2");
  await vi.waitFor(async () => expect((await newestOf("bob")).data[0].amount_raw).toBe("5001"), SOON);
  await vi.waitFor(() => expectBalanced("alice"), SOON);
  await vi.waitFor(() => expectBalanced("bob"), SOON);
});

test("blocks that become final are counted once", async () => {
  const { hash, block: paid } = await pay("alice", "bob", 5_003);
  await vi.waitFor(async () => expect((await newestOf("bob")).data[0].tx_hash).toBe(hash), SOON);
  await both.world.rpc.call("anvil_mine", "0x60");
  await vi.waitFor(async () => {
    const records = await readSubjects(both.demand.service.facts.engine, "demo", [
      subjectOf("alice"),
      subjectOf("bob"),
    ]);
    expect(records.map(({ to_block, is_balanced }) => to_block >= paid && is_balanced)).toEqual([true, true]);
  }, SOON);
  const rows = await both.demand.service.facts.engine.query(
    `SELECT count(), uniqExact(hash) FROM blocks WHERE network = 'demo' AND tail = 0 AND block_number = ${paid}`,
  );
  expect(rows.map((row) => row.map(Number))).toEqual([[1, 1]]);
  expect((await newestOf("bob")).data[0].tx_hash).toBe(hash);
  await expectBalanced("bob");
});

test.each([0, 1, 5])("looks after %i new blocks without a change take few requests", async (blocks) => {
  const engine = both.demand.service.facts.engine;
  const read = () => readSubjects(engine, "demo", [subjectOf("alice"), subjectOf("bob")]);
  const newest = async (): Promise<number> => Number(await both.world.rpc.call("eth_blockNumber"));
  const isThere = async (): Promise<void> => {
    const head = await newest();
    const final = await both.world.rpc.call("eth_getBlockByNumber", "finalized", false);
    const ends = (await read()).map((record) => [record.head?.number, record.to_block]);
    // The answer of the JSON-RPC specification.
    const last = Number((final as { readonly number: string }).number);
    expect(ends).toEqual([
      [head, last],
      [head, last],
    ]);
  };
  const sumOf = async (): Promise<number> => (await read()).reduce((sum, { requests }) => sum + requests, 0);
  const statesOf = () => both.node.byMethod.get("eth_getBalance") ?? 0;
  // States at the beginning are those of this look.
  await both.world.rpc.call("evm_mine");
  await vi.waitFor(isThere, SOON);
  const [before, states] = [await sumOf(), statesOf()];
  if (blocks > 0) await both.world.rpc.call("anvil_mine", `0x${blocks.toString(16)}`);
  await vi.waitFor(isThere, SOON);
  // Ten rounds of the indexer.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const took = (await sumOf()) - before;
  // To the final block and to the head, for both addresses: four requests for logs, and nonce, balance and code of each.
  const expected = blocks === 0 ? 0 : 2 * (4 + 2 * 3);
  // An answer "header not found" of the rented node has an address searched.
  expect(took).toBeLessThanOrEqual(expected * 2);
  if (blocks === 0) expect(statesOf()).toBe(states);
});
