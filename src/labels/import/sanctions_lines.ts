import { Collector, type ImportScope, ListFault, type ParsedList, type SanctionsEntry } from "./parsed_list.ts";
import { sanctionedAddress } from "./sanctioned_address.ts";
import { sanctionsKey } from "./sanctions_generic.ts";

const entryOf = (text: string, scope: ImportScope): SanctionsEntry | string => {
  const found = sanctionedAddress({ text, asset_code: "", family: "" }, scope);
  if (found === null) return "not an address of a family that this project indexes";
  return { ...found, asset_code: "", entity: "", program: "", listed_on: "", delisted_on: "" };
};

/** Sanctioned addresses, one per line, as others extract them from OFAC's list. The form of an address tells its family. */
export const parseSanctionsLines = (text: string, scope: ImportScope): ParsedList => {
  if (/^\s*[<[{]/.test(text)) throw new ListFault("the file must have one address per line");
  const collector = new Collector<SanctionsEntry>(sanctionsKey);
  for (const [at, line] of text
    .split("\n")
    .map((each) => each.trim())
    .entries()) {
    if (line !== "" && !line.startsWith("#")) collector.take(entryOf(line, scope), line, at + 1);
  }
  return { kind: "sanctions", ...collector.found, version: "", published_on: "" };
};
