import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { type FreezeCase, type FreezeWorld, freezable, freezeContext, knows } from "../../test/freeze_scenario.ts";
import type { CallContext, SnapshotContext } from "../domain/context.ts";
import { toHex } from "../lib/bytes.ts";
import { isAddressBlacklistedByStablecoin as tool } from "./is_address_blacklisted_by_stablecoin.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const BAD = testAddress(0xbad);
const CLEAN = `0x${toHex(testAddress(0xc1ea))}`;
const USDC = freezable("USDC", testAddress(0xc1), ["circle"]);
const DAI = freezable("DAI", testAddress(0xc4), []);
const FROZEN: FreezeCase = { coin: USDC, account: BAD, block: 5, effect: "freeze" };

const contextOf = (places: readonly SnapshotContext[]): CallContext => {
  const chains = new Map(places.map(({ chain }) => [chain.network.id, chain]));
  return callContext({
    facts: store.facts,
    chain: (id) => {
      const chain = chains.get(id);
      if (chain === undefined) throw new Error(`no network ${id}`);
      return chain;
    },
    networks: [...chains.keys()],
  });
};

const ask = async (worlds: readonly FreezeWorld[], args: z.input<typeof tool.input>) => {
  const places = [];
  for (const world of worlds) places.push(await freezeContext(store, world));
  return runTool(tool, args, contextOf(places));
};

test("a frozen account on one of two networks is blacklisted, and both are listed", async () => {
  const outcome = await ask([{ coins: [USDC], said: [FROZEN], answer: knows([toHex(BAD)]) }, { coins: [USDC] }], {
    address: `0x${toHex(BAD)}`,
  });
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  const answer = tool.output.parse(outcome.data);
  expect([answer.is_blacklisted, answer.results.map((row) => row.is_blacklisted)]).toEqual([true, [true, false]]);
  expect(answer.metadata.networks).toHaveLength(2);
});

test("a coin that cannot freeze single accounts is no data, beside others it is a row", async () => {
  expect(await ask([{ coins: [DAI, USDC] }], { address: CLEAN, stablecoin: "DAI" })).toMatchObject({
    kind: "no_data",
    type: "stablecoin_blacklist_check",
  });
  expect(await ask([{ coins: [DAI, USDC] }], { address: CLEAN })).toMatchObject({
    kind: "data",
    data: {
      is_blacklisted: false,
      results: [
        { stablecoin: "DAI", status: "not_supported", is_blacklisted: null },
        { stablecoin: "USDC", status: "ok", is_blacklisted: false },
      ],
    },
  });
});

test.each([
  ["a view that does not answer", { answer: () => ({ ok: false, data: "" as const }) }],
  ["a node that does not answer", { down: true }],
  ["an index that begins later", { from: 3 }],
  ["an index that did not listen", { is_watched: false }],
])("%s on one network fails the whole check", async (_, fault) => {
  const outcome = await ask([{ coins: [USDC] }, { coins: [USDC], ...fault }], { address: CLEAN });
  expect(outcome).toMatchObject({
    kind: "error",
    code: "CHECK_INCOMPLETE",
    partial: {
      is_blacklisted: null,
      previously_blacklisted: null,
      results: [
        { status: "ok", is_blacklisted: false },
        { status: "failed", is_blacklisted: null },
      ],
    },
  });
});

test("a network that is not indexed fails the whole check, with the other network's findings", async () => {
  const here = await freezeContext(store, { coins: [USDC], said: [FROZEN], answer: knows([toHex(BAD)]) });
  const nowhere = { ...here, chain: { ...here.chain, network: { ...here.chain.network, id: "nowhere" } } };
  const outcome = await runTool(tool, { address: `0x${toHex(BAD)}` }, contextOf([here, nowhere]));
  expect(outcome).toMatchObject({ kind: "error", code: "CHECK_INCOMPLETE", partial: { is_blacklisted: true } });
  expect(outcome.kind === "error" ? outcome.message : "").toContain("nowhere could not be read");
});

test("a network without a registered coin gives no clean answer", async () => {
  expect(await ask([{ coins: [] }], { address: CLEAN })).toMatchObject({ kind: "error", code: "CHECK_INCOMPLETE" });
});
