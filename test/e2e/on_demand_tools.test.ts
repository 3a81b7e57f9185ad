import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CHARACTERS, DEMO_CONTRACTS } from "../../src/demo/evm/characters.ts";
import { eachNth } from "../long.ts";
import { without } from "./on_demand_figures.ts";
import type { ToolReply } from "./served_world.ts";
import { still } from "./still.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/**
 * Tools about contracts and tokens on a network that is read on demand: every figure is that of the whole index, or null with its
 * reason.
 */

let stage: WholeAndDemand;
beforeAll(async () => {
  stage = await openWholeAndDemand(false);
}, 400_000);
afterAll(() => stage?.close());

const network = "demo";
/** Errors of a node that refuses now and then, and of a history that is still read. */
const PASSING = ["READING", "UPSTREAM_UNAVAILABLE", "TIMEOUT"];

type BothReplies = Record<"expected" | "found", ToolReply>;

/** `check` passes within a minute: while the node refuses, an answer may fail, or lack what this node alone knows. */
const checkBoth = async (
  [tool, args]: readonly [string, Readonly<Record<string, unknown>>],
  check: (both: BothReplies) => void,
): Promise<void> => {
  const expected = await stage.whole.ask(tool, { ...args, network });
  await vi.waitFor(
    async () => {
      const found = await stage.demand.ask(tool, { ...args, network });
      expect(PASSING).not.toContain(found.body.code);
      check({ expected, found });
    },
    { timeout: 60_000, interval: 300 },
  );
};

const expectEqual = ({ expected, found }: BothReplies, other: readonly string[]): void =>
  expect(without(other, still(found.text))).toEqual(without(other, still(expected.text)));

const missingIn = ({ body }: ToolReply): readonly string[] =>
  body.unavailable.map(({ field }: { readonly field: string }) => field);
const codesOf = ({ body }: ToolReply): readonly string[] =>
  body.metadata.warnings.map(({ code }: { readonly code: string }) => code);

const contracts = eachNth(Object.entries(DEMO_CONTRACTS), 12);

describe.each(contracts)("the contract %s", (_, contract_address) => {
  test("has the creation of the whole index", () =>
    checkBoth(["get_contract_creation", { contract_address }], (both) => {
      // The code of a destroyed contract is gone.
      if (both.expected.body.is_self_destructed === true)
        expect(both.found.body).toMatchObject({ status: "error", code: "NOT_A_CONTRACT" });
      else expectEqual(both, ["metadata", "found_in", "label", "tags", "category", "label_source"]);
    }));

  test("has the facts of the whole index about a token, and unknown ones are null", () =>
    checkBoth(["get_token_info", { token_address: contract_address }], (both) => {
      const market = ["price_usd", "liquidity_usd", "market_cap_usd", "unrealizable_market_cap_usd", "depth_ratio"];
      const unread = ["holders_count", "name_flags", "impersonates", "metadata_history", ...market];
      expectEqual(both, ["metadata", "unavailable", "message", ...unread]);
      const { body } = both.found;
      if (body.status === "error") return;
      expect([body.holders_count, body.price_usd, body.liquidity_usd]).toEqual([null, null, null]);
      expect(missingIn(both.found)).toEqual(
        expect.arrayContaining(["holders_count", "price_usd", "liquidity_usd", "impersonates", "metadata_history"]),
      );
      expect(codesOf(both.found)).toContain("HISTORY_NOT_READ");
    }));
});

test.each(["dave", "mallory"] as const)("%s created the contracts that the whole index lists", (name) =>
  checkBoth(["get_wallet_deployed_contracts", { address: CHARACTERS[name].address }], (both) => {
    expectEqual(both, ["metadata", "unavailable", "holders_count", "liquidity_usd", "outcome", "risk_tags"]);
    const { data } = both.found.body;
    expect(data.length).toBeGreaterThan(1);
    for (const { token } of data)
      if (token !== null) expect(token).toEqual({ holders_count: null, liquidity_usd: null, outcome: null });
  }),
);
