import type { Chain } from "../../chains/chain.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { usdOf } from "../../lib/money.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../lib/text.ts";
import { hourOf, iso } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { labelRowsOf } from "../identity/parties.ts";
import { type Price, priceKey, pricesAtHours } from "../prices/price_now.ts";
import { formatToken, metadataIn, metadataOf, type TokenMetadata } from "../tokens/metadata.ts";
import { transactionHashes } from "../transaction_hashes.ts";
import type { Match } from "./match.ts";
import type { ApprovalRow, WatchedBlock } from "./read.ts";
import type { RuleFacts } from "./rule_map.ts";

/** An event before it has an id: what is known of it, as it is sent. */
export interface Described {
  readonly rule: RuleFacts;
  readonly kind: string;
  readonly place: string;
  readonly block: WatchedBlock;
  readonly says: Readonly<Record<string, unknown>>;
}

/** Events of one rule and block that are made one by one; of more, one event says how many were left out. */
const EVENTS_OF_BLOCK_MAX = 100;
const LABEL_BYTES_MAX = 128;
/** Millionths of a dollar. */
const MICROS = 1e6;

interface Known {
  readonly chain: Chain;
  readonly tokens: ReadonlyMap<Hex, TokenMetadata>;
  readonly prices: ReadonlyMap<string, Price>;
  readonly labels: ReadonlyMap<Hex, readonly Row<"labels_among">[]>;
  readonly hashOf: (row: Match["row"]) => Hex;
  readonly final_block: number;
}

/** Values, names and labels of matches, and which of them their rules want: those of the block's hour and of its time. */
export const describeMatches = async (
  scope: SnapshotContext,
  matches: readonly Match[],
  blocks: ReadonlyMap<number, WatchedBlock>,
): Promise<readonly Described[]> => {
  if (matches.length === 0) return [];
  const { facts, chain, snapshot } = scope;
  const pairs = matches.map(({ row }) => ({ token: row.token, hour: hourOf(blocks.get(row.block_number)?.time ?? 0) }));
  const wanted = [...new Map(pairs.map((pair) => [priceKey(pair.token, pair.hour), pair])).values()];
  const [tokens, prices, rows, hashOf] = await Promise.all([
    metadataOf(
      scope,
      matches.map(({ row }) => row.token),
    ),
    pricesAtHours({ facts, network: chain.network, snapshot }, wanted),
    labelRowsOf(
      facts,
      snapshot,
      matches.flatMap(({ others }) => others),
    ),
    transactionHashes(
      scope,
      matches.map(({ row }) => row),
    ),
  ]);
  const labels = new Map<Hex, Row<"labels_among">[]>();
  for (const row of rows) labels.set(row.address, [...(labels.get(row.address) ?? []), row]);
  const known: Known = { chain, tokens, prices, labels, hashOf, final_block: snapshot.final_block };
  return limited(
    matches.flatMap((match) => {
      const block = blocks.get(match.row.block_number);
      return block === undefined ? [] : describeOne(match, block, known);
    }),
  );
};

/** Nobody who gets a part of a block's events may think that it is all. */
const limited = (all: readonly Described[]): readonly Described[] => {
  const counts = new Map<string, { left_out: number; last: Described }>();
  const kept: Described[] = [];
  for (const one of all) {
    const key = `${one.rule.id}:${one.block.block_number}`;
    const count = counts.get(key) ?? { left_out: -EVENTS_OF_BLOCK_MAX, last: one };
    count.left_out += 1;
    counts.set(key, count);
    if (count.left_out <= 0) kept.push(one);
  }
  for (const { left_out, last } of counts.values()) {
    if (left_out <= 0) continue;
    const { transaction: _, ...says } = pickCommon(last.says);
    kept.push({ ...last, kind: "left_out", place: "left_out", says: { ...says, type: "left_out", left_out } });
  }
  return kept;
};

const pickCommon = (says: Described["says"]): Record<string, unknown> => ({
  network: says.network,
  chain_id: says.chain_id,
  block: says.block,
  subject: says.subject,
});

const describeOne = (match: Match, block: WatchedBlock, known: Known): readonly Described[] => {
  const { rule, row, place, kind, others } = match;
  const categories = others.flatMap((other) => known.labels.get(other)?.map(({ category }) => category) ?? []);
  if (rule.categories.length > 0 && !rule.categories.some((one) => categories.includes(one))) return [];
  const usd = usdOfMatch(match, block, known);
  if (rule.min_usd_micros !== null && !isWorth(usd, rule)) return [];
  const { chain } = known;
  const hash = known.hashOf(row);
  const says = {
    type: kind,
    ...placeOf(chain, rule, { block, final_block: known.final_block }),
    transaction: hash === "" ? null : { hash: chain.formatHash(hash) },
    ...saidOf(match, known),
    usd,
    counterparties: others.map((other) => partyOf(other, known)),
    written_by_strangers: ["symbol", "label"],
  };
  return [{ rule, kind, place, block, says }];
};

/** What every event says of where it was seen. */
export const placeOf = (
  chain: Chain,
  rule: Pick<RuleFacts, "subject_kind" | "subject">,
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
const usdOfMatch = (match: Match, block: WatchedBlock, { tokens, prices }: Known): number | null => {
  if (match.kind === "approval" || match.row.amount === null) return null;
  const { decimals, standard } = metadataIn(tokens, match.row.token);
  const is_collection = match.kind === "movement" && ["erc721", "erc1155"].includes(match.row.kind);
  if (decimals === null || standard === "erc721" || is_collection) return null;
  const price = prices.get(priceKey(match.row.token, hourOf(block.time)));
  return usdOf(match.row.amount, decimals, price?.price_usd ?? null);
};

const subjectOf = (chain: Chain, { subject_kind, subject }: Pick<RuleFacts, "subject_kind" | "subject">) => ({
  kind: subject_kind,
  address: chain.formatAddress(hex(subject)),
});

const tokenOf = (token: Hex, { chain, tokens }: Known) => {
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

/** Of a piece its id is told, and of all pieces whether they may be taken: neither is an amount. */
const approvalOf = ({ kind, token, owner, spender, amount }: ApprovalRow, { chain, tokens }: Known) => ({
  kind: kind === "erc20" ? (metadataIn(tokens, token).standard ?? kind) : kind,
  owner: addressOrNull(chain, owner),
  spender: addressOrNull(chain, spender),
  amount_raw: kind === "erc20" ? amount.toString() : null,
  token_id: kind === "erc721" ? amount.toString() : null,
  is_granted: kind === "erc721" ? spender !== "" : amount > 0n,
});

/** The kind's own members. Amounts are base units. */
const saidOf = (match: Match, known: Known) => {
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

/** The surest label, and where it comes from; nulls where nobody knows the address. */
const partyOf = (address: Hex, { chain, labels }: Known) => {
  const [surest] = labels.get(address) ?? [];
  return {
    address: chain.formatAddress(address),
    label: surest === undefined ? null : cleanText(surest.label, LABEL_BYTES_MAX),
    category: surest?.category ?? null,
    source: surest === undefined ? null : cleanText(surest.source, LABEL_BYTES_MAX),
  };
};
