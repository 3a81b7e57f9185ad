import type { LiveTokenMetadata } from "../../chains/chain.ts";
import { readImplementation } from "../../domain/address/code/account_code.ts";
import type { CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { nodeStateBlock } from "../../domain/node_state.ts";
import { gapOf, isVerified, sourcesAmong } from "../../domain/token/contracts/verified_sources.ts";
import { BALANCES_UNKNOWN, indexedSupply, readHolderSums, SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { circulatingSupply, marketValueOf, readBurned, readSupply } from "../../domain/token/holders/supply.ts";
import { readLiquidity, tradedAs } from "../../domain/token/market/liquidity.ts";
import { changedReadings } from "../../domain/token/metadata/history.ts";
import { listingIn, listingsOf } from "../../domain/token/metadata/lists.ts";
import { formatToken, readingsOf } from "../../domain/token/metadata/metadata.ts";
import { impersonated, registryOf } from "../../domain/token/metadata/registry.ts";
import { faceReasons, isDeep } from "../../domain/token/metadata/spam.ts";
import { decimalsOf, tokenOf } from "../../domain/token/metadata/subject.ts";
import { pegWarnings } from "../../domain/valuation/prices/peg_warnings.ts";
import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { data, failed } from "../../lib/outcome.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import { iso } from "../../lib/time.ts";
import type { Sources } from "../../sources/index.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { input, NAME_FLAGS, output } from "./shape.ts";

const METHODOLOGY = "token-info/live-supply@1";

/** The contract's own words and supply, and whether it hides behind a proxy. Null when it is no token and never moved. */
const readLive = async (
  scope: SnapshotContext,
  sources: Sources,
  { hex, at: state }: { readonly hex: Hex; readonly at: number | null },
) => {
  const { chain, signal } = scope;
  if (hex === "") {
    const { symbol, decimals } = chain.network.native;
    const native: LiveTokenMetadata = {
      token: "",
      standard: "native",
      name: symbol,
      symbol,
      decimals,
      total_supply: null,
    };
    return { token: { ...native, standard: "native" }, burned: null, is_proxy: false, source: null, traits: null };
  }
  const at = state ?? undefined;
  const [{ code }, [found], burned] = await Promise.all([
    chain.account(hex, signal, at),
    chain.tokenMetadata([hex], signal, at),
    readBurned(scope, [hex], state),
  ]);
  const words = await tokenOf(scope, found, hex);
  if (words === null) return null;
  const told = state === null ? { ...words, total_supply: await indexedSupply(scope, hex) } : words;
  const [implementation, verified, traits] = await Promise.all([
    readImplementation({ chain, address: hex, code, at, signal }),
    sourcesAmong(scope, sources, [{ address: hex, code }]),
    chain.can.token_accounts ? chain.tokenTraits(hex, signal, at) : null,
  ]);
  const source = verified.get(hex) ?? null;
  return { token: told, burned: burned.get(hex) ?? null, is_proxy: implementation !== null, source, traits };
};

type LiveToken = NonNullable<Awaited<ReturnType<typeof readLive>>>;

const readIndexed = async (scope: SnapshotContext, { token, burned }: LiveToken) => {
  const { facts, snapshot } = scope;
  const hex = token.token;
  const is_whole = snapshot.coverage.complete && snapshot.coverage.logs && (hex !== "" || snapshot.coverage.traces);
  const issued = { token: hex, decimals: decimalsOf(token), total_supply: token.total_supply, burned };
  const [liquidities, creations, holders, supply, labels, listings, readings, registry] = await Promise.all([
    readLiquidity(scope, [hex]),
    hex === "" ? [] : facts.ask(snapshot, "creations_among", { addresses: [hex] }),
    is_whole ? readHolderSums({ facts, snapshot }, hex) : null,
    readSupply(scope, issued),
    hex === "" ? [] : facts.ask(snapshot, "labels_among", { addresses: [hex] }),
    listingsOf({ facts, snapshot }, [hex]),
    hex === "" ? null : readingsOf({ facts, snapshot }, [hex]),
    registryOf(scope),
  ]);
  const liquidity = liquidities.get(hex);
  const is_doubtful = holders?.is_doubtful ?? false;
  const issuer = labels.find(({ category, entity }) => category === "stablecoin_contract" && entity !== "");
  return {
    issuer: issuer?.entity ?? null,
    listing: listingIn(listings, hex),
    registry,
    price: liquidity?.priceOf(tradedAs(scope, hex)) ?? null,
    liquidity: { usd: liquidity?.usd ?? null, reason: liquidity?.reason ?? null },
    supply,
    creation: creations[0] ?? null,
    readings: changedReadings(readings?.get(hex) ?? [], snapshot.block.number),
    is_doubtful,
    holders: is_doubtful ? null : (holders?.holders ?? null),
  };
};

type IndexedToken = Awaited<ReturnType<typeof readIndexed>>;

const marketOf = ({ supply, price, liquidity }: IndexedToken) => marketValueOf(supply, price, liquidity.usd);

const suppliesOf = ({ token }: LiveToken, indexed: IndexedToken) => {
  const { total_supply } = token;
  const decimals = decimalsOf(token);
  const { gap: _, ...value } = marketOf(indexed);
  return {
    total_supply: total_supply === null || decimals === null ? null : toAmount(total_supply, decimals),
    total_supply_raw: total_supply?.toString() ?? null,
    circulating_supply: circulatingSupply(indexed.supply),
    ...value,
  };
};

const NEVER_KNOWN = [
  { field: "bridged_from", reason: "no registry of bridged tokens is read" },
  { field: "website", reason: "see analyze_token_website" },
  { field: "socials", reason: "see analyze_token_website" },
  { field: "description", reason: "no source of descriptions is read" },
];

/** Tokens that are accounts say themselves where their metadata lies. */
const uriGap = ({ traits }: LiveToken) =>
  (traits?.description?.uri ?? null) !== null
    ? []
    : [
        {
          field: "metadata_uri",
          reason: traits === null ? "see analyze_token_website" : "the token has no metadata URI",
        },
      ];

const faceGaps = ({ token }: LiveToken) =>
  (["name", "symbol", "decimals"] as const)
    .filter((field) => token[field] === null && !(field === "decimals" && decimalsOf(token) !== null))
    .map((field) => ({ field, reason: "the contract does not report it, or reports an invalid value" }));

const NO_CONTRACT = "the coin of the network has no contract";

const verificationGap = ({ source }: LiveToken) => {
  const reason = source === null ? NO_CONTRACT : gapOf([source]);
  return reason === null ? [] : [{ field: "is_verified", reason }];
};

const figureGaps = (indexed: IndexedToken) => {
  const { liquidity, supply } = indexed;
  const { gap } = marketOf(indexed);
  return [
    ...(liquidity.usd === null ? [{ field: "liquidity_usd", reason: liquidity.reason ?? "" }] : []),
    ...(supply.circulating === null ? [{ field: "circulating_supply", reason: supply.reason ?? "" }] : []),
    ...(gap === null ? [] : [{ field: "market_cap_usd", reason: gap }]),
  ];
};

const reasonsOf = (indexed: IndexedToken, live: LiveToken) => [
  ...(indexed.holders === null
    ? [
        {
          field: "holders_count",
          reason: indexed.is_doubtful ? SUMS_REASON : "the index does not cover the whole history",
        },
      ]
    : []),
  ...(indexed.price === null ? [{ field: "price_usd", reason: "no market is deep enough" }] : []),
  ...figureGaps(indexed),
  ...(indexed.creation === null
    ? [{ field: "creator", reason: live.token.token === "" ? NO_CONTRACT : "the creation is not indexed" }]
    : []),
  ...(live.token.total_supply === null
    ? [{ field: "total_supply", reason: live.token.token === "" ? NO_CONTRACT : "the contract does not report it" }]
    : []),
  ...faceGaps(live),
  ...verificationGap(live),
  ...uriGap(live),
  ...(indexed.issuer === null
    ? [{ field: "stablecoin_issuer", reason: "no label names an issuer of this contract" }]
    : []),
  ...(indexed.listing.logo_url === null ? [{ field: "logo_url", reason: "no imported token list has a logo" }] : []),
  ...NEVER_KNOWN,
];

const flagsOf = ({ token }: LiveToken, { registry, price }: IndexedToken) => {
  const found = token.token === "" ? [] : faceReasons(registry, token, price?.confidence ?? null);
  return NAME_FLAGS.filter((flag) => found.includes(flag));
};

const impersonationOf = ({ chain }: SnapshotContext, { token }: LiveToken, { registry, price }: IndexedToken) => {
  const found = impersonated(registry, token, { is_traded: isDeep(price?.confidence ?? null) });
  if (found === null) return null;
  const { copied } = found;
  return {
    canonical_address: formatToken(chain, found.canonical),
    reason: `its ${copied} ${token.has_hidden === true ? "without its hidden characters " : ""}imitates ${found[copied]}, the ${copied} of another address on ${chain.network.id}`,
  };
};

const cardOf = (scope: SnapshotContext, live: LiveToken, indexed: IndexedToken) => {
  const { chain } = scope;
  const { token, is_proxy, source, traits } = live;
  const { price, creation } = indexed;
  return {
    type: "token_info" as const,
    address: formatToken(chain, token.token),
    network: chain.network.id,
    standard: token.standard,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    ...suppliesOf(live, indexed),
    holders_count: indexed.holders,
    price_usd: price?.price_usd ?? null,
    liquidity_usd: indexed.liquidity.usd,
    created_at: creation === null ? null : iso(creation.time),
    creator: creation === null ? null : chain.formatAddress(creation.creator),
    is_verified: source === null ? null : isVerified(source),
    is_proxy,
    is_stablecoin: chain.network.stablecoins.some(({ address }) => address === token.token),
    stablecoin_issuer: indexed.issuer,
    is_wrapped_native: token.token !== "" && token.token === chain.network.wrapped_native,
    bridged_from: null,
    logo_url: indexed.listing.logo_url,
    website: null,
    socials: [],
    description: null,
    metadata_uri: traits?.description?.uri ?? null,
    extensions: [...(traits?.extensions ?? [])],
    lists: [...indexed.listing.lists],
    name_flags: flagsOf(live, indexed),
    impersonates: impersonationOf(scope, live, indexed),
    metadata_history: indexed.readings.map(({ read_at_block: from_block, name, symbol, decimals }) => ({
      ...{ from_block, name, symbol, decimals },
    })),
    unavailable: reasonsOf(indexed, live),
  };
};

const METADATA_CHANGED: Warning = {
  code: "METADATA_CHANGED",
  message: "The token has reported other metadata before: see metadata_history.",
};

/** Warning of the parts that an answer at a past block takes from the node's newest state. */
const headRead = (at: number | null): Warning => ({
  code: "READ_AT_HEAD",
  message:
    at === null
      ? "No node has the state of that block any more: name, symbol, decimals and the kind of code are those of now, and the supply is the sum of all balances at that block."
      : `The node has no state for that block: the supply was read at block ${at}.`,
});

const contextOf = async (
  id: string,
  as_of_block: PinnedBlock | null,
  context: CallContext,
): Promise<SnapshotContext> => ({
  facts: context.facts,
  chain: context.chain(id),
  snapshot: await context.facts.snapshot(id, as_of_block),
  signal: context.signal,
});

export const getTokenInfo = defineTool({
  name: "get_token_info",
  title: "Facts about a token",
  description:
    "Basic facts of a token: standard, name, symbol, decimals, live supply, holders, price, creator, and whether it imitates the symbol of a canonical token. Use it for basic facts of a token, such as decimals and total supply; get_token_market_analysis covers its trading, get_token_risk_traits its safety.",
  credits: 3,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: "0x69DD6F346fF6660ecaFECE53206D661E6b37A8a8", network: "demo" },
  run: async ({ token_address, network, as_of_block }, context) => {
    const scope = await contextOf(network, as_of_block ?? null, context);
    const { hex, text } = token_address;
    const at = await nodeStateBlock(scope);
    const warnings = at === scope.snapshot.block.number ? [] : [headRead(at)];
    const described = metadataFor(scope.chain, scope.snapshot, {
      echo: { token_address: text },
      methodology: METHODOLOGY,
      warnings,
    });
    const live = await readLive(scope, context.operator.sources, { hex, at });
    if (live === null) return failed("NOT_A_TOKEN", "No token contract exists at this address.", described);
    const indexed = await readIndexed(scope, live);
    const doubts = [
      ...(indexed.is_doubtful ? [BALANCES_UNKNOWN] : []),
      ...(indexed.readings.length > 0 ? [METADATA_CHANGED] : []),
      ...pegWarnings(scope.chain.network, [{ token: hex, price_usd: indexed.price?.price_usd ?? null }]),
    ];
    const metadata = { ...described, warnings: [...described.warnings, ...doubts] };
    return data({ ...cardOf(scope, live, indexed), metadata });
  },
  view: {
    members:
      "address network symbol name standard name_flags impersonates decimals price_usd market_cap_usd liquidity_usd total_supply circulating_supply holders_count created_at creator is_verified is_proxy is_stablecoin stablecoin_issuer is_wrapped_native bridged_from website socials description extensions lists",
    drawn: { name_flags: { is: "alerts" } },
  },
});
