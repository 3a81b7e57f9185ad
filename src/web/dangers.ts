import type { PageField, PageScript, WebPage } from "./page.ts";

/** Source text of a script, with its location. */
export interface ScriptText {
  /** Address of the file, or of the page with `#script-n` (from 1) for an inline one. */
  readonly ref: string;
  readonly text: string;
}

/** A pattern that identifies a wallet drainer script. */
export interface DrainerSignature {
  readonly id: string;
  readonly ref: string;
}

/** Wallet requests and malicious patterns of a page. */
export interface Dangers {
  /** Scripts that send requests to the visitor's wallet. */
  readonly wallet_scripts: readonly string[];
  readonly drainer_signatures: readonly DrainerSignature[];
  readonly obfuscated: readonly string[];
  readonly requests_seed_phrase: boolean;
}

const WALLET =
  /window\s*\.\s*ethereum|ethereum\s*\.\s*request|eth_requestAccounts|eth_sendTransaction|WalletConnect|web3modal|walletconnect|\bwagmi\b|tronWeb|tronLink|window\s*\.\s*solana|phantom\.solana|onboard\.connectWallet/i;

/** Names of commercial drainer kits, from public incident reports. */
const KIT =
  /\b(?:inferno|angel|pink|monkey|venom|medusa|rainbow|vanilla|chick|acedrainer|atomic|nova|cerberus|spider)[\s_-]?drainer\b/i;

const BOT = /api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks\//i;
const TAKES =
  /\bapprove\b|increaseAllowance|setApprovalForAll|\bpermit\b|PermitBatch|eth_signTypedData|eth_sign\b|signAllTransactions/;
const ALL_NFTS = /setApprovalForAll/;
const ALLOWANCE = /increaseAllowance|\bapprove\s*\(|095ea7b3|PermitBatch/i;
const BALANCES = /eth_getBalance|getBalance\s*\(|tokenBalances|token_list|getTokenBalances/;
const SENDS = /eth_sendTransaction|sendTransaction\s*\(/;
const BLIND_SIGNING = /method["']?\s*:\s*["']eth_sign["']/;

const SIGNATURES: readonly { readonly id: string; readonly matches: (text: string) => boolean }[] = [
  { id: "drainer_kit_name", matches: (text) => KIT.test(text) },
  { id: "blind_signing", matches: (text) => BLIND_SIGNING.test(text) },
  { id: "approval_reported_to_chat_bot", matches: (text) => BOT.test(text) && TAKES.test(text) },
  {
    id: "takes_tokens_collectibles_and_coins",
    matches: (text) => [ALL_NFTS, ALLOWANCE, BALANCES, SENDS].every((part) => part.test(text)),
  },
];

const HEX_NAMES = /\b_0x[0-9a-f]{4,6}\b/g;
const HEX_NAMES_MIN = 20;
const ESCAPES = /(?:\\x[0-9a-f]{2}){40}/i;
const CHAR_CODES = /fromCharCode\s*\(\s*(?:\d+\s*,\s*){30}/;
const UNPACKS = /\beval\s*\(\s*(?:atob|unescape|decodeURIComponent|function\s*\(\s*p\s*,\s*a\s*,\s*c\s*,\s*k)/;
const BUILDS_CODE = /(?:new\s+Function|\bFunction)\s*\(\s*atob\s*\(/;

const isObfuscated = (text: string): boolean =>
  (text.match(HEX_NAMES)?.length ?? 0) >= HEX_NAMES_MIN ||
  [ESCAPES, CHAR_CODES, UNPACKS, BUILDS_CODE].some((pattern) => pattern.test(text));

const SECRET =
  /(?:seed|recovery|backup|secret)[\s_-]*(?:recovery[\s_-]*)?(?:phrase|words?|passphrase)|mnemonic|private[\s_-]*key|keystore|(?:12|24)[\s_-]*words?/i;
const SECRET_WORDS = 12;

/** True for a field that names a wallet's secret, or for a dozen fields on a page that mentions one. A warning in the text alone does not count. */
const wantsSecret = (fields: readonly PageField[], text: string): boolean =>
  fields.some(({ words }) => SECRET.test(words)) ||
  (fields.filter(({ kind }) => kind === "text" || kind === "password").length >= SECRET_WORDS && SECRET.test(text));

/** Inline scripts of a page as pieces. */
export const inlineScripts = (scripts: readonly PageScript[], url: string): readonly ScriptText[] =>
  scripts.flatMap(({ src, text }, at) =>
    src === null && text.trim() !== "" ? [{ ref: `${url}#script-${at + 1}`, text }] : [],
  );

/** Searches a page's fields and readable scripts for dangers without running any script. */
export const findDangers = (page: WebPage, scripts: readonly ScriptText[]): Dangers => ({
  wallet_scripts: [
    ...page.scripts.flatMap(({ src }) => (src !== null && WALLET.test(src) ? [src] : [])),
    ...scripts.filter(({ text }) => WALLET.test(text)).map(({ ref }) => ref),
  ],
  drainer_signatures: scripts.flatMap(({ ref, text }) =>
    SIGNATURES.filter(({ matches }) => matches(text)).map(({ id }) => ({ id, ref })),
  ),
  obfuscated: scripts.filter(({ text }) => isObfuscated(text)).map(({ ref }) => ref),
  requests_seed_phrase: wantsSecret(page.fields, page.text),
});

const PARKED_TEXT =
  /\b(?:this )?domain(?: name)? (?:is|may be) (?:for sale|parked|available for purchase)|buy this domain|domain (?:is )?parked|parked free|inquire about this domain|make an offer on this domain/i;
const PARKED_PLACES =
  /(?:^|\.)(?:sedoparking\.com|sedo\.com|parkingcrew\.net|bodis\.com|hugedomains\.com|dan\.com|afternic\.com|above\.com|parklogic\.com|uniregistry\.com|domainmarket\.com)$/;
/** A page with more to read than this is a site, whatever it says about domains. */
const PARKED_TEXT_MAX = 4_000;

/** True for a page that only holds a domain for sale. */
export const isParked = (page: WebPage, url: string): boolean =>
  PARKED_PLACES.test(new URL(url).hostname) ||
  page.scripts.some(({ src }) => src !== null && PARKED_PLACES.test(new URL(src).hostname)) ||
  (page.text.length <= PARKED_TEXT_MAX && PARKED_TEXT.test(`${page.title ?? ""} ${page.text}`));
