import { isRecord } from "../../lib/record.ts";
import { csvRows } from "./csv_rows.ts";
import {
  Collector,
  cleanListText,
  dayOf,
  type ImportScope,
  ListFault,
  type ParsedList,
  readListJson,
  type SanctionsEntry,
} from "./parsed_list.ts";
import { sanctionedAddress } from "./sanctioned_address.ts";

/** Two rows about one address and asset state the same fact. */
export const sanctionsKey = ({ family, address, asset_code }: SanctionsEntry): string =>
  `${family}:${address}:${asset_code}`;

const programOf = (row: Readonly<Record<string, unknown>>): string => {
  const said = row.program ?? row.programs;
  return Array.isArray(said)
    ? said
        .map((one) => cleanListText(one))
        .filter((one) => one !== "")
        .join(", ")
    : cleanListText(said);
};

const rowsOf = (file: unknown): readonly unknown[] => {
  const rows = isRecord(file) ? file.entries : file;
  if (!Array.isArray(rows)) throw new ListFault("the file must contain a list, or an object with a list `entries`");
  return rows;
};

/** A list of labels under a wrong name must not sanction an address. */
const isLabel = (row: unknown): boolean => isRecord(row) && ("category" in row || "label" in row);

/** The entry of a row, or the reason why it has none. */
const entryOf = (row: unknown, scope: ImportScope): SanctionsEntry | string => {
  if (!isRecord(row)) return "not an object";
  const text = cleanListText(row.address);
  if (text === "") return "no address";
  const asset_code = cleanListText(row.asset_code).toUpperCase();
  const found = sanctionedAddress({ text, asset_code, family: cleanListText(row.family).toLowerCase() }, scope);
  if (found === null) return "not an address of the family or asset it names";
  return {
    ...found,
    asset_code,
    entity: cleanListText(row.entity),
    program: programOf(row),
    listed_on: dayOf(row.listed_on),
    delisted_on: dayOf(row.delisted_on),
  };
};

/**
 * The generic format of sanctions lists: {address, family?, asset_code?, entity?, program?, listed_on?, delisted_on?} as a
 * JSON list (or an object with `entries`, `version`, `published_on`) or as CSV with these names in the first line.
 */
export const parseSanctions = (text: string, form: "json" | "csv", scope: ImportScope): ParsedList => {
  const collector = new Collector<SanctionsEntry>(sanctionsKey);
  const file = form === "json" ? readListJson(text) : null;
  for (const row of form === "json" ? rowsOf(file) : csvRows(text)) {
    if (isLabel(row))
      throw new ListFault("the file contains labels, not sanctions: its rows have a category or a label");
    collector.take(entryOf(row, scope), row);
  }
  const head = isRecord(file) ? file : {};
  return {
    kind: "sanctions",
    ...collector.found,
    version: cleanListText(head.version),
    published_on: dayOf(head.published_on),
  };
};
