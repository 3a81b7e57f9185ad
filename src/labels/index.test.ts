import { expect, test } from "vitest";
import { LABEL_SOURCES, labelsFor } from "./index.ts";

/** 03, section 6. */
const CATEGORIES =
  "exchange exchange_deposit dex lending bridge mixer gambling darknet scam phishing exploit ransomware sanctioned issuer stablecoin_contract fund market_maker public_figure dao_treasury payment miner_validator mev_bot token_contract nft launchpad oracle burn locker multisig smart_account unknown_service".split(
    " ",
  );

test("every label is a whole address with a word of the taxonomy", () => {
  const odd = LABEL_SOURCES.flatMap(({ rows }) => rows).filter(
    ({ address, category, label, confidence }) =>
      !/^[0-9a-f]{40}$/.test(address) ||
      !CATEGORIES.includes(category) ||
      label === "" ||
      confidence <= 0 ||
      confidence > 1,
  );
  expect(odd).toEqual([]);
});

test("no source says two things of one address", () => {
  for (const { name, rows } of LABEL_SOURCES) {
    const keys = rows.map(({ network, address }) => `${network}:${address}`);
    expect(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      name,
    ).toEqual([]);
  }
});

test("a network gets its own labels and those of every network", () => {
  const labels = labelsFor("bsc").map(({ label }) => label);
  expect(labels).toContain("Burn address (dead)");
  expect(labels).toContain("PancakeSwap v2 router");
  expect(labels).not.toContain("Uniswap v2 router");
});
