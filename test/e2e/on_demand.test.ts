import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ownScreen } from "../../src/commands/own_screen.ts";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import { hex } from "../../src/lib/bytes.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import { tools } from "../../src/tools/index.ts";
import { rowsOfBlocks } from "../facts_hash.ts";
import { sized } from "../long.ts";
import { assertDescribed } from "../openapi.ts";
import { comparable, openOutcomes, WALLET_TOOLS } from "./on_demand_figures.ts";
import { openTestService } from "./served_world.ts";
import { still } from "./still.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/**
 * A network that is read on demand through a rented node answers as the whole index of the same chain does. Neither has a dollar coin, so
 * that no value in USD comes between them.
 */

let both: WholeAndDemand;
beforeAll(async () => {
  both = await openWholeAndDemand(false);
});
afterAll(() => both?.close());

const SLICE: readonly CharacterName[] = ["alice", "grace", "dave"];
// The keys of CHARACTERS are its names.
const names = Object.keys(CHARACTERS) as CharacterName[];
// Another account follows Carol below.
const wallets = sized({ slice: SLICE, long: names.filter((name) => name !== "carol") });

describe.each(wallets)("the wallet of %s", (name) => {
  test.each(WALLET_TOOLS)("%s equals the whole index", async (tool, field) => {
    const asked = { [field]: CHARACTERS[name].address, network: "demo" };
    const expected = await both.whole.ask(tool, asked);
    const open = openOutcomes(expected.text);
    const ending = ({ status, body }: typeof expected) => [status, body.status ?? "data", body.message];
    // While the node refuses, it may be unknown whether a counterparty has code.
    await vi.waitFor(
      async () => {
        const found = await both.demand.ask(tool, asked);
        expect(ending(found)).toEqual(ending(expected));
        expect(comparable(still(found.text), open)).toEqual(comparable(still(expected.text), open));
      },
      { timeout: 60_000, interval: 1_000 },
    );
  });
});

test("rows of the stored blocks are those of the whole index, each once", async () => {
  const { demand, whole } = both;
  const blocks = (
    await demand.service.facts.engine.query(
      "SELECT block_number FROM blocks WHERE network = 'demo' AND tail = 0 ORDER BY block_number",
    )
  ).map(([number]) => Number(number));
  expect(new Set(blocks).size).toBe(blocks.length);
  expect(blocks.length).toBeGreaterThan(100);
  const [found, expected] = await Promise.all(
    [demand, whole].map(({ service }) => rowsOfBlocks(service.facts.engine, "demo", blocks)),
  );
  expect(found).toEqual(expected);
});

test("its movements add up to the node's balance, and requests stay within the bound", async () => {
  const records = await readSubjects(both.demand.service.facts.engine, "demo");
  expect(records).toHaveLength(wallets.length);
  for (const { subject, state, is_plain, is_balanced } of records) {
    // The node filters traces: histories of accounts with code are proven as well.
    expect([subject, state, is_plain, is_balanced]).toEqual([subject, "read", true, true]);
  }
  // Searches of logs in ranges of 200 blocks: 4 for each, and refusals.
  for (const { found, requests, to_block } of records)
    expect(requests).toBeLessThanOrEqual(
      found * (2 * Math.log2(to_block / Math.max(found, 1)) + 6) + 8 + 2 * 4 * Math.ceil(to_block / 100),
    );
});

test("a followed address gets its new final blocks", async () => {
  const { rpc } = both.world;
  const from = CHARACTERS.alice.address;
  await rpc.call("anvil_impersonateAccount", from);
  const hash = await rpc.call("eth_sendTransaction", { from, to: CHARACTERS.bob.address, value: "0x1234" });
  await rpc.call("anvil_mine", "0x60");
  const newest = Number(await rpc.call("eth_blockNumber"));
  const subject = hex(from.slice(2).toLowerCase());
  await vi.waitFor(
    async () => {
      const [record] = await readSubjects(both.demand.service.facts.engine, "demo", [subject]);
      // The node calls a block final when 64 others follow it.
      expect(record?.to_block).toBeGreaterThanOrEqual(newest - 70);
      expect(record?.is_balanced).toBe(true);
    },
    { timeout: 20_000, interval: 100 },
  );
  const { body } = await both.demand.ask("get_wallet_transactions", {
    address: from,
    network: "demo",
    records_per_page: 1,
  });
  // 0x1234 wei are 4,660.
  expect(body.data[0]).toMatchObject({ tx_hash: hash, direction: "out", amount_raw: "4660" });
});

test("a call that cannot wait says how far the reading is, and an account has its limit", async () => {
  const hurried = settings.parse({ on_demand: { wait_seconds: 0, addresses_per_account: 1 } }).on_demand;
  const service = await openTestService({
    networks: [both.rented],
    settings: { on_demand: hurried },
  });
  try {
    const ask = (name: CharacterName) =>
      service.ask("get_wallet_stats", { address: CHARACTERS[name].address, network: "demo" });
    const first = await ask("alice");
    expect(first.body).toMatchObject({ status: "error", code: "READING" });
    expect(first.body.message).toMatch(
      /^The history on demo is being read from the node\. .* ask again in 10 seconds\.$/,
    );
    expect((await ask("bob")).body).toMatchObject({ status: "error", code: "SUBJECT_LIMIT" });
    await vi.waitFor(async () => expect((await ask("alice")).body.status).toBeUndefined(), {
      timeout: 20_000,
      interval: 200,
    });
  } finally {
    await service.close();
  }
});

describe("the addresses that an account follows", () => {
  const request = async (method: "GET" | "POST", path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = method === "GET" ? {} : { body: JSON.stringify({ network: "demo", ...body }) };
    const response = await fetch(`${both.demand.service.url}${path}`, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions, after validation.
    const answer = { status: response.status, body: (await response.json()) as any };
    assertDescribed(document, { method: method.toLowerCase(), path }, answer);
    return answer;
  };
  let document: Record<string, unknown>;
  let key: string;
  beforeAll(async () => {
    const { accounts, url } = both.demand.service;
    document = (await (await fetch(`${url}/api/account/openapi.json`)).json()) as Record<string, unknown>;
    const account = await accounts.accounts.create({ name: "follower", plan: "wide" });
    key = (await accounts.keys.create({ account_id: account.id, scopes: ["api:call"] })).secret;
  });
  const list = async () => (await request("GET", "/api/followed")).body;

  test("are its own, are read, and are left again", async () => {
    const { address } = CHARACTERS.carol;
    expect(await list()).toMatchObject({ networks: ["demo"], addresses: [], limits: { addresses: 0 } });
    const followed = await request("POST", "/api/followed", { addresses: [address] });
    expect(followed).toMatchObject({ status: 200, body: { addresses: [{ address, network: "demo" }] } });
    await vi.waitFor(
      async () =>
        expect((await list()).addresses).toMatchObject([
          { address, state: "read", search: "proven", is_balanced: true, problem: "" },
        ]),
      { timeout: 30_000, interval: 100 },
    );
    const { addresses, limits } = await list();
    expect(addresses[0].blocks_read).toBe(addresses[0].blocks_found);
    expect([limits.addresses, limits.requests_today]).toEqual([1, addresses[0].requests]);
    expect((await request("POST", "/api/followed/leave", { addresses: [address] })).body.addresses).toEqual([]);
  });

  test("of other accounts are neither listed nor left", async () => {
    // The first tests of this file queried Alice with another key.
    const addresses = [CHARACTERS.alice.address];
    const refused = await request("POST", "/api/followed/leave", { addresses });
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      "Some of these addresses are not followed by this account.",
    ]);
    expect((await request("POST", "/api/followed", { addresses })).body.addresses[0].state).toBe("read");
    expect((await list()).addresses).toEqual([]);
  });

  test.each([
    ["demo", "0x12", "'0x12' is not an address of demo."],
    ["ethereum", CHARACTERS.alice.address, "'ethereum' is not read on demand here; these networks are: demo."],
  ])("%s %s", async (network, address, detail) => {
    const { status, body } = await request("POST", "/api/followed", { network, addresses: [address] });
    expect([status, body.detail]).toEqual([422, detail]);
  });

  test("beyond the limit are refused", async () => {
    const addresses = Array.from({ length: 100 }, (_, i) => `0x77${i.toString(16).padStart(38, "0")}`);
    expect((await list()).limits.addresses_max).toBe(100);
    expect((await request("POST", "/api/followed", { addresses: [CHARACTERS.carol.address] })).status).toBe(200);
    const { status, body } = await request("POST", "/api/followed", { addresses });
    expect([status, body.detail]).toEqual([409, expect.stringContaining("of 100 at most")]);
    expect((await list()).addresses).toHaveLength(1);
  });
});

test("the first screen counts the tools that answer, and shows no call on an address of its own choice", async () => {
  const { demand, rented } = both;
  await vi.waitFor(() => expect(demand.service.progress().demo?.indexed).toBeGreaterThan(0), 20_000);
  const screen = await ownScreen(demand.service, [rented], { config: null, seconds: 1 });
  const [, answering, of] = /^demo: on demand, .* up to block \d+, (\d+) of (\d+) tools/.exec(screen.ready) ?? [];
  const answer = tools.filter(({ families, subjects }) => families.includes("evm") && subjects !== undefined);
  expect([Number(answering), Number(of)]).toEqual([answer.length, tools.length]);
  expect([screen.ill, screen.example]).toEqual([[], null]);
});
