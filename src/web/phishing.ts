import { FILE_BOUNDS, readJson } from "../lib/json_bounds.ts";

/** A published list of phishing domains. */
export interface PhishingList {
  readonly id: string;
  readonly version: string;
  /** ISO 8601. */
  readonly updated_at: string | null;
  readonly domains: ReadonlySet<string>;
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const listed = (text: string): readonly string[] | null => {
  if (!/^\s*[[{]/.test(text)) return text.split("\n").map((line) => line.replace(/#.*$/, ""));
  const value = readJson(text, FILE_BOUNDS);
  if (isTextList(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  const names = "blocklist" in value ? value.blocklist : "blacklist" in value ? value.blacklist : null;
  return isTextList(names) ? names : null;
};

/**
 * Domains of a list file: one per line (`#` starts a comment), a JSON array, or the JSON of eth-phishing-detect
 * (`blacklist`). Returns null for another format or an empty list, which would make every domain look clean.
 */
export const readPhishingList = (text: string): ReadonlySet<string> | null => {
  const names = listed(text);
  const domains = new Set((names ?? []).map((name) => name.trim().toLowerCase()).filter((name) => name !== ""));
  return domains.size === 0 ? null : domains;
};

/** The lists that name this host or a domain above it. */
export const listsThatName = (host: string, lists: readonly PhishingList[]): readonly PhishingList[] => {
  const parts = host.toLowerCase().split(".");
  const names = parts.map((_, at) => parts.slice(at).join(".")).slice(0, -1);
  return lists.filter(({ domains }) => names.some((name) => domains.has(name)));
};
