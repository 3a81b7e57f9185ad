import { expect, test } from "vitest";
import { AssayError } from "../../lib/errors.ts";
import { networkFromConfig } from "./from_config.ts";
import { NETWORKS, networkById } from "./index.ts";

/** 32 bytes on Solana, 20 elsewhere. */
const CANONICAL = { evm: /^[0-9a-f]{40}$/, tron: /^[0-9a-f]{40}$/, solana: /^[0-9a-f]{64}$/ };

test("every address of every network is lower-case hex of its family's length, and none is the zero address", () => {
  for (const network of NETWORKS) {
    const { wrapped_native, multicall, ens, stablecoins } = network;
    const optional = [wrapped_native, multicall, ens?.registry, ens?.universal_resolver];
    const addresses = [
      ...stablecoins.map((coin) => coin.address),
      ...optional.filter((one) => typeof one === "string"),
    ];
    for (const address of addresses) {
      expect(address, network.id).toMatch(CANONICAL[network.family]);
      expect(address, network.id).not.toMatch(/^0+$/);
    }
  }
});

test("ids, chain ids and CAIP-2 names are unique, and no network lists a stablecoin twice", () => {
  for (const key of ["id", "chain_id", "caip2", "name"] as const)
    expect(new Set(NETWORKS.map((network) => network[key])).size).toBe(NETWORKS.length);
  for (const { id, stablecoins } of NETWORKS)
    expect(new Set(stablecoins.map((coin) => coin.address)).size, id).toBe(stablecoins.length);
});

/** EVM networks that every release ships, in the order of the list. */
const SPECIFIED = [
  "ethereum",
  "bsc",
  "base",
  "arbitrum",
  "optimism",
  "polygon",
  "avalanche",
  "linea",
  "scroll",
  "blast",
  "zksync",
  "mantle",
  "sonic",
  "unichain",
  "worldchain",
  "gnosis",
  "celo",
  "ink",
  "soneium",
  "monad",
  "berachain",
  "hyperevm",
  "plasma",
  "xlayer",
  "megaeth",
  "robinhood",
  "arc",
  "tempo",
  "katana",
  "cronos",
];
const OTHERS = ["solana", "tron", "demo", "demo-solana", "demo-tron"];

test("the networks that every release ships come first, then the other known ones, then the other families and the demos", () => {
  const ids = NETWORKS.map(({ id }) => id);
  expect(ids.slice(0, SPECIFIED.length)).toEqual(SPECIFIED);
  expect(ids.slice(-OTHERS.length)).toEqual(OTHERS);
  expect(networkById("polygon")?.caip2).toBe("eip155:137");
  expect(networkById("mainnet")).toBeNull();
});

test("every network has positive times and decimals of a coin", () => {
  for (const network of NETWORKS) {
    expect(network.finality_blocks, network.id).toBeGreaterThan(0);
    expect(network.block_seconds, network.id).toBeGreaterThan(0);
    // One TRX is 1,000,000 sun, one SOL 1,000,000,000 lamports.
    expect(network.native.decimals, network.id).toBe({ evm: 18, tron: 6, solana: 9 }[network.family]);
  }
});

test("settings replace facts of a known network and leave the others", () => {
  const demo = networkFromConfig({
    id: "demo",
    wrapped_native: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    stablecoins: [{ symbol: "USDC", address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48" }],
    multicall: "0xca11bde05977b3631167028862be2a173976ca11",
    ens: { registry: "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e" },
  });
  expect(demo).toMatchObject({
    chain_id: 31337,
    caip2: "eip155:31337",
    wrapped_native: "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    stablecoins: [{ symbol: "USDC", address: "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", peg: "USD" }],
    multicall: "ca11bde05977b3631167028862be2a173976ca11",
    ens: { registry: "00000000000c2e074ec69a0dfb2997ba6c7d2e1e", universal_resolver: null },
    finality_blocks: 64,
  });
  expect(networkFromConfig({ id: "ethereum", multicall: null })).toEqual({
    ...networkById("ethereum"),
    multicall: null,
  });
});

test("an operator's freezable coins are rows of the network, unknown facts null", () => {
  const freezes = [{ symbol: "OPD", address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", families: ["circle"] }];
  expect(networkFromConfig({ id: "ethereum", freezes }).freezes).toEqual([
    {
      symbol: "OPD",
      address: "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      families: ["circle"],
      decimals: null,
      start_block: null,
    },
  ]);
  expect(() => networkFromConfig({ id: "ethereum", freezes: [{ symbol: "X", address: "0x1", families: [] }] })).toThrow(
    AssayError,
  );
});

test("a chain that is not known by name needs its chain id and its coin, and nothing else", () => {
  const native = { symbol: "ETH", decimals: 18 };
  const mine = networkFromConfig({ id: "mychain", family: "evm", chain_id: 9000, native });
  expect(mine).toMatchObject({ caip2: "eip155:9000", native, wrapped_native: null, stablecoins: [], multicall: null });
  const other = networkFromConfig({
    id: "mytron",
    family: "tron",
    chain_id: 9001,
    native,
    stablecoins: [{ symbol: "USDT", address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }],
  });
  expect(other).toMatchObject({
    caip2: "tron:9001",
    token_kind: "trc20",
    stablecoins: [{ address: "a614f803b6fd780986a42c78ec9c7f77e6ded13c" }],
  });
  for (const settings of [
    { id: "mychain", native },
    { id: "ethereum", family: "tron" as const },
    { id: "ethereum", wrapped_native: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
    { id: "mychain", chain_id: 9000 },
    { id: "My Chain", chain_id: 9000, native },
    { id: "ethereum", chain_id: 5 },
    { id: "demo", wrapped_native: "0x1234" },
    { id: "demo", wrapped_native: "0xC02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
  ])
    expect(() => networkFromConfig(settings), JSON.stringify(settings)).toThrow(AssayError);
});
