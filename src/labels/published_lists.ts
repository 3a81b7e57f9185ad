/**
 * Lists at a stable address, which an operator's own run may fetch (`assay labels fetch`). The project ships none of
 * them: sanctions must be fresh, the others change, and most have no licence for it. A new one is one entry here.
 */
export interface PublishedList {
  /** Its name, and that of the imported list. */
  readonly name: string;
  readonly what: string;
  /** Its files, which are imported as one list. None when each issue has an address of its own: `--from` gives it. */
  readonly urls: readonly string[];
  /** The publisher's page about it. */
  readonly page: string;
  /** Its name in `assay labels import --format`. */
  readonly format:
    | "ofac-xml"
    | "sanctions-lines"
    | "bitfinex-wallets"
    | "okx-reserves"
    | "tagpack"
    | "forta-csv"
    | "scam-sniffer"
    | "domains"
    | "token-list";
  /** Kind of the imported list. */
  readonly kind: "labels" | "sanctions" | "tokens" | "domains";
  /** Networks of rows that name none; `evm`: every EVM network. */
  readonly networks: readonly string[];
  /** Risk categories that it names; `sanctions` and `tokens` have none. */
  readonly categories: readonly string[];
  /** SPDX id, or a sentence. */
  readonly licence: string;
  /** Fewer valid rows are a fault. */
  readonly rows_min: number;
  /** Maximum number of unpacked bytes of one file. */
  readonly bytes_max: number;
  readonly deadline_ms: number;
}

const MB = 1024 * 1024;
const GITHUB = "https://raw.githubusercontent.com";

const SANCTIONS: readonly PublishedList[] = [
  {
    name: "ofac-sdn",
    what: "the SDN list of OFAC, with its digital currency addresses",
    urls: ["https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML"],
    page: "https://ofac.treasury.gov/sdn-list-data-formats-data-schemas",
    ...{ format: "ofac-xml", kind: "sanctions", networks: [], categories: [] },
    licence: "work of the government of the United States: public domain",
    ...{ rows_min: 500, bytes_max: 400 * MB, deadline_ms: 300_000 },
  },
  {
    name: "ofac-addresses",
    what: "EVM, Tron and Solana addresses that 0xB10C extracts from OFAC's list every night: for a place that cannot reach OFAC",
    urls: ["ETH", "USDT", "USDC", "TRX", "SOL", "BSC", "ARB", "ETC"].map(
      (asset) => `${GITHUB}/0xB10C/ofac-sanctioned-digital-currency-addresses/lists/sanctioned_addresses_${asset}.txt`,
    ),
    page: "https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses",
    ...{ format: "sanctions-lines", kind: "sanctions", networks: [], categories: [] },
    licence: "MIT; the content is the work of the government of the United States",
    ...{ rows_min: 150, bytes_max: MB, deadline_ms: 30_000 },
  },
];

const EXCHANGES: readonly PublishedList[] = [
  {
    name: "bitfinex-wallets",
    what: "the wallets that Bitfinex publishes",
    urls: [`${GITHUB}/bitfinexcom/pub/main/wallets.txt`],
    page: "https://github.com/bitfinexcom/pub",
    ...{ format: "bitfinex-wallets", kind: "labels", networks: [], categories: [] },
    licence: "published by Bitfinex; no licence is stated",
    ...{ rows_min: 8, bytes_max: MB, deadline_ms: 30_000 },
  },
  {
    name: "okx-reserves",
    what: "the monthly proof of reserves of OKX (its CSV, unpacked)",
    urls: [],
    page: "https://www.okx.com/proof-of-reserves/download",
    ...{ format: "okx-reserves", kind: "labels", networks: [], categories: [] },
    licence: "published by OKX; no licence is stated",
    ...{ rows_min: 50, bytes_max: 400 * MB, deadline_ms: 300_000 },
  },
];

/** Packs with addresses of account-based chains and a category; the others are about Bitcoin, or name no category. */
const TAGPACKS: readonly string[] = [
  ...["etherscamdb_tagpack", "defi-fraud-masterthesis", "forsage", "ronin_bridge", "lazarus"],
  ...["etherscan-wordcloud-gambling", "etherscan-wordcloud-mixing_service"],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((part) => `eosio-gambling_part${part}`),
];

const CRIME: readonly PublishedList[] = [
  {
    name: "graphsense-tagpacks",
    what: "GraphSense TagPacks on scams, phishing, thefts, Ponzi schemes, gambling and mixers",
    urls: TAGPACKS.map((pack) => `${GITHUB}/graphsense/graphsense-tagpacks/master/packs/${pack}.yaml`),
    page: "https://github.com/graphsense/graphsense-tagpacks",
    ...{ format: "tagpack", kind: "labels", networks: [] },
    categories: ["phishing", "scam", "ponzi", "exploit", "gambling", "mixer"],
    licence: "MIT; most packs were collected from the pages of explorers",
    ...{ rows_min: 5_000, bytes_max: 32 * MB, deadline_ms: 60_000 },
  },
  {
    name: "forta-phishing",
    what: "phishing addresses of Ethereum in Forta's labelled datasets",
    urls: [`${GITHUB}/forta-network/labelled-datasets/main/labels/1/phishing_scams.csv`],
    page: "https://github.com/forta-network/labelled-datasets",
    ...{ format: "forta-csv", kind: "labels", networks: ["ethereum"], categories: ["phishing"] },
    licence: "MIT; the rows were collected from an explorer's labels",
    ...{ rows_min: 1_000, bytes_max: 16 * MB, deadline_ms: 30_000 },
  },
  {
    name: "forta-malicious",
    what: "addresses of phishing, thefts and exploits of Ethereum in Forta's labelled datasets",
    urls: ["etherscan_malicious_labels", "malicious_smart_contracts"].map(
      (file) => `${GITHUB}/forta-network/labelled-datasets/main/labels/1/${file}.csv`,
    ),
    page: "https://github.com/forta-network/labelled-datasets",
    ...{ format: "forta-csv", kind: "labels", networks: ["ethereum"], categories: ["phishing", "theft", "exploit"] },
    licence: "MIT; the rows were collected from an explorer's labels",
    ...{ rows_min: 1_000, bytes_max: 16 * MB, deadline_ms: 30_000 },
  },
  {
    name: "scamsniffer-addresses",
    what: "addresses of wallet drainers and phishing sites, a week old",
    urls: [`${GITHUB}/scamsniffer/scam-database/main/blacklist/address.json`],
    page: "https://github.com/scamsniffer/scam-database",
    ...{ format: "scam-sniffer", kind: "labels", networks: ["evm"], categories: ["phishing"] },
    licence: "published by ScamSniffer; no licence is stated",
    ...{ rows_min: 200, bytes_max: 16 * MB, deadline_ms: 30_000 },
  },
];

const DOMAINS: readonly PublishedList[] = [
  {
    name: "eth-phishing-detect",
    what: "domains of phishing sites, as MetaMask blocks them",
    urls: [`${GITHUB}/MetaMask/eth-phishing-detect/main/src/config.json`],
    page: "https://github.com/MetaMask/eth-phishing-detect",
    ...{ format: "domains", kind: "domains", networks: [], categories: [] },
    licence: "DBAD",
    ...{ rows_min: 1_000, bytes_max: 64 * MB, deadline_ms: 60_000 },
  },
  {
    name: "scamsniffer-domains",
    what: "domains of phishing sites, a week old",
    urls: [`${GITHUB}/scamsniffer/scam-database/main/blacklist/domains.json`],
    page: "https://github.com/scamsniffer/scam-database",
    ...{ format: "domains", kind: "domains", networks: [], categories: [] },
    licence: "published by ScamSniffer; no licence is stated",
    ...{ rows_min: 1_000, bytes_max: 64 * MB, deadline_ms: 60_000 },
  },
];

/** A list of tokens, against which copies show. */
const tokenList = (list: Pick<PublishedList, "name" | "what" | "urls" | "page" | "licence">): PublishedList => ({
  ...list,
  ...{ format: "token-list", kind: "tokens", networks: [], categories: [] },
  ...{ rows_min: 50, bytes_max: 32 * MB, deadline_ms: 60_000 },
});

const COINGECKO = {
  page: "https://docs.coingecko.com/reference/token-lists",
  licence: "published by CoinGecko under its terms of use",
};
/** Network -> CoinGecko's name of it. */
const COINGECKO_NETWORKS: Readonly<Record<string, string>> = {
  ...{ ethereum: "ethereum", bsc: "binance-smart-chain", polygon: "polygon-pos", arbitrum: "arbitrum-one" },
  ...{ optimism: "optimistic-ethereum", base: "base", avalanche: "avalanche" },
};

const TOKENS: readonly PublishedList[] = [
  tokenList({
    name: "uniswap-tokens",
    what: "Uniswap's default list, of many networks",
    urls: ["https://tokens.uniswap.org"],
    page: "https://github.com/Uniswap/default-token-list",
    licence: "GPL-3.0-or-later",
  }),
  tokenList({
    name: "superchain-tokens",
    what: "tokens of Ethereum and their versions on Optimism, Base and others, by their official bridges",
    urls: ["https://static.optimism.io/optimism.tokenlist.json"],
    page: "https://github.com/ethereum-optimism/ethereum-optimism.github.io",
    licence: "MIT",
  }),
  ...Object.entries(COINGECKO_NETWORKS).map(([network, name]) =>
    tokenList({
      ...COINGECKO,
      name: `coingecko-${network}`,
      what: `the tokens of ${network} that CoinGecko follows`,
      urls: [`https://tokens.coingecko.com/${name}/all.json`],
    }),
  ),
];

export const PUBLISHED_LISTS: readonly PublishedList[] = [...SANCTIONS, ...EXCHANGES, ...CRIME, ...DOMAINS, ...TOKENS];
