import type { Chain } from "../../chains/chain.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../lib/text.ts";
import { hourOf, iso } from "../../lib/time.ts";
import { readTransferSubject } from "../../lib/transfer_subject.ts";
import type { QueryRow } from "../../store/facts.ts";
import { labelRowsOf } from "../address/identity/parties.ts";
import type { SnapshotContext } from "../context.ts";
import { formatToken, metadataIn, metadataOf, type TokenMetadata } from "../token/metadata/metadata.ts";
import { transactionHashes } from "../transaction_hashes.ts";
import { type Price, priceKey, pricesAtHours } from "../valuation/prices/price_now.ts";
import { usdOf } from "../valuation/worth.ts";
import { type BlockLimits, type LimitedEvent, limitMatches } from "./limit.ts";
import type { Match, Matches } from "./match.ts";
import type { ApprovalRow, WatchedBlock } from "./read.ts";
import type { RuleFacts } from "./rule_map.ts";

/** The content of an event before it has an id. */
export interface EventDescription {
  readonly rule: Pick<RuleFacts, "id" | "account_id">;
  readonly kind: string;
  readonly place: string;
  readonly block: WatchedBlock;
  readonly says: Readonly<Record<string, unknown>>;
}

const LABEL_BYTES_MAX = 128;
/** Millionths of a dollar. */
const MICROS = 1e6;

interface EventValues {
  readonly chain: Chain;
  readonly blocks: ReadonlyMap<number, WatchedBlock>;
  readonly tokens: ReadonlyMap<Hex, TokenMetadata>;
  readonly prices: ReadonlyMap<string, Price>;
  readonly final_block: number;
}

type LabelsByAddress = ReadonlyMap<Hex, readonly QueryRow<"labels_among">[]>;

interface EventContext extends EventValues {
  readonly labels: LabelsByAddress;
  readonly hashOf: (row: Match["row"]) => Hex;
}

/** Matches to describe, and the limits of events per block. */
export interface MatchBatch extends Pick<Matches, "matches" | "not_compared"> {
  readonly blocks: ReadonlyMap<number, WatchedBlock>;
  readonly limits: BlockLimits;
}

/**
 * Describes matches: filters them by their rules' values and labels, and adds values, names and labels of the block's
 * hour and time. Matches over a limit are neither looked up nor described.
 */
export const describeMatches = async (
  scope: SnapshotContext,
  { matches, not_compared, blocks, limits }: MatchBatch,
): Promise<readonly EventDescription[]> => {
  if (matches.length === 0 && not_compared.length === 0) return [];
  const valued = await valuesOf(scope, matches, blocks);
  const asked = matches.filter(({ rule }) => rule.categories.length > 0);
  const wanted = await matchesFor(scope, { matches, asked, valued });
  const { kept, left } = limitMatches(wanted, not_compared, limits);
  const shown = [...new Set(kept.map(({ match }) => match))];
  const [labels, hashOf] = await Promise.all([
    labelsOf(scope, shown),
    transactionHashes(
      scope,
      shown.map(({ row }) => row),
    ),
  ]);
  const known: EventContext = { ...valued, labels, hashOf };
  const told = new Map(shown.map((match) => [match, describeOne(match, known)]));
  const events = kept.flatMap(({ match, rule_id }) => {
    const one = told.get(match);
    return one == null ? [] : [{ ...one, rule: { id: rule_id, account_id: match.rule.account_id } }];
  });
  return [...events, ...left.flatMap((one) => leftOutOf(one, known))];
};

const valuesOf = async (
  { facts, chain, snapshot, ...scope }: SnapshotContext,
  matches: readonly Match[],
  blocks: ReadonlyMap<number, WatchedBlock>,
): Promise<EventValues> => {
  const pairs = matches.map(({ row }) => ({ token: row.token, hour: hourOf(blocks.get(row.block_number)?.time ?? 0) }));
  const hours = [...new Map(pairs.map((pair) => [priceKey(pair.token, pair.hour), pair])).values()];
  const names = [...new Set(matches.map(({ row }) => row.token))];
  const [tokens, prices] = await Promise.all([
    metadataOf({ facts, chain, snapshot, ...scope }, names),
    pricesAtHours({ facts, network: chain.network, snapshot }, hours),
  ]);
  return { chain, blocks, tokens, prices, final_block: snapshot.final_block };
};

const labelsOf = async ({ facts, snapshot }: SnapshotContext, matches: readonly Match[]): Promise<LabelsByAddress> => {
  const others = [...new Set(matches.flatMap((match) => match.others))];
  const labels = new Map<Hex, QueryRow<"labels_among">[]>();
  if (others.length === 0) return labels;
  for (const row of await labelRowsOf(facts, snapshot, others))
    labels.set(row.address, [...(labels.get(row.address) ?? []), row]);
  return labels;
};

interface MatchQuery {
  readonly matches: readonly Match[];
  /** Matches of rules with a category of the other side. */
  readonly asked: readonly Match[];
  readonly valued: EventValues;
}

/** Filters matches by value and by the labels of the other side. */
const matchesFor = async (
  scope: SnapshotContext,
  { matches, asked, valued }: MatchQuery,
): Promise<readonly Match[]> => {
  const labels = await labelsOf(scope, asked);
  return matches.filter((match) => {
    const { rule, others, row } = match;
    const block = valued.blocks.get(row.block_number);
    if (block === undefined) return false;
    const categories = others.flatMap((other) => labels.get(other)?.map(({ category }) => category) ?? []);
    if (rule.categories.length > 0 && !rule.categories.some((one) => categories.includes(one))) return false;
    return rule.min_usd_micros === null || isWorth(usdOfMatch(match, block, valued), rule);
  });
};

const leftOutOf = (
  { rule, rule_id, block_number, says }: LimitedEvent,
  known: EventContext,
): readonly EventDescription[] => {
  const block = known.blocks.get(block_number);
  if (block === undefined) return [];
  const place = eventLocation(known.chain, rule, { block, final_block: known.final_block });
  const told = { rule: { id: rule_id, account_id: rule.account_id }, kind: "left_out", place: "left_out", block };
  return [{ ...told, says: { type: "left_out", ...place, ...says } }];
};

const describeOne = (match: Match, known: EventContext): Omit<EventDescription, "rule"> | null => {
  const { rule, row, place, kind, others } = match;
  const { chain, final_block } = known;
  const block = known.blocks.get(row.block_number);
  if (block === undefined) return null;
  const hash = known.hashOf(row);
  const says = {
    type: kind,
    ...eventLocation(chain, rule, { block, final_block }),
    transaction: hash === "" ? null : { hash: chain.formatHash(hash) },
    ...eventDetails(match, known),
    usd: usdOfMatch(match, block, known),
    counterparties: others.map((other) => partyOf(other, known)),
    written_by_strangers: ["symbol", "label"],
  };
  return { kind, place, block, says };
};

interface WatchSubject {
  readonly subject_kind: RuleFacts["subject_kind"] | "screening";
  readonly subject: string;
}

/** Block and subject of an event. */
export const eventLocation = (
  chain: Chain,
  rule: WatchSubject,
  { block, final_block }: { readonly block: WatchedBlock; readonly final_block: number },
) => ({
  network: chain.network.id,
  chain_id: chain.network.caip2,
  block: {
    number: block.block_number,
    hash: chain.formatHash(block.hash),
    time: iso(block.time),
    state: block.block_number <= final_block ? "final" : "tail",
  },
  subject: subjectOf(chain, rule),
});

const isWorth = (usd: number | null, { min_usd_micros, include_unpriced }: RuleFacts): boolean =>
  usd === null ? include_unpriced : usd * MICROS >= (min_usd_micros ?? 0);

/** Null: no price, no decimals, or an event that moves nothing by itself. */
const usdOfMatch = (match: Match, block: WatchedBlock, { tokens, prices }: EventValues): number | null => {
  if (match.kind === "approval" || match.row.amount === null) return null;
  const { decimals, standard } = metadataIn(tokens, match.row.token);
  const is_collection = match.kind === "movement" && ["erc721", "erc1155"].includes(match.row.kind);
  if (decimals === null || standard === "erc721" || is_collection) return null;
  const price = prices.get(priceKey(match.row.token, hourOf(block.time)));
  return usdOf(match.row.amount, decimals, price);
};

const subjectOf = (chain: Chain, { subject_kind, subject }: WatchSubject) => {
  if (subject_kind !== "screening") return { kind: subject_kind, address: chain.formatAddress(hex(subject)) };
  const { tx_hash, asset, ...how } = readTransferSubject(subject);
  return { kind: subject_kind, tx_hash: chain.formatHash(tx_hash), asset: formatToken(chain, asset), ...how };
};

const tokenOf = (token: Hex, { chain, tokens }: EventContext) => {
  const { symbol, decimals, standard } = metadataIn(tokens, token);
  return {
    address: formatToken(chain, token),
    symbol: symbol === null ? null : cleanText(symbol, TEXT_BYTES_MAX.symbol),
    decimals,
    standard,
  };
};

const addressOrNull = (chain: Chain, address: Hex): string | null =>
  address === "" ? null : chain.formatAddress(address);

/** The family's own name of a coin; the amounts of a hybrid are those of a coin. */
const coinKindOf = ({ standard }: TokenMetadata): string =>
  standard === null || standard === "erc404" ? "erc20" : standard;

/** The id of an NFT, or the permission for all NFTs, is reported as such: neither is an amount. */
const approvalOf = ({ kind, token, owner, spender, amount }: ApprovalRow, { chain, tokens }: EventContext) => ({
  kind: kind === "erc20" ? coinKindOf(metadataIn(tokens, token)) : kind,
  owner: addressOrNull(chain, owner),
  spender: addressOrNull(chain, spender),
  amount_raw: kind === "erc20" ? amount.toString() : null,
  token_id: kind === "erc721" ? amount.toString() : null,
  is_granted: kind === "erc721" ? spender !== "" : amount > 0n,
});

/** Fields of the event's own kind. Amounts are base units. */
const eventDetails = (match: Match, known: EventContext) => {
  const { chain } = known;
  const token = tokenOf(match.row.token, known);
  if (match.kind === "movement") {
    const { kind, source, destination, amount, token_id } = match.row;
    const is_one_of_many = kind === "erc721" || kind === "erc1155";
    return {
      direction: match.direction,
      movement: {
        kind,
        token,
        token_id: is_one_of_many ? token_id.toString() : null,
        amount_raw: amount.toString(),
        source: addressOrNull(chain, source),
        destination: addressOrNull(chain, destination),
      },
    };
  }
  if (match.kind === "approval") {
    return { approval: { token, ...approvalOf(match.row, known) } };
  }
  const { effect, account, amount } = match.row;
  const frozen = { effect, token, account: addressOrNull(chain, account), amount_raw: amount?.toString() ?? null };
  return { freeze: frozen };
};

/** The label with the highest confidence and its source; nulls for an unknown address. */
const partyOf = (address: Hex, { chain, labels }: EventContext) => {
  const [surest] = labels.get(address) ?? [];
  return {
    address: chain.formatAddress(address),
    label: surest === undefined ? null : cleanText(surest.label, LABEL_BYTES_MAX),
    category: surest?.category ?? null,
    source: surest === undefined ? null : cleanText(surest.source, LABEL_BYTES_MAX),
  };
};
