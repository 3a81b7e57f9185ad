import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { ContractName } from "../../../protocols/contracts.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { Reading } from "./case.ts";
import type { Evidence } from "./evidence.ts";
import { isSameName } from "./names.ts";
import { netOf } from "./nets.ts";
import { isBurnt, isMinted } from "./sides.ts";
import type { HeadlineType, ProtocolName } from "./types.ts";
import { protocolOfMark } from "./words/index.ts";

interface Chosen {
  readonly actor: Hex;
  readonly evidence: Evidence;
  /** Everything that was called and logged. */
  readonly told: readonly Evidence[];
}

const parsed = (text: string): ProtocolName => {
  const found = /^(.*) (v\d+|Lite|Era)$/.exec(text);
  return found === null ? { name: text, version: null } : { name: found[1] ?? text, version: found[2] ?? null };
};

const plain = ({ name, version }: ContractName): ProtocolName => ({ name, version });

/** Parts that a contract plays without the act being done with it. */
const NAMELESS: readonly ContractName["role"][] = ["envelope", "shares", "emission"];

const named = (reading: Reading, addresses: readonly (Hex | null)[]): ContractName | null => {
  for (const address of addresses) {
    const name = address === null ? null : reading.name(address);
    if (name !== null && !NAMELESS.includes(name.role)) return name;
  }
  return null;
};

/** Carriers of messages name what they carry only where nothing else does. */
const isCarrier = (reading: Reading, address: Hex | null): boolean =>
  address !== null && reading.name(address)?.role === "messenger";

/** A name that an event gives, with the version that the contract's own name tells. */
const merged = (told: ProtocolName, contract: ContractName | null): ProtocolName =>
  told.version === null && contract !== null && isSameName(told.name, contract.name) ? plain(contract) : told;

/** Whom the actor gave to or got from, directly. */
const dealtWith = ({ movements }: Reading, actor: Hex): readonly Hex[] => [
  ...new Set(
    movements.flatMap(({ source, destination }) => {
      if (source === actor) return [destination];
      return destination === actor ? [source] : [];
    }),
  ),
];

/** Who was asked: the contract called, or those that it was to call. */
const askedOf = (reading: Reading, actor: Hex): ContractName | null => {
  const callees = [reading.recipient, ...reading.asked.map(({ callee }) => callee)];
  return named(
    reading,
    callees.filter((callee) => callee !== actor && !isCarrier(reading, callee)),
  );
};

/** What another event of the same contract is only known from. */
const besideOf = (told: readonly Evidence[], { contract }: Evidence): string | null =>
  told.find((one) => one.contract === contract && contract !== null && one.protocol !== null)?.protocol ?? null;

/** The protocol of which only this event is known. */
const markOf = ({ transaction }: Reading): string | null => {
  for (const { topics } of transaction.logs) {
    const protocol = topics[0] === undefined ? null : protocolOfMark(toHex(topics[0]));
    if (protocol !== null) return protocol;
  }
  return null;
};

const PASSED_ON = ["Curve", "Balancer"];

/** Rewards of this token come from one protocol. */
const emittedBy = (reading: Reading, actor: Hex, type: HeadlineType): ContractName | null => {
  const names = netOf(reading.nets, actor).received.flatMap(({ token }) => reading.name(token) ?? []);
  // Who gives a project's own token away does it for the project.
  if (type === "claim_airdrop") return names[0] ?? null;
  if (type !== "claim_reward") return null;
  const emitted = names.filter(({ role }) => role === "emission");
  // Others pass Curve's and Balancer's rewards on beside their own.
  return emitted.find(({ name }) => !PASSED_ON.includes(name)) ?? emitted[0] ?? null;
};

/** Pools of Uniswap by the layout of their trades; its routers that serve several versions take the pools' own. */
const VERSIONS: readonly (readonly [version: string, topic: Hex])[] = [
  ["v2", toHex(topicOf(INTERFACES.uniswap_v2.Swap))],
  ["v3", toHex(topicOf(INTERFACES.uniswap_v3.Swap))],
  ["v4", toHex(topicOf(INTERFACES.uniswap_v4.Swap))],
];
const SERVES_SEVERAL = ["Uniswap", "PancakeSwap"];

const withPools = ({ transaction }: Reading, { name, version }: ContractName): ProtocolName => {
  if (version !== null || !SERVES_SEVERAL.includes(name)) return { name, version };
  const topics = new Set(
    transaction.logs.flatMap(({ topics: [topic] }) => (topic === undefined ? [] : [toHex(topic)])),
  );
  const found = VERSIONS.filter(([, topic]) => topics.has(topic));
  return { name, version: found.length === 1 ? (found[0]?.[0] ?? null) : null };
};

/** Events of orders that are filled by somebody else than who signed them. */
const FILLS: readonly Hex[] = [
  ...[
    INTERFACES.limit_orders.OrderFilled,
    INTERFACES.limit_orders.OrderFilled_maker,
    INTERFACES.limit_orders.OrderFilledRFQ,
  ],
  ...[INTERFACES.uniswapx.Fill, INTERFACES.zeroex.OtcOrderFilled],
].map((event) => toHex(topicOf(event)));

/** Where an order was filled, of which the sender is not the one who signed it. */
const bookOf = (reading: Reading, actor: Hex): ContractName | null => {
  if (actor === reading.sender || actor === reading.account?.address) return null;
  const books = reading.transaction.logs.filter(({ topics: [topic] }) => topic && FILLS.includes(toHex(topic)));
  return named(
    reading,
    books.map(({ address }) => toHex(address)),
  );
};

/** Identifiers of venues as people write them. */
const written = (venue: string): string => venue.charAt(0).toUpperCase() + venue.slice(1).replaceAll("_", " ");

/** Where the hops of a trade took place, by their own events and pools; each once. */
const venuesOf = ({ actions }: Reading, told: readonly Evidence[]): readonly ProtocolName[] => {
  const names = told.flatMap(({ type, protocol }) => (type === "swap" && protocol !== null ? [protocol] : []));
  const pools = actions.flatMap(({ type, protocol }) =>
    type === "swap" && protocol !== null ? [written(protocol)] : [],
  );
  return [...new Set([...names, ...pools])].map(parsed);
};

/** The one venue of a trade that went there through somebody else; null where there are several, or it is the same. */
export const venueOf = (
  reading: Reading,
  { evidence, told }: Chosen,
  through: ProtocolName | null,
): ProtocolName | null => {
  if (evidence.type !== "swap" || through === null) return null;
  const others = venuesOf(reading, told).filter(({ name }) => !isSameName(name, through.name));
  return others.length === 1 ? (others[0] ?? null) : null;
};

/** Under whose name it happened: of what was asked, of what told it, of whom the actor dealt with, of the shares. */
export const protocolOf = (reading: Reading, { actor, evidence, told }: Chosen): ProtocolName | null => {
  // Whose token is sent is not with whom anything was done.
  if (evidence.type === "transfer") return null;
  const asked = askedOf(reading, actor) ?? bookOf(reading, actor);
  const protocol = evidence.protocol ?? besideOf(told, evidence);
  const said = protocol === null ? null : merged(parsed(protocol), named(reading, [evidence.contract]));
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
  const marked = markOf(reading);
  if (marked !== null) return parsed(marked);
  const found = named(reading, [evidence.contract, ...dealtWith(reading, actor), ...shares, ...others, ...carriers]);
  const emitted = emittedBy(reading, actor, evidence.type);
  if (emitted !== null && found === null) return plain(emitted);
  if (found !== null) return plain(found);
  // A trade through nobody known has the pools' own name, where there is one.
  return evidence.type === "swap" ? (venuesOf(reading, told)[0] ?? null) : null;
};
