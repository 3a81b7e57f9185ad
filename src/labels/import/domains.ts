import { readDomainList } from "../../lib/domain_list.ts";
import { JsonFault } from "../../lib/json_bounds.ts";
import { Collector, type ListedDomain, ListFault, type ParsedList } from "./parsed_list.ts";

const DOMAIN_CHARACTERS_MAX = 253;
/** A name of at least two labels. International names are written in punycode, some lists write them as they look. */
const DOMAIN = /^(?!-)[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63})+$/u;

const read = (text: string) => {
  try {
    return readDomainList(text);
  } catch (error) {
    throw error instanceof JsonFault ? new ListFault(error.message.replace(/^it /, "the file ")) : error;
  }
};

const domainOf = (name: string, is_allowed: 0 | 1): ListedDomain | string => {
  // The page of one tenant says nothing about its host.
  if (/[/:?#]/.test(name)) return "a page of a site, not a domain";
  if (name.length > DOMAIN_CHARACTERS_MAX || !DOMAIN.test(name)) return "not a domain";
  return { domain: name, is_allowed };
};

/** Domains of phishing sites: one per line, a JSON array, or the files of eth-phishing-detect and ScamSniffer. */
export const parseDomains = (text: string): ParsedList => {
  const list = read(text);
  if (list === null) throw new ListFault("the file must hold a list of domains");
  const collector = new Collector<ListedDomain>(({ domain }) => domain);
  for (const name of list.blocked) collector.take(domainOf(name, 0), name);
  for (const name of list.allowed) collector.take(domainOf(name, 1), name);
  return { kind: "domains", ...collector.found, version: "", published_on: "" };
};
