import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseAddress } from "../../src/chains/solana/address.ts";
import { demoSolanaNetwork } from "../../src/commands/demo_chains.ts";
import { ownScreen } from "../../src/commands/own_screen.ts";
import { settings } from "../../src/config/settings.ts";
import { pay } from "../../src/demo/solana/acts.ts";
import { CHARACTERS, type CharacterName } from "../../src/demo/solana/characters.ts";
import { makeCharacters } from "../../src/demo/solana/scenario_chain.ts";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import { tools } from "../../src/tools/index.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { rowsOfBlocks } from "../facts_hash.ts";
import { sized } from "../long.ts";
import { comparable, WALLET_TOOLS } from "./on_demand_figures.ts";
import { type RentedSolanaNode, rentSolanaNode } from "./rented_solana_node.ts";
import { caughtUp, openTestService, T0, type TestService } from "./served_world.ts";
import { still } from "./still.ts";

/**
 * A network of Solana that is read on demand through a rented node answers as the whole index of the same chain does. Neither has a dollar
 * coin, so that no value in USD comes between them.
 */

/** Slots above the newest act, so that the whole story is final. */
const QUIET_SLOTS = 40;
/** After the story, which takes 90 days; in the middle of a day, so that ages at the newest and at the final block are the same. */
let time = T0 + 92.5 * 86_400;

const sealQuietly = ({ facade }: SolanaWorld): void => {
  for (let slot = 0; slot < QUIET_SLOTS; slot += 1) {
    time += 12;
    facade.seal(0, time);
  }
};

let world: SolanaWorld;
let whole: TestService;
let node: RentedSolanaNode;
let demand: TestService;

const networkOf = (url: string, index: "whole" | "on_demand"): EnabledNetwork => {
  const demo = demoSolanaNetwork(world);
  return { ...demo, network: { ...demo.network, stablecoins: [] }, rpc: [url], poll_ms: 100, index };
};

const on_demand = settings.parse({ on_demand: { wait_seconds: 25, follow_seconds: 0 } }).on_demand;

beforeAll(async () => {
  world = await startSolanaWorld(T0);
  sealQuietly(world);
  const listed = [demoSolanaNetwork(world).network];
  whole = await openTestService({ networks: [networkOf(world.url, "whole")], listed });
  await caughtUp(whole.service);
  node = await rentSolanaNode(world.url, { page_max: 5, calls_per_second: 2_000 });
  demand = await openTestService({ networks: [networkOf(node.url, "on_demand")], listed, settings: { on_demand } });
});
afterAll(async () => {
  await demand?.close();
  await node?.close();
  await whole?.close();
  await world?.stop();
});

/** The bank's first coins and the validator's fees are rewards of blocks, which no transaction names. */
const REWARDED: readonly CharacterName[] = ["bank", "validator"];
const SLICE: readonly CharacterName[] = ["alice", "erin", "mallory", "dave"];
// The keys of CHARACTERS are its names.
const ALL = (Object.keys(CHARACTERS) as CharacterName[]).filter((name) => !REWARDED.includes(name));
const wallets = sized({ slice: SLICE, long: ALL });

describe.each(wallets)("the wallet of %s", (name) => {
  test.each(WALLET_TOOLS)("%s equals the whole index", async (tool, field) => {
    const asked = { [field]: world.characters[name], network: "demo-solana" };
    const expected = await whole.ask(tool, asked);
    const ending = ({ status, body }: typeof expected) => [status, body.status ?? "data", body.message];
    // While the node refuses, it may be unknown whether a counterparty has code.
    await vi.waitFor(
      async () => {
        const found = await demand.ask(tool, asked);
        expect(ending(found)).toEqual(ending(expected));
        expect(comparable(still(found.text))).toEqual(comparable(still(expected.text)));
      },
      { timeout: 60_000, interval: 1_000 },
    );
  });
});

test("rows of the stored blocks are those of the whole index, each once", async () => {
  const blocks = (
    await demand.service.facts.engine.query(
      "SELECT block_number FROM blocks WHERE network = 'demo-solana' ORDER BY block_number",
    )
  ).map(([number]) => Number(number));
  expect(new Set(blocks).size).toBe(blocks.length);
  expect(blocks.length).toBeGreaterThan(30);
  const [found, expected] = await Promise.all(
    [demand, whole].map(({ service }) => rowsOfBlocks(service.facts.engine, "demo-solana", blocks)),
  );
  expect(found).toEqual(expected);
});

test("movements add up to what the node says, and requests stay within the bound", async () => {
  const records = await readSubjects(demand.service.facts.engine, "demo-solana");
  expect(records.map(({ state, is_plain, is_balanced }) => [state, is_plain, is_balanced])).toEqual(
    wallets.map(() => ["read", true, true]),
  );
  // A transaction for each block, pages of five for at most four accounts that may name it, and their empty ends.
  for (const { found, requests } of records) expect(requests).toBeLessThanOrEqual(found * (1 + 4 / 5) + 4 * 2 + 4);
  // Each block is read once, however many wallets it concerns, and again after a refusal.
  const [[blocks] = [0]] = await demand.service.facts.engine.query("SELECT count() FROM blocks");
  const full = node.byMethod.get("getBlock full") ?? 0;
  expect(full).toBeGreaterThanOrEqual(Number(blocks));
  expect(full).toBeLessThanOrEqual(1.2 * Number(blocks) + 5);
});

test("a wallet of rewards is read, and never called complete", async () => {
  const asked = { address: world.characters.bank, network: "demo-solana" };
  const { body } = await demand.ask("get_wallet_stats", asked);
  const [record] = await readSubjects(demand.service.facts.engine, "demo-solana", [
    parseAddress(world.characters.bank) ?? "",
  ]);
  expect(record).toMatchObject({ state: "read", is_plain: false, is_balanced: true });
  expect(body.metadata.warnings.map(({ code }: { code: string }) => code)).toContain("HISTORY_NOT_PROVEN");
});

test("the first screen counts the tools that answer", async () => {
  const screen = await ownScreen(demand.service, [networkOf(node.url, "on_demand")], { config: null, seconds: 1 });
  const [, answering, of] =
    /^demo-solana: on demand, .* up to block \d+, (\d+) of (\d+) tools/.exec(screen.ready) ?? [];
  const answer = tools.filter(({ families, subjects }) => families.includes("solana") && subjects !== undefined);
  expect([Number(answering), Number(of)]).toEqual([answer.length, tools.length]);
  expect([screen.ill, screen.example]).toEqual([[], null]);
});

test("a followed wallet gets its new final blocks", async () => {
  const { facade } = world;
  const { alice, bob } = await makeCharacters();
  await facade.send([pay(alice.address, bob.address, 4_660n)], [alice.keys], alice.address);
  time += 12;
  const slot = facade.seal(0, time);
  sealQuietly(world);
  const subject = parseAddress(alice.address) ?? "";
  await vi.waitFor(
    async () => {
      const [record] = await readSubjects(demand.service.facts.engine, "demo-solana", [subject]);
      expect(record?.to_block).toBeGreaterThanOrEqual(slot);
      expect([record?.is_plain, record?.is_balanced]).toEqual([true, true]);
    },
    { timeout: 20_000, interval: 100 },
  );
  const asked = { address: alice.address, network: "demo-solana", records_per_page: 1 };
  const { body } = await demand.ask("get_wallet_transactions", asked);
  expect(body.data[0]).toMatchObject({ direction: "out", amount_raw: "4660" });
});

test("a node without old slots: what is known is right, and is not called complete", async () => {
  const first_slot = world.facade.slots.find((slot) => slot >= world.facade.head / 2) ?? 0;
  const pruned = await rentSolanaNode(world.url, { page_max: 1_000, calls_per_second: 2_000, first_slot });
  const service = await openTestService({ networks: [networkOf(pruned.url, "on_demand")], settings: { on_demand } });
  try {
    const { alice, erin } = world.characters;
    const stats = await service.ask("get_wallet_stats", { address: alice, network: "demo-solana" });
    expect([stats.status, stats.body.code]).toEqual([200, undefined]);
    expect(stats.body.metadata.coverage).toMatchObject({ from_block: first_slot, complete: false });
    // Alice acts before and after that slot, erin only before it.
    for (const wallet_address of [alice, erin]) {
      const asked = { wallet_address, network: "demo-solana" };
      const [found, expected] = await Promise.all(
        [service, whole].map((one) => one.ask("get_wallet_token_holdings", asked)),
      );
      const amounts = (body: { readonly holdings: readonly { token_address: string; balance_raw: string }[] }) =>
        body.holdings.map((row) => `${row.token_address} ${row.balance_raw}`).sort();
      expect(amounts(found?.body)).toEqual(amounts(expected?.body));
      expect(amounts(found?.body).length).toBeGreaterThan(1);
    }
    const records = await readSubjects(service.service.facts.engine, "demo-solana");
    const kept = { from_block: first_slot, is_plain: true, is_balanced: true };
    expect(records).toMatchObject([kept, kept]);
  } finally {
    await service.close();
    await pruned.close();
  }
});
