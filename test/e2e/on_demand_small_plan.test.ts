import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import { sized } from "../long.ts";
import { comparable, leftOpen, WALLET_TOOLS } from "./on_demand_figures.ts";
import { still } from "./still.ts";
import { openWholeAndDemand, SMALL_PLAN, type WholeAndDemand } from "./whole_and_demand.ts";

/**
 * A network that is read on demand through the smallest plan of a provider answers as a whole index without traces does: 20 requests a
 * second, 429 without a time to wait, a key, no traces, no receipts by block, short ranges of logs, members that lag.
 */

let both: WholeAndDemand;
beforeAll(async () => {
  both = await openWholeAndDemand(false, SMALL_PLAN);
});
afterAll(() => both?.close());

const SLICE: readonly CharacterName[] = ["grace"];
// The keys of CHARACTERS are its names.
const wallets = sized({ slice: SLICE, long: Object.keys(CHARACTERS) as CharacterName[] });

/** A whole index knows a token by its transfers, a node by its code. */
const OF_CONTRACTS = [
  "unavailable",
  "holders_count",
  "liquidity_usd",
  "outcome",
  "outcome_reason",
  "kind",
  "token",
  "tokens",
];
/** Tools about a wallet, each with its input, and figures of a whole index that are null or missing on demand (docs/networks.md). */
const TOOLS: readonly (readonly [string, string, readonly string[]])[] = [
  ...WALLET_TOOLS.map(([tool, field]) => [tool, field, []] as const),
  ["get_wallet_deployed_contracts", "address", OF_CONTRACTS],
  ["get_wallet_account_meta", "address", ["unavailable"]],
  ["get_wallet_osint_record", "address", []],
];

const MINUTE = 60_000;

/** Nonce and balance of the demo's accounts show it: they keep what they are paid. */
const isUnused = async (address: string): Promise<boolean> => {
  const { rpc } = both.world;
  const states = await Promise.all(
    ["eth_getTransactionCount", "eth_getBalance"].map((method) => rpc.call(method, address, "latest")),
  );
  return states.every((state) => Number(state) === 0);
};

describe.each(wallets)("the wallet of %s", (name) => {
  test.each(TOOLS)(
    "%s equals the whole index",
    async (tool, field, other) => {
      const asked = { [field]: CHARACTERS[name].address, network: "demo" };
      const expected = await both.whole.ask(tool, asked);
      const open = [...other, ...(await leftOpen(both.world, CHARACTERS[name].address, expected.text))];
      // Until a history is read a call fails, and a figure that the node refused just now is null.
      await vi.waitFor(
        async () => {
          const found = await both.demand.ask(tool, asked);
          // A whole index without traces cannot prove that nothing ever paid the wallet. States of the node prove it on demand.
          if (expected.body.code === "COVERAGE_INCOMPLETE" && (await isUnused(CHARACTERS[name].address)))
            return expect([found.status, found.body.status]).toEqual([200, "no_data"]);
          expect([found.status, found.body.code]).toEqual([expected.status, expected.body.code]);
          expect(comparable(still(found.text), open)).toEqual(comparable(still(expected.text), open));
        },
        { timeout: 4 * MINUTE, interval: 500 },
      );
    },
    5 * MINUTE,
  );
});

test("every history is read and, except for accounts with code, proven, and inner calls are named as unread", async () => {
  const records = await readSubjects(both.demand.service.facts.engine, "demo");
  expect(records).toHaveLength(wallets.length);
  for (const { subject, state, is_plain } of records) {
    const code = await both.world.rpc.call("eth_getCode", `0x${subject}`, "latest");
    expect([subject, state, is_plain]).toEqual([subject, "read", code === "0x"]);
  }
  for (const { subject, untraced, to_block } of records)
    expect(untraced).toEqual((await isUnused(`0x${subject}`)) ? [] : [[0, to_block]]);
});

test("without its key the node answers nothing", async () => {
  expect((await fetch(both.node.url, { method: "POST", body: "{}" })).status).toBe(401);
});
