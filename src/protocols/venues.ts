import { fromBase58 } from "../lib/base58.ts";
import { type Hex, hex, toHex } from "../lib/bytes.ts";
import type { PoolFamily } from "./protocol.ts";

/** A factory whose pools we know: a fork of a family is a row, not code. Of Balancer the vault, of Curve the registry. */
export interface Venue {
  readonly venue: string;
  readonly family: PoolFamily;
  readonly network: string;
  readonly factory: Hex;
  /** Swap fee in millionths; null where each pool has its own. */
  readonly fee_ppm: number | null;
  /** Holds what lies in all of its pools; left out where each pool holds its own, or the factory does. */
  readonly vaults?: Hex;
}

const fork = (
  shape: Omit<Venue, "network" | "factory">,
  factories: Readonly<Record<string, string>>,
): readonly Venue[] =>
  Object.entries(factories).map(([network, factory]) => ({ ...shape, network, factory: hex(factory) }));

const address = (text: string): Hex => toHex(fromBase58(text) ?? new Uint8Array(0));

const RAYDIUM_AMM_V4 = { venue: "raydium_amm_v4", family: "vault_product", fee_ppm: 2500 } as const;
const RAYDIUM_CPMM = { venue: "raydium_cpmm", family: "vault_product", fee_ppm: null } as const;
const METEORA_DAMM_V2 = { venue: "meteora_damm_v2", family: "vault_curve", fee_ppm: null } as const;

/**
 * Programs that run their pools themselves (sources: chains/solana/pool_programs.ts). Raydium's AMM v4 takes 25 of 10,000
 * (raydium-amm state.rs, Fees); elsewhere a pool's configuration says it. `vaults` are the
 * authorities that the programs derive from "amm authority", "vault_and_lp_mint_auth_seed" and "pool_authority".
 */
const PROGRAM_VENUES: readonly Venue[] = [
  ...fork(
    { ...RAYDIUM_AMM_V4, vaults: address("5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1") },
    { solana: address("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8") },
  ),
  ...fork(
    { ...RAYDIUM_CPMM, vaults: address("GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL") },
    {
      solana: address("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"),
      "demo-solana": address("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"),
    },
  ),
  ...fork(
    { venue: "pumpswap", family: "vault_product", fee_ppm: null },
    { solana: address("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA") },
  ),
  ...fork(
    { venue: "raydium_clmm", family: "vault_curve", fee_ppm: null },
    { solana: address("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK") },
  ),
  ...fork(
    { venue: "orca_whirlpool", family: "vault_curve", fee_ppm: null },
    { solana: address("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc") },
  ),
  ...fork(
    { venue: "meteora_dlmm", family: "vault_curve", fee_ppm: null },
    { solana: address("LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo") },
  ),
  ...fork(
    { ...METEORA_DAMM_V2, vaults: address("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC") },
    { solana: address("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG") },
  ),
  ...fork(
    { venue: "byreal", family: "vault_curve", fee_ppm: null },
    { solana: address("REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2") },
  ),
  ...fork(
    { venue: "meteora_dbc", family: "vault_curve", fee_ppm: null },
    { solana: address("dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN") },
  ),
  ...fork(
    { venue: "raydium_launchlab", family: "vault_curve", fee_ppm: null },
    { solana: address("LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj") },
  ),
  ...fork(
    { venue: "pumpfun", family: "vault_curve", fee_ppm: null },
    { solana: address("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P") },
  ),
];

/** Addresses: npm @uniswap/sdk-core 7.19.4 and sushi 7.3.15; the last five from each exchange's documentation. Fees: each fork's library and documentation. */
const VENUES: readonly Venue[] = [
  ...fork(
    { venue: "uniswap_v2", family: "uniswap_v2", fee_ppm: 3000 },
    {
      ethereum: "5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      bsc: "8909dc15e40173ff4699343b6eb8132c65e18ec6",
      base: "8909dc15e40173ff4699343b6eb8132c65e18ec6",
      arbitrum: "f1d7cc64fb4452f05c498126312ebe29f30fbcf9",
      optimism: "0c3c1c532f1e39edf36be9fe0be1410313e074bf",
      polygon: "9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      avalanche: "9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      linea: "114a43df6c5f54ebb8a9d70cd1951d3dd68004c7",
      blast: "5c346464d33f90babaf70db6388507cc889c1070",
      unichain: "1f98400000000000000000000000000000000002",
      worldchain: "5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      celo: "79a530c8e2fa8748b7b40dd3629c0520c2ccf03f",
      ink: "fe57a6ba1951f69ae2ed4abe23e0f095df500c04",
      soneium: "97febbc2adbd5644ba22736e962564b23f5828ce",
      monad: "182a927119d56008d921126764bf884221b10f59",
      xlayer: "df38f24fe153761634be942f9d859f3dba857e95",
      megaeth: "bf56488c857a881ae7e3bed27cf99c10a7ab7e50",
      robinhood: "8bceaa40b9acdfaedf85adf4ff01f5ad6517937f",
      arc: "89e5db8b5aa49aa85ac63f691524311aeb649eba",
      tempo: "f9ec577a4e45b5278bb7cf60fcbc20c3acaef68f",
    },
  ),
  ...fork(
    { venue: "uniswap_v3", family: "uniswap_v3", fee_ppm: null },
    {
      ethereum: "1f98431c8ad98523631ae4a59f267346ea31f984",
      bsc: "db1d10011ad0ff90774d0c6bb92e5c5c8b4461f7",
      base: "33128a8fc17869897dce68ed026d694621f6fdfd",
      arbitrum: "1f98431c8ad98523631ae4a59f267346ea31f984",
      optimism: "1f98431c8ad98523631ae4a59f267346ea31f984",
      polygon: "1f98431c8ad98523631ae4a59f267346ea31f984",
      avalanche: "740b1c1de25031c31ff4fc9a62f554a55cdc1bad",
      linea: "31fafd4889fa1269f7a13a66ee0fb458f27d72a9",
      scroll: "70c62c8b8e801124a4aa81ce07b637a3e83cb919",
      blast: "792edade80af5fc680d96a2ed80a44247d2cf6fd",
      zksync: "8fda5a7a8dca67bbcdd10f02fa0649a937215422",
      mantle: "0d922fb1bc191f64970ac40376643808b4b74df9",
      sonic: "cb2436774c3e191c85056d248ef4260ce5f27a9d",
      unichain: "1f98400000000000000000000000000000000003",
      worldchain: "7a5028bda40e7b173c278c5342087826455ea25a",
      gnosis: "e32f7dd7e3f098d518ff19a22d5f028e076489b1",
      celo: "afe208a311b21f13ef87e33a90049fc17a7acdec",
      ink: "640887a9ba3a9c53ed27d0f7e8246a4f933f3424",
      soneium: "42ae7ec7ff020412639d443e245d936429fbe717",
      monad: "204faca1764b154221e35c0d20abb3c525710498",
      plasma: "cb2436774c3e191c85056d248ef4260ce5f27a9d",
      xlayer: "4b2ab38dbf28d31d467aa8993f6c2585981d6804",
      megaeth: "3a5f0cd7d62452b7f899b2a5758bfa57be0de478",
      robinhood: "1f7d7550b1b028f7571e69a784071f0205fd2efa",
      arc: "f0db7b58379503491d857db50ac9ece64c653918",
      tempo: "24a3d4757e330890a8b8978028c9e58e04611fd6",
    },
  ),
  // The pool manager stands for a factory: it holds and names all pools.
  ...fork(
    { venue: "uniswap_v4", family: "uniswap_v4", fee_ppm: null },
    {
      ethereum: "000000000004444c5dc75cb358380d2e3de08a90",
      bsc: "28e2ea090877bf75740558f6bfb36a5ffee9e9df",
      base: "498581ff718922c3f8e6a244956af099b2652b2b",
      arbitrum: "360e68faccca8ca495c1b759fd9eee466db9fb32",
      optimism: "9a13f98cb987694c9f086b1f5eb990eea8264ec3",
      polygon: "67366782805870060151383f4bbff9dab53e5cd6",
      avalanche: "06380c0e0912312b5150364b9dc4542ba0dbbc85",
      linea: "248083fb965359d82b06c1f5322480dcfc1ad857",
      blast: "1631559198a9e474033433b2958dabc135ab6446",
      unichain: "1f98400000000000000000000000000000000004",
      worldchain: "b1860d529182ac3bc1f51fa2abd56662b7d13f33",
      celo: "288dc841a52fca2707c6947b3a777c5e56cd87bc",
      ink: "360e68faccca8ca495c1b759fd9eee466db9fb32",
      soneium: "360e68faccca8ca495c1b759fd9eee466db9fb32",
      monad: "188d586ddcf52439676ca21a244753fa19f9ea8e",
      xlayer: "360e68faccca8ca495c1b759fd9eee466db9fb32",
      megaeth: "acb7e78fa05d562e0a5d3089ec896d57d057d38e",
      robinhood: "8366a39cc670b4001a1121b8f6a443a643e40951",
      arc: "8366a39cc670b4001a1121b8f6a443a643e40951",
      tempo: "33620f62c5b9b2086dd6b62f4a297a9f30347029",
    },
  ),
  ...fork(
    { venue: "sushiswap_v2", family: "uniswap_v2", fee_ppm: 3000 },
    {
      ethereum: "c0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      bsc: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      base: "71524b4f93c58fcbf659783284e38825f0622859",
      arbitrum: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      optimism: "fbc12984689e5f15626bad03ad60160fe98b303c",
      polygon: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      avalanche: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      linea: "fbc12984689e5f15626bad03ad60160fe98b303c",
      scroll: "b45e53277a7e0f1d35f2a77160e91e25507f1763",
      blast: "42fa929fc636e657ac568c0b5cf38e203b67ac2b",
      sonic: "b45e53277a7e0f1d35f2a77160e91e25507f1763",
      gnosis: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      celo: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      robinhood: "e52abd50ad151ecdf56427effd715e703696a6b1",
      arc: "0e867974275cd31c25015c2753c9d75f9f355379",
      katana: "72d111b4d6f31b38919ae39779f570b747d6acd9",
    },
  ),
  ...fork(
    { venue: "sushiswap_v3", family: "uniswap_v3", fee_ppm: null },
    {
      ethereum: "baceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
      bsc: "126555dd55a39328f69400d6ae4f782bd4c34abb",
      base: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      arbitrum: "1af415a1eba07a4986a52b6f2e7de7003d82231e",
      optimism: "9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0",
      polygon: "917933899c6a5f8e37f31e19f92cdbff7e8ff0e2",
      avalanche: "3e603c14af37ebdad31709c4f848fc6ad5bec715",
      linea: "c35dadb65012ec5796536bd9864ed8773abc74c4",
      scroll: "46b3fdf7b5cde91ac049936bf0bdb12c5d22202e",
      blast: "7680d4b43f3d1d54d6cfeeb2169463bfa7a6cf0d",
      sonic: "46b3fdf7b5cde91ac049936bf0bdb12c5d22202e",
      gnosis: "f78031cbca409f2fb6876bdfdbc1b2df24cf9bef",
      robinhood: "e51960f1b45f1c9fb6d166e6a884f866fc70433b",
      arc: "7282249282902e1f99c2cb0a04230091bd30fe3a",
      katana: "203e8740894c8955cb8950759876d7e7e45e04c1",
    },
  ),
  ...fork(
    { venue: "pancakeswap_v2", family: "uniswap_v2", fee_ppm: 2500 },
    {
      ethereum: "1097053fd2ea711dad45caccc45eff7548fcb362",
      bsc: "ca143ce32fe78f1f7019d7d551a6402fc5350c73",
      base: "02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      arbitrum: "02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      linea: "02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      zksync: "d03d8d566183f0086d8d09a84e1e30b58dd5619d",
      monad: "02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      robinhood: "02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
    },
  ),
  ...fork(
    { venue: "pancakeswap_v3", family: "uniswap_v3", fee_ppm: null },
    {
      ethereum: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      bsc: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      base: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      arbitrum: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      linea: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      zksync: "1bb72e0cbbea93c08f535fc7856e0338d7f7a8ab",
      monad: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      robinhood: "0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
    },
  ),
  ...fork(
    { venue: "aerodrome_v1", family: "solidly", fee_ppm: 3000 },
    { base: "420dd381b31aef6683db6b902084cb0ffece40da" },
  ),
  ...fork(
    { venue: "velodrome_v2", family: "solidly", fee_ppm: 3000 },
    { optimism: "f1046053aa5682b4f9a81b5481394da16be5ff5a" },
  ),
  ...fork(
    { venue: "camelot_v2", family: "uniswap_v2", fee_ppm: 3000 },
    { arbitrum: "6eccab422d763ac031210895c81787e87b43a652" },
  ),
  ...fork(
    { venue: "quickswap_v2", family: "uniswap_v2", fee_ppm: 3000 },
    { polygon: "5757371414417b8c6caad45baef941abc7d3ab32" },
  ),
  ...fork(
    { venue: "traderjoe_v1", family: "uniswap_v2", fee_ppm: 3000 },
    { avalanche: "9ad6c38be94206ca50bb0d90783181662f0cfa10" },
  ),
  // TXk8rQSAvPvBBNtqSoY6nCfsXWCSSpTVQF: one exchange for each token against TRX, which takes 3 of 1,000 (JustswapExchange.sol).
  ...fork(
    { venue: "sunswap_v1", family: "uniswap_v2", fee_ppm: 3000 },
    { tron: "eed9e56a5cddaa15ef0c42984884a8afcf1bdebb" },
  ),
  // TKWJdrQkqHisa1X8HUdHEfREvTzw4pMAaY, TThJt8zaJzJMhCEScH7zWKnp5buVZqys9x (sun-protocol, SunSwap contract addresses).
  ...fork(
    { venue: "sunswap_v2", family: "uniswap_v2", fee_ppm: 3000 },
    { tron: "689abaeeed3f0bb3585773192e23224cac25dd41" },
  ),
  ...fork(
    { venue: "sunswap_v3", family: "uniswap_v3", fee_ppm: null },
    { tron: "c2708485c99cd8cf058de1a9a7e3c2d8261a995c" },
  ),
  // The vault holds and names all pools (docs.balancer.fi deployment addresses; balancer/backend for optimism, Zapper-fi/studio for polygon, paraswap/paraswap-dex-lib for arbitrum).
  ...fork(
    { venue: "balancer_v2", family: "balancer_v2", fee_ppm: null },
    {
      ethereum: "ba12222222228d8ba445958a75a0704d566bf2c8",
      base: "ba12222222228d8ba445958a75a0704d566bf2c8",
      arbitrum: "ba12222222228d8ba445958a75a0704d566bf2c8",
      optimism: "ba12222222228d8ba445958a75a0704d566bf2c8",
      polygon: "ba12222222228d8ba445958a75a0704d566bf2c8",
      avalanche: "ba12222222228d8ba445958a75a0704d566bf2c8",
      gnosis: "ba12222222228d8ba445958a75a0704d566bf2c8",
    },
  ),
  // The registry of registries knows the pools of all of Curve's factories (docs.curve.finance, MetaRegistry).
  ...fork({ venue: "curve", family: "curve", fee_ppm: null }, { ethereum: "f98b45fa17de75fb1ad0e7afd971b0ca00e379fc" }),
  ...PROGRAM_VENUES,
];

/** The venues of one network by factory. `own` (from the configuration) wins over the list. */
export const venuesOf = (network: string, own: readonly Venue[] = []): ReadonlyMap<Hex, Venue> =>
  new Map([...VENUES, ...own].filter((venue) => venue.network === network).map((venue) => [venue.factory, venue]));
