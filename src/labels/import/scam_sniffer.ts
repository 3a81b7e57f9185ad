import { isRecord } from "../../lib/record.ts";
import type { ListedLabel } from "../source.ts";
import { labelKey, targetsOf } from "./label_targets.ts";
import { Collector, type ImportScope, ListFault, type ParsedList, readListJson } from "./parsed_list.ts";

const CONFIDENCE = 0.85;

const labelsOf = (row: unknown, scope: ImportScope): readonly ListedLabel[] | string => {
  if (typeof row !== "string") return "not an address";
  const places = targetsOf({ address: row.trim().toLowerCase(), network: "" }, scope);
  if (typeof places === "string") return places;
  const said = {
    ...{ label: "ScamSniffer: phishing", category: "phishing", entity: "", confidence: CONFIDENCE },
    ...{ evidence: "", licence: "", published_on: "" },
  };
  return places.map((place) => ({ ...place, ...said }));
};

/** The addresses of ScamSniffer's scam-database: `address.json`, a list, or `all.json`, which has it as `address`. */
export const parseScamSniffer = (text: string, scope: ImportScope): ParsedList => {
  const file = readListJson(text);
  const rows = isRecord(file) ? file.address : file;
  if (!Array.isArray(rows)) throw new ListFault("the file must contain a list of addresses");
  const collector = new Collector<ListedLabel>(labelKey);
  for (const row of rows) collector.takeAll(labelsOf(row, scope), row);
  return { kind: "labels", ...collector.found, version: "", published_on: "" };
};
