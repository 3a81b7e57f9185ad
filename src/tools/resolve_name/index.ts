import { NO_NAME, NO_NAME_OF_ADDRESS } from "../../domain/absences.ts";
import {
  type NameService,
  nameServicesFor,
  nameServicesOf,
  nameServicesOfAddress,
  type PinnedNameService,
  pinNameService,
  refusalOfEnding,
  serviceOf,
} from "../../domain/address/names/enabled_services.ts";
import { isConfusable, normalizeName } from "../../domain/address/names/ens_name.ts";
import { disagree, everyName, type NameEntry } from "../../domain/address/names/every_name.ts";
import { CHAIN_SERVICES } from "../../domain/address/names/name_services.ts";
import { namesOf, type OwnNames, type Resolution, resolveAt } from "../../domain/address/names/resolve.ts";
import type { CallContext, Warning } from "../../domain/context.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { keccak256, toHex } from "../../lib/bytes.ts";
import { data, failed, noData, type Outcome } from "../../lib/outcome.ts";
import type { ParsedByNetwork, ParsedName } from "../../lib/parsed.ts";
import { iso } from "../../lib/time.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { everyEntry } from "./every_entry.ts";
import { input, type NameOutput, output } from "./shape.ts";

const METHODOLOGY = "names/services@2";

const IS_HEX = /^0x/i;
const ADDRESS_BYTES = 32;
const utf8 = new TextEncoder();

const isEvmAddress = (text: string): boolean => {
  const digits = text.slice(2);
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = toHex(keccak256(utf8.encode(lower)));
  return [...lower].every((digit, i) => {
    const is_upper = Number.parseInt(hash[i] ?? "0", 16) > 7;
    return digits[i] === (is_upper ? digit.toUpperCase() : digit);
  });
};

const isLongAddress = (text: string): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && fromBase58(text)?.length === ADDRESS_BYTES;

const refusalOf = (name: string, where: { networks: readonly string[]; network: string | null }): string | null => {
  if (IS_HEX.test(name) && !name.includes("."))
    return isEvmAddress(name) ? null : "name: not a valid address (0x and 40 hex digits with a correct checksum).";
  if (isLongAddress(name)) {
    const homes = CHAIN_SERVICES.flatMap(({ networks }) => networks).filter((id) => where.networks.includes(id));
    if (homes.length === 0) return "name: no enabled network has addresses of this format.";
    return where.network === null || homes.includes(where.network) ? null : `name: not an address of ${where.network}.`;
  }
  const normalized = normalizeName(name);
  if (normalized === null) return "name: not a valid name (ENSIP-15 normalization rejects it).";
  if (!normalized.includes(".")) return "name: it has no ending. The ending selects the name service.";
  const refusal = refusalOfEnding(normalized, where);
  return refusal === null ? null : `name: ${refusal}`;
};

const OFFCHAIN = "This name resolves through an external gateway, and gateways are disabled on this instance.";
const SILENT = "This name resolves through external gateways, and none returned an answer that its resolver accepts.";
const NO_REGISTRY = "No enabled network has a registry for this name.";
const UNHEARD = "Some name services did not answer, and the others have no name for this address.";

const describe = (door: PinnedNameService, name: string, warnings: readonly Warning[]) =>
  metadataFor(
    door.reader.chain,
    { block: door.block, coverage: null },
    { echo: { name }, methodology: METHODOLOGY, warnings },
  );

interface NameMatch {
  readonly name: string;
  readonly normalized: string;
  readonly door: PinnedNameService;
  readonly resolution: Resolution & { kind: "found" };
  readonly own: OwnNames;
  /** Null unless requested. */
  readonly all: readonly NameEntry[] | null;
}

const ELSEWHERE: Warning = {
  code: "REGISTRATION_UNREAD",
  message: "The name is kept in another registry than the one that was read, so owner and expiry are unknown.",
};

const DISAGREE: Warning = {
  code: "SERVICES_DISAGREE",
  message: "Several services keep this name and resolve it to different addresses. Compare them in all.",
};

const caveatsOf = ({ normalized, resolution, own, all }: NameMatch): readonly Warning[] => [
  ...(isConfusable(normalized) ? [CONFUSABLE] : []),
  ...(resolution.is_elsewhere ? [ELSEWHERE] : []),
  ...(all !== null && disagree(all, normalized) ? [DISAGREE] : []),
  ...own.warnings,
];

const CONFUSABLE: Warning = {
  code: "CONFUSABLE_NAME",
  message: "The name contains letters that resemble others. Verify the address.",
};

const answerOf = (match: NameMatch): Outcome<NameOutput> => {
  const { name, normalized, door, resolution, own, all } = match;
  const { chain } = door.reader;
  const { owner, expires_at, address, addresses, via_ccip } = resolution;
  const here = { service: serviceOf(door), network: chain.network.id };
  const is_this = (other: OwnNames["names"][number]) => other.name === normalized && other.service === here.service;
  return data({
    type: "name_resolution" as const,
    name,
    normalized_name: normalized,
    ...here,
    address: chain.formatAddress(address),
    addresses: { ...addresses },
    reverse_verified: own.names.some(is_this),
    expires_at: expires_at === null ? null : iso(expires_at),
    owner: owner === null ? null : chain.formatAddress(owner),
    alternatives: own.names
      .filter((other) => !is_this(other))
      .map(({ name, service, network }) => ({ name, service, network })),
    via_ccip,
    all: all === null ? null : all.map((entry) => everyEntry(entry, chain)),
    metadata: describe(door, name, caveatsOf(match)),
  });
};

/** The first name service that has the name; the last one queried when none does. */
const knock = async (doors: readonly NameService[], name: string, context: CallContext) => {
  let asked: { door: PinnedNameService; resolution: Resolution } | null = null;
  for (const door of doors) {
    const open = await pinNameService(door, context);
    asked = { door: open, resolution: await resolveAt(open, name, context) };
    if (asked.resolution.kind !== "none" || open.kind === "registry") return asked;
  }
  return asked;
};

interface NameScope {
  readonly doors: readonly NameService[];
  /** List the name in every service. */
  readonly wants_all: boolean;
}

const forward = async (
  { text: name, normalized }: ParsedName,
  { doors, wants_all }: NameScope,
  context: CallContext,
): Promise<Outcome<NameOutput>> => {
  const asked = await knock(nameServicesFor(normalized, doors), normalized, context);
  if (asked === null) return failed("UPSTREAM_UNAVAILABLE", NO_REGISTRY);
  const { door, resolution } = asked;
  if (resolution.kind === "none")
    return noData({
      type: "name_resolution",
      metadata: { ...describe(door, name, []), normalized_name: normalized },
      message: NO_NAME,
    });
  if (resolution.kind !== "found")
    return resolution.kind === "disabled"
      ? failed("OFFCHAIN_DISABLED", OFFCHAIN, describe(door, name, []))
      : failed("UPSTREAM_UNAVAILABLE", SILENT, describe(door, name, []));
  const { address } = resolution;
  const alike = nameServicesOfAddress({ chain: door.reader.chain, address }, doors);
  const own = await namesOf(alike, { address, known: { name: normalized, door } }, context);
  const all = wants_all ? await everyName({ name: normalized, own, doors }, context) : null;
  return answerOf({ name, normalized, door, resolution, own, all });
};

const reverse = async (
  { text: name, by_network }: ParsedByNetwork,
  { doors: every, wants_all }: NameScope,
  context: CallContext,
): Promise<Outcome<NameOutput>> => {
  const doors = every.filter(({ chain }) => by_network.has(chain.network.id));
  const [any] = doors;
  const address = any === undefined ? undefined : by_network.get(any.chain.network.id);
  if (any === undefined || address === undefined) return failed("UPSTREAM_UNAVAILABLE", NO_REGISTRY);
  const own = await namesOf(doors, { address, known: null }, context);
  for (const { name: primary, door } of own.names) {
    const open = await pinNameService(door, context);
    const resolution = await resolveAt(open, primary, context);
    // A name that has run out still leads back, and is no name any more.
    if (resolution.kind !== "found") continue;
    const all = wants_all ? await everyName({ name: null, own, doors }, context) : null;
    return answerOf({ name, normalized: primary, door: open, resolution, own, all });
  }
  if (own.warnings.length === 0)
    return noData({
      type: "name_resolution",
      metadata: describe(await pinNameService(any, context), name, []),
      message: NO_NAME_OF_ADDRESS,
    });
  return failed(own.needs_gateway ? "OFFCHAIN_DISABLED" : "UPSTREAM_UNAVAILABLE", UNHEARD);
};

export const resolveName = defineTool({
  name: "resolve_name",
  title: "Resolve a name of any service",
  description:
    "The address of a name, or the name of an address: ENS with Basenames and Linea names, SPACE ID, Unstoppable Domains, Solana's .sns and .sol names. Expired names do not resolve. Use it for any name other than plain .eth (.sol, .base.eth, .bnb, .crypto), or to find the name of an address; resolve_ens reads .eth alone.",
  credits: 1,
  families: ["evm", "solana"],
  input,
  output,
  example: { name: "alice.eth" },
  subjects: [],
  live_fields: ["address", "addresses", "reverse_verified", "alternatives", "via_ccip", "all", "metadata.warnings"],
  check: ({ name, network }, { networks }) => refusalOf(name, { networks, network: network ?? null }),
  run: async ({ name, network, all }, context) => {
    const scope = { doors: nameServicesOf(context, network ?? null), wants_all: all };
    const { text, normalized } = name;
    return normalized === null ? reverse(name, scope, context) : forward({ text, normalized }, scope, context);
  },
  view: {
    members:
      "name normalized_name service network address reverse_verified owner expires_at alternatives addresses via_ccip all",
  },
});
