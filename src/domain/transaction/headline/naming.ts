import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { ContractName } from "../../../protocols/contracts.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { isSameName } from "./names.ts";
import { netOf } from "./nets.ts";
import { isBurnt, isMinted } from "./sides.ts";
import type { HeadlineType, NameSource, ProtocolName } from "./types.ts";
import { protocolOfEvent } from "./words/index.ts";

interface ChosenHeadline {
  readonly actor: Hex;
  readonly evidence: HeadlineEvidence;
  /** All evidence from calls and logs. */
  readonly told: readonly HeadlineEvidence[];
}

const parsed = (text: string): ProtocolName => {
  const found = /^(.*) (v\d+|Lite|Era)$/.exec(text);
  return found === null ? { name: text, version: null } : { name: found[1] ?? text, version: found[2] ?? null };
};

const plain = ({ name, version }: ContractName): ProtocolName => ({ name, version });

/** Roles of contracts that do not name the act. */
const NAMELESS: readonly ContractName["role"][] = ["envelope", "shares", "emission"];

const contractNameIn = (
  reading: HeadlineReading,
  addresses: readonly (Hex | null)[],
  nameless: readonly ContractName["role"][] = NAMELESS,
): ContractName | null => {
  for (const address of addresses) {
    const name = address === null ? null : reading.name(address);
    if (name !== null && !nameless.includes(name.role)) return name;
  }
  return null;
};

/** Message carriers give a name only without any other. */
const isCarrier = (reading: HeadlineReading, address: Hex | null): boolean =>
  address !== null && reading.name(address)?.role === "messenger";

/** The protocol of an event, with the version from the contract's own name. */
const merged = (told: ProtocolName, contract: ContractName | null): ProtocolName =>
  told.version === null && contract !== null && isSameName(told.name, contract.name) ? plain(contract) : told;

/** Direct counterparties of the actor. */
const dealtWith = ({ movements }: HeadlineReading, actor: Hex): readonly Hex[] => [
  ...new Set(
    movements.flatMap(({ source, destination }) => {
      if (source === actor) return [destination];
      return destination === actor ? [source] : [];
    }),
  ),
];

/** The called contract, or the contracts that it was to call. */
const calleeNameOf = (reading: HeadlineReading, actor: Hex): ContractName | null => {
  const callees = [reading.recipient, ...reading.asked.map(({ callee }) => callee)];
  return contractNameIn(
    reading,
    callees.filter((callee) => callee !== actor && !isCarrier(reading, callee)),
    // A called share is the contract of its protocol.
    NAMELESS.filter((role) => role !== "shares"),
  );
};

/** The protocol of another event of the same contract. */
const otherProtocolOf = (told: readonly HeadlineEvidence[], { contract }: HeadlineEvidence): string | null =>
  told.find((one) => one.contract === contract && contract !== null && one.protocol !== null)?.protocol ?? null;

/** The only protocol that emits an event of a contract with which the actor dealt. Others are steps on the way. */
const eventProtocolOf = (reading: HeadlineReading, { actor, evidence }: ChosenHeadline): string | null => {
  const { given, received } = netOf(reading.nets, actor);
  const near = new Set([
    ...[reading.recipient, evidence.contract, actor, ...reading.asked.map(({ callee }) => callee)],
    ...[...dealtWith(reading, actor), ...[...given, ...received].map(({ token }) => token)],
  ]);
  for (const { topics, address } of reading.transaction.logs) {
    if (!near.has(toHex(address))) continue;
    const protocol = topics[0] === undefined ? null : protocolOfEvent(toHex(topics[0]));
    if (protocol !== null) return protocol;
  }
  return null;
};

const PASSED_ON = ["Curve", "Balancer"];

/** The protocol that emits a reward in this token. */
const emittedBy = (reading: HeadlineReading, actor: Hex, type: HeadlineType): ContractName | null => {
  const names = netOf(reading.nets, actor).received.flatMap(({ token }) => reading.name(token) ?? []);
  // Distributors of a project's own token act for the project.
  if (type === "claim_airdrop") return names[0] ?? null;
  if (type !== "claim_reward") return null;
  const emitted = names.filter(({ role }) => role === "emission");
  // Other protocols forward the rewards of Curve and Balancer with their own.
  return emitted.find(({ name }) => !PASSED_ON.includes(name)) ?? emitted[0] ?? null;
};

/**
 * Versions of Uniswap pools by the layout of their trades; routers for several versions take the version of the pools.
 */
const VERSIONS: readonly (readonly [version: string, topic: Hex])[] = [
  ["v2", toHex(topicOf(INTERFACES.uniswap_v2.Swap))],
  ["v3", toHex(topicOf(INTERFACES.uniswap_v3.Swap))],
  ["v4", toHex(topicOf(INTERFACES.uniswap_v4.Swap))],
];
const SERVES_SEVERAL = ["Uniswap", "PancakeSwap"];

const withPools = ({ transaction }: HeadlineReading, { name, version }: ContractName): ProtocolName => {
  if (version !== null || !SERVES_SEVERAL.includes(name)) return { name, version };
  const topics = new Set(
    transaction.logs.flatMap(({ topics: [topic] }) => (topic === undefined ? [] : [toHex(topic)])),
  );
  const found = VERSIONS.filter(([, topic]) => topics.has(topic));
  return { name, version: found.length === 1 ? (found[0]?.[0] ?? null) : null };
};

/** Events of orders that are filled by another account than their signer. */
const FILLS: readonly Hex[] = [
  ...[
    INTERFACES.limit_orders.OrderFilled,
    INTERFACES.limit_orders.OrderFilled_maker,
    INTERFACES.limit_orders.OrderFilledRFQ,
  ],
  ...[INTERFACES.uniswapx.Fill, INTERFACES.zeroex.OtcOrderFilled],
].map((event) => toHex(topicOf(event)));

/** The order book of a filled order whose signer is not the sender. */
const orderVenueOf = (reading: HeadlineReading, actor: Hex): ContractName | null => {
  if (actor === reading.sender || actor === reading.account?.address) return null;
  const books = reading.transaction.logs.filter(({ topics: [topic] }) => topic && FILLS.includes(toHex(topic)));
  return contractNameIn(
    reading,
    books.map(({ address }) => toHex(address)),
  );
};

/** Identifiers of venues in their usual spelling. */
const written = (venue: string): string => venue.charAt(0).toUpperCase() + venue.slice(1).replaceAll("_", " ");

/** The distinct venues of a trade's hops, by their own events and pools. */
const venuesOf = ({ actions }: HeadlineReading, told: readonly HeadlineEvidence[]): readonly ProtocolName[] => {
  const names = told.flatMap(({ type, protocol }) => (type === "swap" && protocol !== null ? [protocol] : []));
  const pools = actions.flatMap(({ type, protocol }) =>
    type === "swap" && protocol !== null ? [written(protocol)] : [],
  );
  return [...new Set([...names, ...pools])].map(parsed);
};

/** The single venue of a routed trade; null when there are several, or it is the router's own. */
export const venueOf = (
  reading: HeadlineReading,
  { evidence, told }: ChosenHeadline,
  through: ProtocolName | null,
): ProtocolName | null => {
  if (evidence.type !== "swap" || through === null) return null;
  const others = venuesOf(reading, told).filter(({ name }) => !isSameName(name, through.name));
  return others.length === 1 ? (others[0] ?? null) : null;
};

/** The name of a protocol, and how it was found. */
export interface NamedProtocol {
  readonly protocol: ProtocolName;
  readonly source: NameSource;
}

const from = (source: NameSource, protocol: ProtocolName | null | undefined): NamedProtocol | null =>
  protocol === null || protocol === undefined ? null : { protocol, source };

/** The called contract, or the protocol of the evidence. */
const directName = (reading: HeadlineReading, { actor, evidence, told }: ChosenHeadline): NamedProtocol | null => {
  const asked = calleeNameOf(reading, actor) ?? orderVenueOf(reading, actor);
  const protocol = evidence.protocol ?? otherProtocolOf(told, evidence);
  const said = protocol === null ? null : merged(parsed(protocol), contractNameIn(reading, [evidence.contract]));
  if (asked === null) return from("signature", said);
  const is_versioned = said !== null && asked.version === null && isSameName(asked.name, said.name);
  return from("called_contract", is_versioned ? said : withPools(reading, asked));
};

/** A contract with which the actor or the transaction dealt. */
const nearbyName = (reading: HeadlineReading, { actor, evidence }: ChosenHeadline): ContractName | null => {
  const { given, received } = netOf(reading.nets, actor);
  const shares = [...received, ...given]
    .map(({ token }) => token)
    .filter((token) => isMinted(reading, token) || isBurnt(reading, token));
  const others = [...reading.emitters].filter((address) => !reading.tokens.has(address));
  return contractNameIn(reading, [
    ...[evidence.contract, ...dealtWith(reading, actor), ...shares],
    ...[...others, reading.recipient],
  ]);
};

/** Name of the act, by priority: from the called contract, the evidence, the actor's counterparties, the shares. */
export const protocolOf = (reading: HeadlineReading, chosen: ChosenHeadline): NamedProtocol | null => {
  const { actor, evidence, told } = chosen;
  // The issuer of a sent token is no counterparty.
  if (evidence.type === "transfer") return null;
  const direct = directName(reading, chosen);
  if (direct !== null) return direct;
  const marked = eventProtocolOf(reading, chosen);
  if (marked !== null) return from("signature", parsed(marked));
  const found = nearbyName(reading, chosen) ?? emittedBy(reading, actor, evidence.type);
  if (found !== null) return from("counterparty", plain(found));
  // A token that leaves by its own function leaves over the network's bridge.
  const own = reading.bookkeeper === null ? null : reading.name(reading.bookkeeper);
  if (evidence.type === "bridge_out" && own !== null) return from("counterparty", plain(own));
  // A trade through an unknown router takes the name of the pools, if any.
  return evidence.type === "swap" ? from("pool", venuesOf(reading, told)[0]) : null;
};
