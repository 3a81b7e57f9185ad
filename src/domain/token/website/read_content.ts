import { createHash } from "node:crypto";
import type { Hex } from "../../../lib/bytes.ts";
import { isParked } from "../../../web/dangers.ts";
import type { PageLink, WebPage } from "../../../web/page.ts";
import type { WebAnswer } from "../../../web/web.ts";
import { contractsAmong } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import type { SiteContent } from "./report.ts";

/** The token that a page is compared with. */
export interface SiteToken {
  readonly scope: SnapshotContext;
  readonly token: Hex;
  readonly symbol: string | null;
  /** Accounts that the token's metadata names. */
  readonly socials: readonly string[];
}

const CANDIDATES_MAX = 50;
const OTHERS_MAX = 20;

/** The page's text in the encoding that it declares; UTF-8 when the encoding is unknown. */
export const decodeBody = ({ body, headers }: WebAnswer): string => {
  const declared = /charset="?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(declared).decode(body);
  } catch {
    return new TextDecoder("utf-8").decode(body); // an unknown encoding
  }
};

/** Addresses of the network in a text, each once, in order of appearance. */
const addressesIn = ({ chain }: SnapshotContext, text: string): readonly Hex[] => {
  const found = new Set<Hex>();
  for (const [word] of text.matchAll(/[0-9A-Za-z]{26,64}/g)) {
    // Pages shorten checksums to one case or get them wrong; the address is still meant.
    const address = chain.parseAddress(word) ?? (/^0x/i.test(word) ? chain.parseAddress(word.toLowerCase()) : null);
    if (address !== null) found.add(address);
  }
  return [...found];
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const mentionsSymbol = (text: string, symbol: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(symbol)}(?![\\p{L}\\p{N}])`, "u").test(text);

const SOCIALS: Readonly<Record<keyof SiteContent["links_socials"], (link: PageLink, url: URL) => boolean>> = {
  x: (_link, { hostname, pathname }) =>
    /^(?:www\.|mobile\.)?(?:x|twitter)\.com$/.test(hostname) && !/^\/(?:intent|share|home|$)/.test(pathname),
  telegram: (_link, { hostname, pathname }) =>
    /^(?:www\.)?(?:t\.me|telegram\.me)$/.test(hostname) && !/^\/(?:share|$)/.test(pathname),
  discord: (_link, { hostname, pathname }) =>
    hostname === "discord.gg" || (/^(?:www\.)?discord(?:app)?\.com$/.test(hostname) && pathname.startsWith("/invite/")),
  github: (_link, { hostname, pathname }) => /^(?:www\.)?github\.com$/.test(hostname) && pathname.length > 1,
  docs: ({ text }, { hostname, pathname }) =>
    /^docs\.|\.gitbook\.io$|\.readthedocs\.io$/.test(hostname) ||
    /^\/docs?(?:\/|$)/.test(pathname) ||
    /^doc(?:s|umentation)$/i.test(text),
};

const linkOf = (links: readonly PageLink[], kind: keyof SiteContent["links_socials"]): string | null =>
  links.find((link) => SOCIALS[kind](link, new URL(link.href)))?.href ?? null;

/** An account as host and name, in any spelling. */
const accountOf = (text: string): string | null => {
  if (!URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  const host = hostname
    .replace(/^(?:www|mobile)\./, "")
    .replace(/^twitter\.com$/, "x.com")
    .replace(/^telegram\.me$/, "t.me");
  return `${host}${pathname.replace(/\/+$/, "")}`.toLowerCase();
};

const socialsMatch = (page: WebPage, socials: readonly string[]): boolean | null => {
  const named = socials.map(accountOf).filter((account) => account !== null);
  if (named.length === 0) return null;
  const linked = new Set(page.links.map(({ href }) => accountOf(href)));
  return named.every((account) => linked.has(account));
};

const hasWhitepaper = ({ links }: WebPage): boolean =>
  links.some(({ href, text }) => /(?:white|lite)[\s_-]?paper/i.test(`${href} ${text}`));

/** The page's contents, compared with the token. */
export const readContent = async (page: WebPage, answer: WebAnswer, subject: SiteToken): Promise<SiteContent> => {
  const { scope, token, symbol } = subject;
  const words = `${page.text} ${page.links.map(({ href }) => href).join(" ")}`;
  const shown = addressesIn(scope, words);
  const inScripts = addressesIn(scope, page.scripts.map(({ text }) => text).join(" "));
  const others = shown.filter((address) => address !== token).slice(0, CANDIDATES_MAX);
  // Only contracts of this network count: a page may well name wallets, and the token's contracts on other networks.
  const contracts = await contractsAmong(scope, others);
  return {
    title: page.title,
    language: page.language,
    mentions_token_address: token !== "" && (shown.includes(token) || inScripts.includes(token)),
    mentions_symbol: symbol === null ? null : mentionsSymbol(`${page.title ?? ""} ${page.text}`, symbol),
    other_contract_addresses: others
      .filter((address) => contracts.get(address) === true)
      .slice(0, OTHERS_MAX)
      .map((address) => scope.chain.formatAddress(address)),
    links_socials: {
      x: linkOf(page.links, "x"),
      telegram: linkOf(page.links, "telegram"),
      discord: linkOf(page.links, "discord"),
      github: linkOf(page.links, "github"),
      docs: linkOf(page.links, "docs"),
    },
    socials_match_metadata: socialsMatch(page, subject.socials),
    has_whitepaper: hasWhitepaper(page),
    is_parked: isParked(page, answer.final_url),
    is_template_clone_of: null,
    text_bytes: Buffer.byteLength(page.text),
    content_hash: createHash("sha256").update(answer.body).digest("hex"),
  };
};
