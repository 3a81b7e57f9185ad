import type { ListedLabel } from "../source.ts";
import { csvRows } from "./csv_rows.ts";
import { labelKey, targetsOf } from "./label_targets.ts";
import { Collector, cleanListText, type ImportScope, ListFault, type ParsedList } from "./parsed_list.ts";

type FortaRow = Readonly<Record<string, string>>;

/** Each file of the repository names the columns differently. Earlier names win. */
const COLUMNS = {
  address: ["address", "contract_address", "banned_address"],
  tag: ["etherscan_tag", "contract_tag", "wallet_tag", "contract_creator_tag", "notes"],
  kind: ["etherscan_labels", "contract_creator_etherscan_label", "data_source"],
  source: ["source", "data_source"],
} as const;

const firstOf = (row: FortaRow, names: readonly string[]): string =>
  names.map((name) => cleanListText(row[name])).find((text) => text !== "") ?? "";

/** The labels of the explorer that the file copied, and words of tags for rows without one. */
const CATEGORY: readonly (readonly [RegExp, string])[] = [
  [/phish/i, "phishing"],
  [/heist/i, "theft"],
  [/exploit|hack/i, "exploit"],
];

const categoryOf = (kind: string, tag: string): string =>
  [kind, tag].flatMap((text) => CATEGORY.filter(([word]) => word.test(text)).map(([, category]) => category))[0] ??
  "scam";

/** Volunteers collected the rows from an explorer's labels. */
const CONFIDENCE = 0.7;

const labelsOf = (row: FortaRow, scope: ImportScope): readonly ListedLabel[] | string => {
  // Explorers change the case of letters; a checksum is no evidence here.
  const address = firstOf(row, COLUMNS.address).toLowerCase();
  const places = targetsOf({ address, network: "" }, scope);
  if (typeof places === "string") return places;
  const tag = firstOf(row, COLUMNS.tag);
  const category = categoryOf(firstOf(row, COLUMNS.kind), tag);
  const said = {
    label: tag === "" ? `Forta: ${category}` : tag,
    category,
    entity: "",
    confidence: CONFIDENCE,
    evidence: firstOf(row, COLUMNS.source),
    licence: "",
    published_on: "",
  };
  return places.map((place) => ({ ...place, ...said }));
};

/** A CSV file of Forta's labelled datasets, of the network that its folder names. */
export const parseForta = (text: string, scope: ImportScope): ParsedList => {
  const rows = [...csvRows(text)];
  if (!rows.some((row) => COLUMNS.address.some((name) => name in row)))
    throw new ListFault(`the file has no column ${COLUMNS.address.join(" or ")}`);
  const collector = new Collector<ListedLabel>(labelKey);
  for (const row of rows) collector.takeAll(labelsOf(row, scope), row);
  return { kind: "labels", ...collector.found, version: "", published_on: "" };
};
