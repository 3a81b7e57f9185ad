import type * as z from "zod";
import type { Chain } from "../../../chains/chain.ts";
import { AssayError } from "../../../lib/errors.ts";
import { EVERY_EVM } from "../../../lib/every_evm.ts";
import { ROW_DEEPEST } from "../../../lib/page.ts";
import type {
  ParsedByNetwork,
  ParsedName,
  ParsedNameOrAddress,
  ParsedText,
  PinnedMoment,
} from "../../../lib/parsed.ts";
import { addressOn, isNative, NATIVE, onEach } from "../../../lib/texts_on_networks.ts";
import { DAY_S, dayStart, isoDay } from "../../../lib/time.ts";
import { type FieldKind, parseName } from "../../../tools/fields.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import { quoteText } from "../../http/quoted_text.ts";
import { addressError, type CallNetworks, describeIssue, hashError, innermost } from "./argument_errors.ts";
import { suggestField } from "./field_suggestions.ts";
import { networkError } from "./network_suggestions.ts";
import { readMoment } from "./pinned_moment.ts";
import { Refusal, refuse } from "./refusal.ts";

export type BindResult =
  | ({ readonly kind: "bound" } & BoundInput)
  /** 422: the sentence after `Invalid arguments for tool '<name>': `. */
  | { readonly kind: "refused"; readonly detail: string };

export interface BoundInput {
  /** The arguments with defaults and with canonical addresses: what a charge and a failure name. */
  readonly input: Arguments;
  /** The same as values (`Asked` of the tool): what it is run with. */
  readonly asked: Arguments;
}

export interface BindContext {
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  /** Unix milliseconds. */
  readonly now_ms: number;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Faults named in one sentence; more would not be read. */
const FAULTS_SHOWN_MAX = 5;

/** Networks of `chains` that a tool serves, in the same order. */
export const servedBy = (tool: AnyTool, chains: readonly Chain[]): readonly Chain[] =>
  chains.filter((chain) => tool.families.includes(chain.network.family));

/**
 * Arguments as the tool's input and as the values that it is run with, or why they cannot be: names, types, networks, addresses, dates, paging and the tool's
 * own `check`; everything that needs no store and no node. Native forms of a token become `native`.
 */
export const bindArguments = (tool: AnyTool, args: Arguments, context: BindContext): BindResult => {
  try {
    knownNames(tool, args);
    const { input, asked } = meant(tool, typed(tool, args), context);
    paging(input);
    const today = isoDay(Math.floor(context.now_ms / 1000));
    const networks = servedBy(tool, context.chains).map(({ network }) => network.id);
    const failure = tool.check?.(input, { networks, today }) ?? null;
    return failure === null ? { kind: "bound", input, asked } : refuse(failure);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", detail: error.message };
    throw error;
  }
};

const knownNames = (tool: AnyTool, args: Arguments): void => {
  const known = Object.keys(tool.input.shape);
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(tool.input.shape, name));
  if (unknown.length === 0) return;
  const faults = unknown.slice(0, FAULTS_SHOWN_MAX).map((name) => {
    const near = suggestField(name, known);
    return `unknown field ${quoteText(name)}${near === null ? "" : `, did you mean '${near}'?`}`;
  });
  refuse(`${faults.join("; ")}${faults.at(-1)?.endsWith("?") ? "" : "."} Known fields: ${known.join(", ")}.`);
};

const typed = (tool: AnyTool, args: Arguments): Arguments => {
  const parsed: z.ZodSafeParseResult<Arguments> = tool.input.safeParse(args);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.slice(0, FAULTS_SHOWN_MAX).map((issue) => describeIssue(issue, args, tool.input));
  return refuse(`${faults.join("; ")}.`);
};

const KINDS: Readonly<Record<FieldKind, true>> = {
  network: true,
  networks: true,
  address: true,
  addresses: true,
  token: true,
  any_address: true,
  hash: true,
  date: true,
  block: true,
  name: true,
  name_or_address: true,
};

const isKind = (kind: unknown): kind is FieldKind => typeof kind === "string" && Object.hasOwn(KINDS, kind);

const kindOf = (schema: z.ZodType): FieldKind | null => {
  const own = schema.meta()?.kind ?? innermost(schema).meta()?.kind;
  return isKind(own) ? own : null;
};

/** True when every call names one network; where that is a choice, an address may be on several. */
const asksOneNetwork = (input: z.ZodObject): boolean =>
  kindsOf(input).some(([field, kind]) => kind === "network" && input.shape[field]?._zod.optin !== "optional");

type Kinds = readonly (readonly [field: string, kind: FieldKind])[];

const known = new WeakMap<z.ZodObject, Kinds>();

/** Fields of a tool's input that mean more than their JSON type, in the order of the schema. */
export const kindsOf = (input: z.ZodObject): Kinds => {
  const kinds = known.get(input) ?? findKinds(input);
  known.set(input, kinds);
  return kinds;
};

const findKinds = (input: z.ZodObject): Kinds =>
  Object.entries(input.shape).flatMap(([field, schema]) => {
    // A ZodObject's shape holds classic schemas; `shape` is typed by the wider core type.
    const kind = kindOf(schema as z.ZodType);
    return kind === null ? [] : [[field, kind] as const];
  });

/** Binds the fields by their kinds, in the order network, addresses, dates. Throws the refusal that `bindArguments` returns as a value. */
export const meant = (tool: AnyTool, input: Arguments, context: BindContext): BoundInput => {
  const fields = kindsOf(tool.input).flatMap(([field, kind]) => {
    const value = input[field];
    return typeof value === "string" ? [{ field, kind, value }] : [];
  });
  const served = servedBy(tool, context.chains);
  let chains = served;
  for (const { field, kind, value } of fields)
    if (kind === "network" || kind === "networks") chains = networksOf({ field, kind, value }, served);
  if (typeof input.as_of_block === "number" && fields.some(({ kind, value }) => kind === "networks" && isWord(value)))
    refuse("field 'as_of_block' requires a single network: a block number has no meaning across several. A date has.");
  const bound: Record<string, unknown> = { ...input };
  const asked: Record<string, unknown> = { ...input };
  for (const given of fields) {
    const { field, kind } = given;
    const parsed = PARSERS[kind]?.(given, { chains, served, enabled: context.chains });
    if (parsed !== undefined) bound[field] = parsed.text;
    if (parsed !== undefined) asked[field] = asksOneNetwork(tool.input) ? onOneNetwork(parsed, chains) : parsed;
    if (kind === "name") asked[field] = nameOf(given);
    if (kind === "name_or_address") asked[field] = nameOrAddressOf(given, chains);
  }
  for (const [field, kind] of kindsOf(tool.input)) {
    if (kind !== "addresses") continue;
    const group = groupOf({ field, kind, values: input[field] }, { chains, served, enabled: context.chains });
    bound[field] = group.map(({ text }) => text);
    asked[field] = asksOneNetwork(tool.input) ? group.map((one) => onOneNetwork(one, chains)) : group;
  }
  for (const { field, kind, value } of fields) if (kind === "date") asked[field] = realDay(field, value);
  for (const { field, kind, value } of fields) if (kind === "block") asked[field] = moment(field, value, context);
  dateOrder(bound, context.now_ms);
  return { input: bound, asked };
};

const isWord = (value: string): boolean => value === "all" || value === "evm";

const familyOf = (chain: Chain): string => chain.network.family;

/** The values of a `network` field on these networks: the enum that discovery shows. */
export const networkWords = (
  kind: "network" | "networks",
  networks: readonly { readonly id: string; readonly family: string }[],
): readonly string[] => {
  const ids = networks.map(({ id }) => id);
  if (kind === "network" || ids.length === 0) return ids;
  return [...ids, ...(networks.some(({ family }) => family === EVERY_EVM) ? [EVERY_EVM] : []), "all"];
};

const networksOf = ({ field, kind, value }: Field, chains: readonly Chain[]): readonly Chain[] => {
  const networks = chains.map(({ network }) => network);
  const words = networkWords(kind === "networks" ? "networks" : "network", networks);
  if (words.includes(value)) {
    if (value === "all" && kind === "networks") return chains;
    if (value === "evm" && kind === "networks") return chains.filter((chain) => familyOf(chain) === "evm");
    return chains.filter(({ network }) => network.id === value);
  }
  return refuse(networkError({ field, value }, words, networks));
};

/** A text that the caller gave for a field. */
interface Field {
  readonly field: string;
  readonly kind: FieldKind;
  readonly value: string;
}

/** Of a tool that asks one network: a refusal came before this where the text is nothing on it. */
const onOneNetwork = ({ text, by_network }: ParsedByNetwork, [chain]: readonly Chain[]): ParsedText => {
  const hex = by_network.get(chain?.network.id ?? "");
  if (hex === undefined) throw new AssayError({ code: "BUG", message: `${text} was bound to no network` });
  return { text, hex };
};

const tokenOf = (given: Field, networks: CallNetworks): ParsedByNetwork =>
  isNative(given.value, networks.chains) ? onEach(NATIVE, networks.chains, () => "") : addressOf(given, networks);

const addressOf = (given: Field, networks: CallNetworks): ParsedByNetwork => {
  const parsed = addressOn(given.value, networks.chains);
  return parsed.by_network.size > 0 ? parsed : refuse(addressError(given, networks));
};

/** The addresses of a group, each once. */
const groupOf = (
  { field, kind, values }: Pick<Field, "field" | "kind"> & { readonly values: unknown },
  networks: CallNetworks,
): readonly ParsedByNetwork[] => {
  const group = (Array.isArray(values) ? values : []).map((value, i) =>
    addressOf({ field: `${field}[${i}]`, kind, value: String(value) }, networks),
  );
  const texts = group.map(({ text }) => text);
  const again = texts.find((text, i) => texts.indexOf(text) !== i);
  return again === undefined ? group : refuse(`field '${field}' names ${quoteText(again)} twice.`);
};

const hashOf = ({ field, value }: Field, { chains }: CallNetworks): ParsedByNetwork => {
  const parsed = onEach(value, chains, (chain) => chain.parseHash(value));
  if (parsed.by_network.size > 0) return parsed;
  return refuse(hashError({ field, value }, chains));
};

const PARSERS: Partial<Record<FieldKind, (given: Field, networks: CallNetworks) => ParsedByNetwork>> = {
  token: tokenOf,
  address: addressOf,
  any_address: addressOf,
  hash: hashOf,
};

const nameOf = ({ field, value }: Field): ParsedName => {
  const normalized = parseName(value);
  if (normalized === null) return refuse(`${field}: not a valid ENS name (ENSIP-15 normalization rejects it).`);
  return { text: value, normalized };
};

const nameOrAddressOf = ({ value }: Field, chains: readonly Chain[]): ParsedNameOrAddress => {
  const address = addressOn(value, chains);
  return { ...address, normalized: address.by_network.size > 0 ? null : parseName(value) };
};

/** Facts have unix times, which no store keeps below zero. */
const FIRST_DAY = "1970-01-01";

const realDay = (field: string, value: string): number => {
  const start = dayStart(value);
  if (start === null) return refuse(`field '${field}' must be a real day as YYYY-MM-DD, not ${quoteText(value)}.`);
  return start < 0 ? refuse(`field '${field}' must not be before ${FIRST_DAY}.`) : start;
};

const moment = (field: string, text: string, { now_ms }: BindContext): PinnedMoment => {
  const read = readMoment(field, text, now_ms);
  return "moment" in read ? read.moment : refuse(read.refusal);
};

const dateOrder = (input: Arguments, now_ms: number): void => {
  const { from_date: from, to_date: to } = input;
  if (typeof from !== "string") return;
  if (typeof to === "string" && from > to) refuse(`field 'from_date' (${from}) must not be after 'to_date' (${to}).`);
  // A day of slack: the caller's calendar may be ahead of ours, and facts may be dated a little ahead of both.
  const latest = isoDay(Math.floor(now_ms / 1000) + DAY_S);
  if (from > latest) refuse(`field 'from_date' (${from}) must not be in the future.`);
};

const paging = (input: Arguments): void => {
  const { page, records_per_page: size } = input;
  if (typeof page !== "number" || typeof size !== "number" || page * size <= ROW_DEEPEST) return;
  refuse(
    `page ${page} of ${size} rows is beyond row ${ROW_DEEPEST}, the last row that paging reaches. Narrow the dates instead.`,
  );
};
