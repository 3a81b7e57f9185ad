import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { cleanText } from "../../lib/text.ts";
import type { RunSearch } from "../rest/account/search_operations.ts";
import { type Completes, promptArgument } from "./prompts.ts";

/** The protocol allows no more values in an answer. */
const VALUES_MAX = 100;
const MATCHES_MAX = 50;
const SEARCH_MS = 2_000;
const NETWORK_BYTES_MAX = 100;
const TEXT_BYTES_MAX = 128;
/** Strangers write symbols: only those that cannot be a sentence are shown. */
const SYMBOL = /^[\p{L}\p{N}$.+-]{1,16}$/u;

export interface CompletionParts {
  /** Ids of the networks of now. */
  readonly networks: () => readonly string[];
  /** Null where the service has no index of names. */
  readonly search: RunSearch | null;
  readonly isPublic: (tool: string) => boolean;
}

interface CompletionText {
  readonly text: string;
  /** The network that the prompt's other arguments name; null: all. */
  readonly network: string | null;
}

const networksFor = (text: string, ids: readonly string[]): readonly string[] => {
  const typed = text.toLowerCase();
  const begins = ids.filter((id) => id.startsWith(typed));
  return [...begins, ...ids.filter((id) => !begins.includes(id) && id.includes(typed))];
};

/** Symbols of originals, which tools resolve; for other tokens their addresses, because several have the same symbol. */
const tokensFor = async (search: RunSearch, { text, network }: CompletionText): Promise<readonly string[]> => {
  const found = await search({ text, network, limit: MATCHES_MAX }, AbortSignal.timeout(SEARCH_MS));
  return found.matches
    .filter(({ kind, is_impersonation }) => kind === "token" && !is_impersonation)
    .map(({ id, title, is_original }) => (is_original && title !== null && SYMBOL.test(title) ? title : id));
};

/** Addresses whose label or entity fits. */
const walletsFor = async (search: RunSearch, { text, network }: CompletionText): Promise<readonly string[]> => {
  const found = await search({ text, network, limit: MATCHES_MAX }, AbortSignal.timeout(SEARCH_MS));
  return found.matches.filter(({ kind }) => kind === "address").map(({ id }) => id);
};

const valuesFor = async (
  kind: Completes,
  typed: CompletionText,
  parts: CompletionParts,
): Promise<readonly string[]> => {
  const ids = parts.networks();
  if (kind === "network") return networksFor(typed.text, ids);
  if (kind === "any_network") return networksFor(typed.text, ["all", "evm", ...ids]);
  const is_known = typed.network === null || ids.includes(typed.network);
  if (parts.search === null || typed.text === "" || !is_known) return [];
  return kind === "token" ? tokensFor(parts.search, typed) : walletsFor(parts.search, typed);
};

/** The network of the other arguments; null where they name none, or a group of networks. */
const networkOf = (given: Readonly<Record<string, string>>): string | null => {
  const { network = "" } = given;
  return network === "" || network === "all" || network === "evm" ? null : cleanText(network, NETWORK_BYTES_MAX);
};

/** `completion/complete`: values of an argument of a prompt. Throws what the protocol answers to an unknown one. */
export const complete = async (
  { ref, argument, context }: CompleteRequest["params"],
  parts: CompletionParts,
): Promise<CompleteResult> => {
  if (ref.type !== "ref/prompt")
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Only arguments of prompts are completed");
  const kind = promptArgument(ref.name, argument.name, parts.isPublic).completes;
  const typed = { text: cleanText(argument.value, TEXT_BYTES_MAX), network: networkOf(context?.arguments ?? {}) };
  const values = kind === undefined ? [] : [...new Set(await valuesFor(kind, typed, parts))];
  const shown = values.slice(0, VALUES_MAX);
  return { completion: { values: shown, total: values.length, hasMore: shown.length < values.length } };
};
