import type { Chain } from "viem";
import * as chains from "viem/chains";
import { expect, test } from "vitest";
import { KNOWN_POOLS } from "../../knowledge/protocols.gen.ts";
import { NETWORKS } from "./index.ts";

/** Facts of viem's list of chains, which their teams maintain there. Some test networks have the number of another chain. */
const recordedOf = (chain_id: number | null): readonly Chain[] =>
  Object.values(chains).filter((chain) => chain.id === chain_id);

/** The demo chain is nowhere else. */
const evm = NETWORKS.filter(({ family, id }) => family === "evm" && !id.startsWith("demo"));

/** It has no native coin (knowledge/networks/tempo.yaml): the decimals are those of fees. */
const WITHOUT_COIN = "tempo";

test.each(evm.map((network) => [network.id, network] as const))(
  "the native coin and Multicall3 of %s are those of viem's chains",
  (id, { chain_id, native, multicall }) => {
    const recorded = recordedOf(chain_id);
    // The list writes some symbols in capitals.
    const coins = recorded.map(({ nativeCurrency: coin }) => `${coin.symbol.toUpperCase()} ${coin.decimals}`);
    expect(coins).toContain(`${native.symbol.toUpperCase()} ${id === WITHOUT_COIN ? 6 : native.decimals}`);
    const addresses = recorded.flatMap(({ contracts }) => contracts?.multicall3?.address.toLowerCase() ?? []);
    if (addresses.length > 0) expect(addresses).toContain(`0x${multicall}`);
  },
);

/** Only one exchange with published factories is known there. */
const ONE_EXCHANGE = ["worldchain", "tempo", "katana"];

test("every built-in EVM network has at least two exchanges and a dollar coin", () => {
  const exchanges = new Map(
    evm.map(({ id }) => [id, new Set(KNOWN_POOLS.flatMap(({ network, entity }) => (network === id ? [entity] : [])))]),
  );
  expect([...exchanges].filter(([, names]) => names.size < 2).map(([id]) => id)).toEqual(ONE_EXCHANGE);
  expect([...exchanges].filter(([, names]) => names.size === 0)).toEqual([]);
  expect(evm.filter(({ stablecoins }) => !stablecoins.some(({ peg }) => peg === "USD")).map(({ id }) => id)).toEqual(
    [],
  );
});
