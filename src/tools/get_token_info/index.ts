import type { CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { nodeStateBlock } from "../../domain/node_state.ts";
import { gapOf, isVerified } from "../../domain/token/contracts/verified_sources.ts";
import { BALANCES_UNKNOWN, HOLDERS_UNREAD, SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { circulatingSupply, marketValueOf } from "../../domain/token/holders/supply.ts";
import { type IndexedToken, type LiveToken, readIndexed, readLive } from "../../domain/token/info/read.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { impersonated } from "../../domain/token/metadata/registry.ts";
import { faceReasons, isDeep } from "../../domain/token/metadata/spam.ts";
import { decimalsOf } from "../../domain/token/metadata/subject.ts";
import { pegWarnings } from "../../domain/valuation/prices/peg_warnings.ts";
import { toAmount } from "../../lib/money.ts";
import { data, failed } from "../../lib/outcome.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import { iso } from "../../lib/time.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { input, NAME_FLAGS, output } from "./shape.ts";

const METHODOLOGY = "token-info/live-supply@1";

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

const holdersGap = ({ holders, is_doubtful, is_followed }: IndexedToken) => {
  if (holders !== null) return [];
  const unread = is_followed ? HOLDERS_UNREAD : "the index does not cover the whole history";
  return [{ field: "holders_count", reason: is_doubtful ? SUMS_REASON : unread }];
};

const MARKETS_UNREAD = "the network is read on demand, and its markets are not read";

/** Members that rest on markets: a price, and words of a name that a deep market excuses. */
const marketGaps = ({ price, is_followed }: IndexedToken) => {
  if (price !== null) return [];
  if (!is_followed) return [{ field: "price_usd", reason: "no market is deep enough" }];
  const excused = `${MARKETS_UNREAD}: what a deep market would excuse is left out`;
  return [
    { field: "price_usd", reason: MARKETS_UNREAD },
    { field: "name_flags", reason: excused },
    { field: "impersonates", reason: excused },
  ];
};

const reasonsOf = (indexed: IndexedToken, live: LiveToken) => [
  ...holdersGap(indexed),
  ...marketGaps(indexed),
  ...(indexed.is_followed ? [{ field: "metadata_history", reason: "the network is read on demand" }] : []),
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

/** Where markets are not read, words that a deep market would excuse prove nothing. */
const depthOf = ({ price, is_followed }: IndexedToken) => price?.confidence ?? (is_followed ? "medium" : null);

const flagsOf = ({ token }: LiveToken, indexed: IndexedToken) => {
  const found = token.token === "" ? [] : faceReasons(indexed.registry, token, depthOf(indexed));
  return NAME_FLAGS.filter((flag) => found.includes(flag));
};

const impersonationOf = ({ chain }: SnapshotContext, { token }: LiveToken, indexed: IndexedToken) => {
  const found = impersonated(indexed.registry, token, { is_traded: isDeep(depthOf(indexed)) });
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
  subjects: [],
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
