import { hex } from "../../lib/bytes.ts";
import type { IssuerCoin } from "./family.ts";

export interface ListedCoin extends IssuerCoin {
  readonly network: string;
}

interface CoinSpec {
  readonly symbol: string;
  readonly decimals: number | null;
  readonly families: readonly string[];
  /** Block of creation by network, where it is known. A guess near the head would hide history, so there are none. */
  readonly start_blocks?: Readonly<Record<string, number>>;
}

const coins = (face: CoinSpec, addresses: Readonly<Record<string, string>>): readonly ListedCoin[] =>
  Object.entries(addresses).map(([network, address]) => ({
    network,
    symbol: face.symbol,
    address: hex(address),
    decimals: face.decimals,
    families: face.families,
    start_block: face.start_blocks?.[network] ?? null,
  }));

/**
 * Coins whose freeze is known, by network. Contracts: the networks' lists of stablecoins; MNEE, USDtb, EURCV and FIDD from
 * their issuers' verified contracts. A coin that is not here was not looked at, which is something else than "no freeze"
 * (an empty list of families).
 */
export const LISTED_COINS: readonly ListedCoin[] = [
  ...coins(
    { symbol: "EURC", decimals: 6, families: ["circle"] },
    {
      ethereum: "1abaea1f7c830bd89acc67ec4af516284b1bc33c",
      base: "60a3e35cc302bfa44cb288bc5a4f316fdb1adb42",
      avalanche: "c891eb4cbdeff6e073e859e987815ed1505c2acd",
    },
  ),
  ...coins(
    { symbol: "USDC", decimals: 6, families: ["circle"], start_blocks: { ethereum: 6_082_465 } },
    {
      ethereum: "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      base: "833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      arbitrum: "af88d065e77c8cc2239327c5edb3a432268e5831",
      optimism: "0b2c639c533813f4aa9d7837caf62653d097ff85",
      polygon: "3c499c542cef5e3811e1192ce70d8cc03d5c3359",
      avalanche: "b97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
      linea: "176211869ca2b568f2a7d4ee941e073a821ee1ff",
      zksync: "1d17cbcf0d6d143135ae902365d2e5e2a16538d4",
      sonic: "29219dd400f2bf60e5a23d13be72b486d4038894",
      unichain: "078d782b760474a361dda0af3839290b0ef57ad6",
      worldchain: "79a02482a880bce3f13e09da970dc34db4cd24d1",
      celo: "ceba9300f2b948710d2653dd7b07f33a8b32118c",
      ink: "2d270e6886d130d724215a266106e6832161eaed",
      monad: "754704bc059f8c67012fed69bc8a327a5aafb603",
      xlayer: "74b7f16337b8972027f6196a17a631ac6de26d22",
      tron: "3487b63d30b5b2c87fb7ffa8bcfade38eaac1abe",
    },
  ),
  ...coins(
    { symbol: "EURC", decimals: 6, families: ["circle_bridged"] },
    {
      arbitrum: "863708032b5c328e11abcbc0df9d79c71fc52a48",
      unichain: "72f34bc403a005a9be390762eaa46ed42813b0a8",
    },
  ),
  ...coins(
    { symbol: "USDC", decimals: 18, families: ["circle_bridged"] },
    {
      bsc: "8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    },
  ),
  ...coins(
    { symbol: "USDC", decimals: 6, families: ["circle_bridged"] },
    {
      scroll: "06efdbff2a14a7c8e15944d1f4a48f9f95f663a4",
      mantle: "09bc4e0d864854c6afb6eb9a9cdf58ac190d0df9",
      gnosis: "ddafbb505ad214d7b80b1f830fccc89b60fb7a83",
      soneium: "ba9986d2381edf1da03b0b9c1f8b00dc4aacc369",
      berachain: "549943e04f40284185054145c6e4e9568c1d3241",
      arc: "3600000000000000000000000000000000000000",
      katana: "203a662b0bd271a6ed5a60edfbd04bfce608fd36",
      cronos: "c21223249ca28397b4b6541dffaecc539bff0c59",
    },
  ),
  ...coins(
    { symbol: "USDC.e", decimals: 6, families: ["circle_bridged"] },
    {
      arbitrum: "ff970a61a04b1ca14834a43f5de4533ebddb5cc8",
      optimism: "7f5c764cbc14f9669b88837ca1490cca17c31607",
      polygon: "2791bca1f2de4661ed88a30c99a7a9449aa84174",
      zksync: "3355df6d4c9c3035724fd0e3914de96a5a83aaf4",
    },
  ),
  ...coins(
    { symbol: "USDbC", decimals: 6, families: ["circle_bridged"] },
    {
      base: "d9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
    },
  ),
  ...coins(
    { symbol: "USDT", decimals: 6, families: ["tether_legacy"], start_blocks: { ethereum: 4_634_748 } },
    {
      ethereum: "dac17f958d2ee523a2206206994597c13d831ec7",
      tron: "a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    },
  ),
  ...coins(
    { symbol: "USDT", decimals: 6, families: ["tether_legacy", "tether_new"] },
    {
      avalanche: "9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7",
    },
  ),
  ...coins(
    { symbol: "USDT", decimals: 6, families: ["tether_bridged", "tether_new"] },
    {
      arbitrum: "fd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
      polygon: "c2132d05d31c914a87c6611c10748aeb04b58e8f",
    },
  ),
  ...coins(
    { symbol: "USDT", decimals: 6, families: ["tether_new"] },
    {
      celo: "48065fbbe25f71c9282ddf5e1cd6d6a887483d5e",
      ink: "0200c29006150606b650577bbe7b6248f58470c1",
      monad: "e7cd86e13ac4309349f30b3435a9d337750fc82d",
      berachain: "779ded0c9e1022225f8e0630b35a9b54be713736",
      hyperevm: "b8ce59fc3717ada4c02eadf9682a9e934f625ebb",
      plasma: "b8ce59fc3717ada4c02eadf9682a9e934f625ebb",
    },
  ),
  ...coins(
    { symbol: "USDT0", decimals: 6, families: ["tether_new"] },
    {
      optimism: "01bff41798a0bcf287b996046ca68b395dbc1071",
      unichain: "9151434b16b9763660705744891fa906f660ecc5",
      xlayer: "779ded0c9e1022225f8e0630b35a9b54be713736",
    },
  ),
  ...coins(
    { symbol: "USDT", decimals: 18, families: ["tether_bridged"] },
    {
      bsc: "55d398326f99059ff775485246999027b3197955",
    },
  ),
  ...coins(
    { symbol: "USDT", decimals: 6, families: ["tether_bridged"] },
    {
      base: "fde4c96c8593536e31f229ea8f37b2ada2699bb2",
      optimism: "94b008aa00579c1307b0ef2c499ad98a8ce58e58",
      linea: "a219439258ca9da29e9cc4ce5596924745e12b93",
      scroll: "f55bec9cafdbe8730f096aa55dad6d22d44099df",
      zksync: "493257fd37edb34451f62edf8d2a0c418852ba4c",
      mantle: "201eba5cc46d216ce6dc03f6a759e8e766e956ae",
      unichain: "588ce4f028d8e7b53b687865d6a67b3a54c75518",
      gnosis: "4ecaba5870353805a9f068101a40e0f32ed605c6",
      soneium: "3a337a6ada9d885b6ad95ec48f9b75f197b5ae35",
      xlayer: "1e4a5963abfd975d8c9021ce480b42188849d41d",
      katana: "2dca96907fde857dd3d816880a0df407eeb2d2f2",
    },
  ),
  ...coins(
    { symbol: "PYUSD", decimals: 6, families: ["paxos_v2"] },
    {
      ethereum: "6c3ea9036406852006290770bedfcaba0e23a0e8",
    },
  ),
  ...coins(
    { symbol: "USDP", decimals: 18, families: ["paxos_v1", "paxos_v2"] },
    {
      ethereum: "8e870d67f660d95d5be530380d0ec0bd388289e1",
    },
  ),
  ...coins(
    { symbol: "BUSD", decimals: 18, families: ["paxos_v1"] },
    {
      ethereum: "4fabb145d64652a948d72533023f6e7a623c7c53",
    },
  ),
  ...coins(
    { symbol: "USD1", decimals: 18, families: ["dual_index"] },
    {
      ethereum: "8d0d000ee44948fc98c9b98a4fa4921476f08b0d",
      tron: "91bed8e784249c91611e61c4585c40e21fd0ace2",
    },
  ),
  ...coins(
    { symbol: "RLUSD", decimals: 18, families: ["ripple"] },
    {
      ethereum: "8292bb45bf1ee4d140127049757c2e0ff06317ed",
    },
  ),
  ...coins(
    { symbol: "MNEE", decimals: 18, families: ["agora"] },
    {
      ethereum: "8ccedbae4916b79da7f3f612efb2eb93a2bfd6cf",
    },
  ),
  ...coins(
    { symbol: "USDtb", decimals: 18, families: ["batch_blocked"] },
    {
      ethereum: "c139190f447e929f090edeb554d95abb8b18ac1c",
    },
  ),
  ...coins(
    { symbol: "EURCV", decimals: 18, families: ["batch_frozen"] },
    {
      ethereum: "5f7827fdeb7c20b443265fc2f40845b715385ff2",
    },
  ),
  ...coins(
    { symbol: "FIDD", decimals: null, families: ["fidelity"] },
    {
      ethereum: "7c135549504245b5eae64fc0e99fa5ebabb8e35d",
    },
  ),
  ...coins(
    { symbol: "DAI", decimals: 18, families: [] },
    {
      ethereum: "6b175474e89094c44da98b954eedeac495271d0f",
      bsc: "1af3f329e8be154074d8769d1ffa4ee058b1dbc3",
      base: "50c5725949a6f0c72e6c4a641f24049a917db0cb",
      arbitrum: "da10009cbd5d07dd0cecc66161fc93d7c9000da1",
      optimism: "da10009cbd5d07dd0cecc66161fc93d7c9000da1",
      polygon: "8f3cf7ad23cd3cadbd9735aff958023239c6a063",
      unichain: "20cab320a855b39f724131c69424240519573f81",
    },
  ),
  ...coins(
    { symbol: "USDS", decimals: 18, families: [] },
    {
      ethereum: "dc035d45d973e3ec169d2276ddab16f1e407384f",
      arbitrum: "6491c05a82219b8d1479057361ff1654749b876b",
      unichain: "116ee4d63847fb295dd919ae57b768ea3b2f7bb4",
    },
  ),
];
