import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { ContractName } from "../../../protocols/contracts.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { isSameName } from "./names.ts";
import { netOf } from "./nets.ts";
import { isBurnt, isMinted } from "./sides.ts";
import type { HeadlineType, ProtocolName } from "./types.ts";
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

const contractNameIn = (reading: HeadlineReading, addresses: readonly (Hex | null)[]): ContractName | null => {
  for (const address of addresses) {
    const name = address === null ? null : reading.name(address);
    if (name !== null && !NAMELESS.includes(name.role)) return name;
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
  );
};

/** The protocol of another event of the same contract. */
const otherProtocolOf = (told: readonly HeadlineEvidence[], { contract }: HeadlineEvidence): string | null =>
  told.find((one) => one.contract === contract && contract !== null && one.protocol !== null)?.protocol ?? null;

/** The only protocol that emits one of the transaction's events. */
const eventProtocolOf = ({ transaction }: HeadlineReading): string | null => {
  for (const { topics } of transaction.logs) {
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

/** Name of the act, by priority: from the called contract, the evidence, the actor's counterparties, the shares. */
export const protocolOf = (
  reading: HeadlineReading,
  { actor, evidence, told }: ChosenHeadline,
): ProtocolName | null => {
  // The issuer of a sent token is no counterparty.
  if (evidence.type === "transfer") return null;
  const asked = calleeNameOf(reading, actor) ?? orderVenueOf(reading, actor);
  const protocol = evidence.protocol ?? otherProtocolOf(told, evidence);
  const said = protocol === null ? null : merged(parsed(protocol), contractNameIn(reading, [evidence.contract]));
  if (asked !== null)
    return said !== null && asked.version === null && isSameName(asked.name, said.name)
      ? said
      : withPools(reading, asked);
  if (said !== null) return said;
  const { given, received } = netOf(reading.nets, actor);
  const shares = [...received, ...given]
    .map(({ token }) => token)
    .filter((token) => isMinted(reading, token) || isBurnt(reading, token));
  const others = [...reading.emitters].filter((address) => !reading.tokens.has(address));
  const carriers = [reading.recipient];
  const marked = eventProtocolOf(reading);
  if (marked !== null) return parsed(marked);
  const found = contractNameIn(reading, [
    evidence.contract,
    ...dealtWith(reading, actor),
    ...shares,
    ...others,
    ...carriers,
  ]);
  const emitted = emittedBy(reading, actor, evidence.type);
  if (emitted !== null && found === null) return plain(emitted);
  if (found !== null) return plain(found);
  // A trade through an unknown router takes the name of the pools, if any.
  return evidence.type === "swap" ? (venuesOf(reading, told)[0] ?? null) : null;
};
