import { EMPTY, type Hex } from "../../../lib/bytes.ts";
import { DOCUMENT_BOUNDS, readJsonOrNull } from "../../../lib/json_bounds.ts";
import type { ErrorCode } from "../../../lib/outcome.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../../lib/text.ts";
import type { Web, WebFailure } from "../../../web/web.ts";
import { bytesAt, selectorOf } from "../../abi.ts";
import type { SnapshotContext } from "../../context.ts";

/** A token's metadata outside the chain. */
export interface TokenWords {
  readonly website: string | null;
  /** URLs of accounts elsewhere, as the metadata has them. */
  readonly socials: readonly string[];
}

export type TokenWordsResult =
  | { readonly kind: "words"; readonly words: TokenWords }
  /** The contract points to nothing. */
  | { readonly kind: "none" }
  /** It points to a place that could not be read. */
  | { readonly kind: "unread"; readonly code: ErrorCode; readonly reason: string };

const NONE: TokenWordsResult = { kind: "none" };
const unread = (reason: string): TokenWordsResult => ({ kind: "unread", code: "UPSTREAM_UNAVAILABLE", reason });
const CODES = {
  disabled: "WEB_FETCH_DISABLED",
  refused: "URL_REFUSED",
  unreachable: "UPSTREAM_UNAVAILABLE",
} as const satisfies Readonly<Record<WebFailure["kind"], ErrorCode>>;
/** ERC-7572. */
const CONTRACT_URI = selectorOf("contractURI()");
const SITE_KEYS = ["external_link", "external_url", "website", "homepage"];
const SOCIAL_KEYS = ["x", "twitter", "telegram", "discord", "github"];

const textIn = (tree: object, key: string): string | null => {
  const value: unknown = Object.entries(tree).find(([name]) => name === key)?.[1];
  const text = typeof value === "string" ? cleanText(value, TEXT_BYTES_MAX.uri) : "";
  return text === "" ? null : text;
};

const treeIn = (tree: object, key: string): object => {
  const value: unknown = Object.entries(tree).find(([name]) => name === key)?.[1];
  return typeof value === "object" && value !== null ? value : {};
};

/** Reads contract metadata (ERC-7572 and common keys beside it); null when the text is not such metadata. */
export const readWords = (text: string): TokenWords | null => {
  // Not JSON: the caller reports that it could not be read.
  const tree = readJsonOrNull(text, DOCUMENT_BOUNDS);
  if (typeof tree !== "object" || tree === null) return null;
  const at: object = tree;
  const places = [at, treeIn(at, "socials"), treeIn(at, "links"), treeIn(at, "extensions")];
  const website = places.flatMap((scope) => SITE_KEYS.map((key) => textIn(scope, key))).find((url) => url !== null);
  const socials = places.flatMap((scope) => SOCIAL_KEYS.map((key) => textIn(scope, key)));
  return { website: website ?? null, socials: socials.filter((social) => social !== null) };
};

/** The content of a `data:` URI; null when it is malformed. */
const readDataUri = (uri: string): string | null => {
  const comma = uri.indexOf(",");
  if (comma < 0) return null;
  const content = uri.slice(comma + 1);
  if (/;base64$/i.test(uri.slice(0, comma))) return Buffer.from(content, "base64").toString("utf8");
  try {
    return decodeURIComponent(content);
  } catch {
    return content; // written without escapes, as many contracts do
  }
};

const fetchWords = async (web: Web, uri: string, signal: AbortSignal): Promise<TokenWordsResult> => {
  const answer = await web.fetch({ url: uri, headers: { accept: "application/json" }, signal });
  if (answer.kind !== "answer") return { kind: "unread", code: CODES[answer.kind], reason: answer.reason };
  if (answer.status !== 200) return unread(`It answered with status ${answer.status}.`);
  const words = readWords(Buffer.from(answer.body).toString("utf8"));
  return words === null ? unread("It is not a JSON object.") : { kind: "words", words };
};

interface TokenWordsQuery {
  readonly token: Hex;
  /** The block to read. */
  readonly at: number;
}

/** The URI of the token's metadata: from its contract, or from the token itself where it is not a contract. */
const uriOf = async ({ chain, signal }: SnapshotContext, { token, at }: TokenWordsQuery): Promise<string> => {
  if (chain.can.token_accounts) return (await chain.tokenTraits(token, signal, at))?.description?.uri ?? "";
  if (!chain.can.contract_calls) return "";
  const [answer] = await chain.call([{ to: token, data: CONTRACT_URI }], signal, at);
  const bytes = answer?.ok === true ? (bytesAt(answer.data, 0) ?? EMPTY) : EMPTY;
  return Buffer.from(bytes).toString("utf8").trim();
};

/** Reads the metadata at the URI that a token names. */
export const readTokenWords = async (
  scope: SnapshotContext,
  asked: TokenWordsQuery,
  web: Web,
): Promise<TokenWordsResult> => {
  if (asked.token === "") return NONE;
  const { signal } = scope;
  const uri = await uriOf(scope, asked);
  if (uri === "") return NONE;
  if (/^https?:\/\//i.test(uri)) return fetchWords(web, uri, signal);
  if (!/^data:/i.test(uri)) return unread("It is neither on the web nor in the contract itself.");
  const words = readWords(readDataUri(uri) ?? "");
  return words === null ? unread("It is not a JSON object.") : { kind: "words", words };
};
