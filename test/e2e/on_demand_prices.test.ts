import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import { sized } from "../long.ts";
import { comparable, WALLET_TOOLS } from "./on_demand_figures.ts";
import type { ToolReply } from "./served_world.ts";
import { still } from "./still.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/** A network that is read on demand has the prices of the whole index of the same chain, from the events of pools that the node tells. */

let both: WholeAndDemand;
beforeAll(async () => {
  both = await openWholeAndDemand(true);
});
afterAll(() => both?.close());

/** Whether the pools of a token were drained follows from all of their history. */
const OUTCOMES = ["outcome", "outcome_reason"];
/** Sums over tokens, which count a drained token as a loss on a whole index alone. */
const LOSSES = [
  ...["losing_tokens", "neutral_tokens", "total_pnl_usd", "total_unrealized_pnl_usd"],
  ...["unpriced_cost_usd", "unpriced_tokens"],
];

interface PnlRow {
  readonly token_address: string;
  readonly outcome: string | null;
  readonly pnl: { readonly unrealized_usd?: number };
}

const drainedIn = ({ body }: ToolReply): readonly PnlRow[] =>
  // An answer of get_wallet_pnl.
  (Array.isArray(body.data) ? (body.data as PnlRow[]) : []).filter(({ outcome }) => outcome === "drained");

const ask = async (tool: string, asked: Readonly<Record<string, unknown>>): Promise<ToolReply> =>
  vi.waitFor(
    async () => {
      const found = await both.demand.ask(tool, asked);
      expect(found.body.code).toBeUndefined();
      return found;
    },
    // The first call reads the history and the prices of the wallet.
    { timeout: 240_000, interval: 500 },
  );

const SLICE: readonly CharacterName[] = ["alice", "grace", "dave"];
// Mallory holds a token of a drained pool, which only a whole network knows.
const wallets = sized({ slice: SLICE, long: [...SLICE, "bob", "carol", "erin", "trent"] as const });

describe.each(wallets)("the wallet of %s", (name) => {
  test.each(WALLET_TOOLS)("%s equals the whole index in USD", async (tool, field) => {
    const asked = { [field]: CHARACTERS[name].address, network: "demo" };
    const expected = await both.whole.ask(tool, asked);
    const lost = tool === "get_wallet_pnl" ? drainedIn(expected) : [];
    const also = lost.length === 0 ? OUTCOMES : [...OUTCOMES, ...LOSSES];
    const shownOf = ({ text, body }: ToolReply): unknown => {
      if (lost.length === 0) return comparable(still(text), also);
      const rows = (body.data as PnlRow[]).filter(
        (row) => !lost.some((one) => one.token_address === row.token_address),
      );
      return comparable(still(JSON.stringify({ ...body, data: rows })), also);
    };
    await vi.waitFor(async () => expect(shownOf(await ask(tool, asked))).toEqual(shownOf(expected)), {
      timeout: 240_000,
      interval: 1_000,
    });
  });
});

test("a token whose pools were drained has no price on demand, and its loss is unknown, not zero", async () => {
  const asked = { address: CHARACTERS.alice.address, network: "demo" };
  const [expected, found] = [await both.whole.ask("get_wallet_pnl", asked), await ask("get_wallet_pnl", asked)];
  const [lost] = drainedIn(expected);
  const own = (found.body.data as PnlRow[]).find(({ token_address }) => token_address === lost?.token_address);
  expect(lost?.pnl.unrealized_usd).toBeLessThan(0);
  expect(own).toMatchObject({ holdings: { price_usd: null }, outcome: null });
  expect(own?.pnl.unrealized_usd).toBeUndefined();
  // The rest of the sum is the same.
  expect(found.body.summary.total_unrealized_pnl_usd + (lost?.pnl.unrealized_usd ?? 0)).toBeCloseTo(
    expected.body.summary.total_unrealized_pnl_usd,
    6,
  );
  expect(found.body.metadata.warnings).toContainEqual(expect.objectContaining({ code: "PRICES_NOT_READ" }));
});

test("an hour takes few requests", async () => {
  const [row] = await both.demand.service.facts.engine.query(
    "SELECT uniqExact(hour, at_block), sum(requests), countIf(state = 'priced'), countIf(state = 'failed') FROM demanded_prices FINAL",
  );
  const [hours = 0, requests = 0, priced = 0, failed = 0] = (row ?? []).map(Number);
  expect([hours > 50, priced > 100, failed]).toEqual([true, true, 0]);
  // 2 borders, factories, states, balances and logs of each hour; the day before for some.
  expect(requests / hours).toBeLessThan(12);
});
