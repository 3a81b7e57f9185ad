import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { answerOwnNames, OWN_NAMES_REGISTRY } from "../../../test/own_names.ts";
import { chainOf, IMPORTED_MS, MIXER, seedRisk, WALLET, WALLET_OF_FUNDS } from "../../../test/risk_scenario.ts";
import type { Chain } from "../../chains/chain.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { getWalletRiskOverview } from "../get_wallet_risk_overview.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedRisk(store);
});
afterAll(() => store.close());

const overview = async (chain: Chain) => {
  const operator = { ...SILENT_OPERATOR, sanctions: { max_age_hours: 168, now_ms: () => IMPORTED_MS } };
  const found = await runTool(
    getWalletRiskOverview,
    { address: `0x${WALLET}`, network: "demo" },
    {
      ...{ facts: store.facts, chain: () => chain, networks: ["demo"], operator },
      signal: new AbortController().signal,
    },
  );
  if (found.kind !== "data") throw new Error(found.kind);
  return found.data;
};

test("shows primary names on paths of the money for unlisted addresses, without changing the score", async () => {
  const plain = chainOf("demo");
  const said = { [WALLET_OF_FUNDS]: "purse.eth", [MIXER]: "charity.eth" };
  const names = fixedChain({ answer: answerOwnNames(said, { "purse.eth": WALLET_OF_FUNDS, "charity.eth": MIXER }) });
  const named: Chain = {
    ...plain,
    network: { ...plain.network, ens: { registry: OWN_NAMES_REGISTRY, universal_resolver: null } },
    call: async (calls, ...rest) => {
      const [own, other] = await Promise.all([plain.call(calls, ...rest), names.call(calls, ...rest)]);
      return own.map((one, i) => (one.ok ? one : (other[i] ?? one)));
    },
  };
  const [without, withNames] = [await overview(plain), await overview(named)];
  const mixer = { label: "A mixer", category: "mixer", label_source: "operator" };
  const path = withNames.categories[0]?.sources[0]?.path;
  expect(path).toMatchObject([
    { address: plain.formatAddress(MIXER), ...mixer },
    { address: plain.formatAddress(WALLET_OF_FUNDS), label: "purse.eth", category: null, label_source: "ens" },
  ]);
  expect(withNames.categories[0]?.sources[0]).toMatchObject(mixer);
  expect(withNames.related_risky_wallets).toMatchObject([
    { label: "purse.eth", label_category: null, label_source: "ens", category: "mixer", relation: "intermediary" },
  ]);
  expect(without.categories[0]?.sources[0]?.path[1]).toMatchObject({ label: null, label_source: null });
  for (const member of ["risk_score", "risk_level", "positive_factors", "behaviour", "tracing"] as const) {
    expect(withNames[member], member).toEqual(without[member]);
  }
});
