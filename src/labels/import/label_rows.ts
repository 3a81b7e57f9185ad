import { isRecord } from "../../lib/record.ts";
import { CATEGORIES } from "../categories.ts";
import type { ListedLabel } from "../source.ts";
import { csvRows } from "./csv_rows.ts";
import { labelKey, targetsOf } from "./label_targets.ts";
import {
  Collector,
  cleanListText,
  dayOf,
  type ImportScope,
  ListFault,
  type ParsedList,
  readListJson,
} from "./parsed_list.ts";

const CONFIDENCE_DEFAULT = 0.8;

/** 0..1, from a number or its text; the default when the row has none; null when it is invalid. */
const confidenceOf = (value: unknown): number | null => {
  if (value === undefined || value === null || value === "") return CONFIDENCE_DEFAULT;
  const number = Number(value);
  return number > 0 && number <= 1 ? number : null;
};

/** The labels of one row, one per network, or the reason why it has none. */
const labelsOf = (row: unknown, scope: ImportScope): readonly ListedLabel[] | string => {
  if (!isRecord(row)) return "not an object";
  const places = targetsOf(
    { address: cleanListText(row.address), network: cleanListText(row.network).toLowerCase() },
    scope,
  );
  if (typeof places === "string") return places;
  const label = cleanListText(row.label);
  const category = cleanListText(row.category).toLowerCase();
  const confidence = confidenceOf(row.confidence);
  if (label === "") return "no label";
  if (!CATEGORIES.includes(category)) return "the category is not a word of the taxonomy";
  if (confidence === null) return "confidence is not a number above 0 and up to 1";
  const said = {
    label,
    category,
    entity: cleanListText(row.entity),
    confidence,
    evidence: cleanListText(row.evidence ?? row.source, 512),
    licence: cleanListText(row.licence),
    published_on: dayOf(row.published_on ?? row.published),
  };
  return places.map((place) => ({ ...place, ...said }));
};

const rowsOf = (file: unknown): readonly unknown[] => {
  const rows = isRecord(file) ? file.labels : file;
  if (!Array.isArray(rows)) throw new ListFault("the file must contain a list, or an object with a list `labels`");
  return rows;
};

/**
 * Labels of the operator: {address, label, category, network?, entity?, confidence?, evidence?, licence?,
 * published_on?} as a JSON list (or an object with `labels`, `version`, `published_on`) or as CSV with these names in
 * the first line.
 */
export const parseLabels = (text: string, form: "json" | "csv", scope: ImportScope): ParsedList => {
  const collector = new Collector<ListedLabel>(labelKey);
  const file = form === "json" ? readListJson(text) : null;
  for (const row of form === "json" ? rowsOf(file) : csvRows(text)) collector.takeAll(labelsOf(row, scope), row);
  const head = isRecord(file) ? file : {};
  return {
    kind: "labels",
    ...collector.found,
    version: cleanListText(head.version),
    published_on: dayOf(head.published_on),
  };
};
