import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sized } from "../long.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/** Simulated trades on a network that is read on demand: factories name the pools, and nothing of the token is indexed. */

let both: WholeAndDemand;
let tokens: readonly string[];
beforeAll(async () => {
  both = await openWholeAndDemand(true);
  const found = await both.whole.service.facts.engine.query(
    "SELECT DISTINCT lower(hex(arrayJoin([token0, token1]))) AS token FROM pools WHERE network = 'demo' AND venue != '' ORDER BY token",
  );
  tokens = found.map(([token]) => `0x${token}`);
});
afterAll(() => both?.close());

const read = async (token_address: string) => {
  const asked = { token_address, network: "demo" };
  const expected = await both.whole.ask("get_token_risk_traits", asked);
  // The price of the native coin is read first.
  const found = await vi.waitFor(
    async () => {
      const answer = await both.demand.ask("get_token_risk_traits", asked);
      expect(answer.body.code).not.toBe("READING");
      return answer;
    },
    { timeout: 180_000, interval: 500 },
  );
  return { found: found.body, expected: expected.body };
};

/** Known values of `found` that `expected` has otherwise. */
const otherwise = (found: Readonly<Record<string, unknown>>, expected: Readonly<Record<string, unknown>>) =>
  Object.entries(found).filter(([name, value]) => value !== null && value !== expected[name]);

test("known taxes and traits are those of the whole index, and others are unknown", async () => {
  let done = 0;
  for (const token of tokens.filter((_, i) => i % sized({ slice: 6, long: 2 }) === 0)) {
    const { found, expected } = await read(token);
    expect([token, found.status, found.code]).toEqual([token, expected.status, expected.code]);
    if (found.status === "error") continue;
    const [trial, same] = [found.risk_overview.simulation, expected.risk_overview.simulation];
    expect([token, otherwise(found.taxes, expected.taxes)]).toEqual([token, []]);
    expect([token, otherwise(found.security_flags, expected.security_flags)]).toEqual([token, []]);
    if (trial.status !== "done") {
      expect([token, trial.status, trial.eoa_buyer]).toEqual([token, "pools_unread", null]);
      continue;
    }
    done += 1;
    for (const buyer of ["eoa_buyer", "contract_buyer"]) {
      const { buy_gas: _, sell_gas: __, ...result } = trial[buyer];
      expect([token, buyer, same[buyer]]).toEqual([token, buyer, expect.objectContaining(result)]);
    }
  }
  expect(done).toBeGreaterThan(1);
}, 600_000);

test("the state of the pools is not called known", async () => {
  const { found } = await read(tokens[0] ?? "");
  expect(found.liquidity).toMatchObject({ total_usd: null, pools: [] });
});
