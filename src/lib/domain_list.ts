import { FILE_BOUNDS, readJson } from "./json_bounds.ts";

/** Domains of a list file. */
export interface DomainList {
  readonly blocked: ReadonlySet<string>;
  /** Domains that are not meant although a domain above them is. */
  readonly allowed: ReadonlySet<string>;
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const BLOCKED_FIELDS = ["blocklist", "blacklist", "domains"];
const ALLOWED_FIELDS = ["allowlist", "whitelist"];

const fieldOf = (value: object, names: readonly string[]): readonly string[] | null =>
  names
    .flatMap((name) => Object.entries(value).filter(([key]) => key === name))
    .flatMap(([, found]) => (isTextList(found) ? [found] : []))[0] ?? null;

const read = (text: string): { readonly blocked: readonly string[]; readonly allowed: readonly string[] } | null => {
  if (!/^\s*[[{]/.test(text)) return { blocked: text.split("\n").map((line) => line.replace(/#.*$/, "")), allowed: [] };
  const value = readJson(text, FILE_BOUNDS);
  if (isTextList(value)) return { blocked: value, allowed: [] };
  if (typeof value !== "object" || value === null) return null;
  const blocked = fieldOf(value, BLOCKED_FIELDS);
  return blocked === null ? null : { blocked, allowed: fieldOf(value, ALLOWED_FIELDS) ?? [] };
};

const cleaned = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ""));

/** The name itself and each domain above it, without the last label alone. */
export const domainsAbove = (host: string): readonly string[] => {
  const parts = host.toLowerCase().split(".");
  return parts.map((_, at) => parts.slice(at).join(".")).slice(0, -1);
};

/**
 * Domains of a list file: one per line (`#` starts a comment), a JSON array, or an object as eth-phishing-detect and
 * ScamSniffer write it. Returns null for another format or an empty list, which would make every domain look clean.
 */
export const readDomainList = (text: string): DomainList | null => {
  const names = read(text);
  if (names === null) return null;
  const blocked = cleaned(names.blocked);
  if (blocked.size === 0) return null;
  const allowed = [...cleaned(names.allowed)].filter((name) =>
    domainsAbove(name)
      .slice(1)
      .some((above) => blocked.has(above)),
  );
  return { blocked, allowed: new Set(allowed) };
};
