import { DOCUMENT_BOUNDS, readJsonOrNull } from "../lib/json_bounds.ts";
import { cleanText } from "../lib/text.ts";
import type { Web } from "./web.ts";

/** A domain's record at its registry; null fields are missing there. Times in ISO 8601. */
export interface DomainRegistration {
  readonly registered_at: string | null;
  readonly expires_at: string | null;
  readonly registrar: string | null;
}

const REGISTRAR_BYTES_MAX = 128;

type RdapTree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is RdapTree =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const treesOf = (value: unknown): readonly RdapTree[] => (Array.isArray(value) ? value.filter(isTree) : []);

const timeOf = (events: readonly RdapTree[], action: string): string | null => {
  const date = events.find(({ eventAction }) => eventAction === action)?.eventDate;
  const time = typeof date === "string" ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;
};

/** The formatted name of a jCard (RFC 7095): `["vcard", [["fn", {}, "text", "Name"], …]]`. */
const nameOf = (entity: RdapTree | undefined): string | null => {
  const card: unknown = Array.isArray(entity?.vcardArray) ? entity.vcardArray[1] : null;
  const row = Array.isArray(card) ? card.find((line) => Array.isArray(line) && line[0] === "fn") : null;
  const text = Array.isArray(row) && typeof row[3] === "string" ? cleanText(row[3], REGISTRAR_BYTES_MAX) : "";
  return text === "" ? null : text;
};

/** Reads an RDAP domain object (RFC 9083); returns null for any other text. */
export const readRdap = (text: string): DomainRegistration | null => {
  // A body that is not JSON counts as no answer.
  const value = readJsonOrNull(text, DOCUMENT_BOUNDS);
  if (!isTree(value) || value.objectClassName !== "domain") return null;
  const events = treesOf(value.events);
  const registrar = treesOf(value.entities).find(({ roles }) => Array.isArray(roles) && roles.includes("registrar"));
  return {
    registered_at: timeOf(events, "registration"),
    expires_at: timeOf(events, "expiration"),
    registrar: nameOf(registrar),
  };
};

/** Fetches a domain's record from an RDAP server; the domain is appended to the server's address. Returns null without a record. */
export const fetchRegistration = async (
  web: Web,
  where: { readonly server: string; readonly domain: string },
  signal: AbortSignal,
): Promise<DomainRegistration | null> => {
  const answer = await web.fetch({
    url: `${where.server}${encodeURIComponent(where.domain)}`,
    headers: { accept: "application/rdap+json" },
    signal,
  });
  if (answer.kind !== "answer" || answer.status !== 200) return null;
  return readRdap(Buffer.from(answer.body).toString("utf8"));
};
