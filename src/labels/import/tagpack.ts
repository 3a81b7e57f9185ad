import { parse as parseYaml } from "yaml";
import { isRecord } from "../../lib/record.ts";
import type { ListedLabel } from "../source.ts";
import { csvRows } from "./csv_rows.ts";
import { labelKey, targetsOf } from "./label_targets.ts";
import { Collector, cleanListText, dayOf, type ImportScope, ListFault, type ParsedList } from "./parsed_list.ts";
import { checkYaml } from "./yaml_bounds.ts";

/** Currency codes of TagPacks -> networks. Others are rejected as unknown networks. */
const NETWORK_OF: Readonly<Record<string, string>> = {
  ETH: "ethereum",
  BSC: "bsc",
  MATIC: "polygon",
  POL: "polygon",
  TRX: "tron",
  SOL: "solana",
};

/** Confidence of each kind of evidence of the TagPack taxonomy. */
const CONFIDENCE: Readonly<Record<string, number>> = {
  ownership: 0.95,
  ledger_immanent: 0.95,
  manual_transaction: 0.95,
  service_api: 0.9,
  authority_data: 0.9,
  trusted_provider: 0.8,
  service_data: 0.8,
  forensic_investigation: 0.7,
  forensic: 0.7,
  untrusted_transaction: 0.5,
  web_crawl: 0.5,
  heuristic: 0.3,
  unknown: 0.3,
};
const CONFIDENCE_UNSAID = 0.5;

/** Words of the TagPack (INTERPOL) taxonomy -> ours. An abuse outweighs the kind of service. */
const ABUSE: Readonly<Record<string, string>> = {
  terrorism: "terror",
  sexual_abuse: "child_abuse",
  child_sexual_abuse: "child_abuse",
  csam: "child_abuse",
  theft: "theft",
  phishing: "phishing",
  scam: "scam",
  ponzi_scheme: "ponzi",
  pyramid_scheme: "ponzi",
  investment_fraud: "scam",
  exit_scam: "scam",
  fraud: "scam",
  service_hack: "exploit",
  hack: "exploit",
  ransomware: "ransomware",
  sanction: "sanctioned",
  dark_market: "darknet",
};
const CATEGORY: Readonly<Record<string, string>> = {
  exchange: "exchange",
  gambling: "gambling",
  mixing_service: "mixer",
  coinjoin: "mixer",
  privacy_service: "privacy_service",
  miner: "miner_validator",
  mining_service: "miner_validator",
  defi_dex: "dex",
  defi_lending: "lending",
  defi_bridge: "bridge",
  payment_processor: "payment",
  dark_market: "darknet",
};
const CATEGORY_UNSAID = "unknown_service";

/** Categories by the words of explorers in a label, for tags that name neither abuse nor category. */
const LABEL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^fake_phishing/i, "phishing"],
  [/\b(?:exploiter|hacker)\b/i, "exploit"],
  [/^scam:|\bfraud\b/i, "scam"],
  [/\bponzi\b/i, "ponzi"],
];

type Tag = Readonly<Record<string, unknown>>;

/** Words of a tag, from the fields of older packs and the `concepts` of newer ones. */
const wordsOf = (tag: Tag, field: string): readonly string[] => {
  const concepts = Array.isArray(tag.concepts) ? tag.concepts : [];
  return [tag[field], ...concepts].map((word) => cleanListText(word).toLowerCase());
};

const categoryOf = (tag: Tag): string => {
  const abuse = wordsOf(tag, "abuse").map((word) => ABUSE[word]);
  const service = wordsOf(tag, "category").map((word) => CATEGORY[word]);
  const said = [...abuse, ...service].find((category) => category !== undefined);
  const label = cleanListText(tag.label);
  return said ?? LABEL_WORDS.find(([word]) => word.test(label))?.[1] ?? CATEGORY_UNSAID;
};

const labelsOf = (tag: Tag, scope: ImportScope): readonly ListedLabel[] | string => {
  const code = cleanListText(
    tag.network === undefined || tag.network === "" ? tag.currency : tag.network,
  ).toUpperCase();
  const network = NETWORK_OF[code] ?? code.toLowerCase();
  const places = targetsOf({ address: cleanListText(tag.address), network }, scope);
  if (typeof places === "string") return places;
  const label = cleanListText(tag.label);
  if (label === "") return "no label";
  const day = dayOf(tag.lastmod);
  const said = {
    label,
    category: categoryOf(tag),
    entity: cleanListText(tag.actor),
    confidence: CONFIDENCE[cleanListText(tag.confidence).toLowerCase()] ?? CONFIDENCE_UNSAID,
    evidence: [cleanListText(tag.source, 512), day].filter((part) => part !== "").join(" "),
    licence: "",
    published_on: day,
  };
  return places.map((place) => ({ ...place, ...said }));
};

const readPack = (text: string): { readonly head: Tag; readonly tags: readonly unknown[] } => {
  checkYaml(text);
  let pack: unknown;
  try {
    // An alias bomb fails here: a TagPack needs almost no aliases.
    pack = parseYaml(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new ListFault(
      `the file is not YAML: ${error instanceof Error ? error.message.split("\n")[0] : "unreadable"}`,
    );
  }
  if (!isRecord(pack) || !Array.isArray(pack.tags)) throw new ListFault("a TagPack has a list `tags`");
  const { tags, ...head } = pack;
  // Array.isArray says so above.
  return { head, tags: tags as readonly unknown[] };
};

/** A GraphSense TagPack. Fields of the pack apply to every tag that does not override them. */
export const parseTagPack = (text: string, scope: ImportScope): ParsedList => {
  const { head, tags } = readPack(text);
  const collector = new Collector<ListedLabel>(labelKey);
  for (const tag of tags) {
    collector.takeAll(isRecord(tag) ? labelsOf({ ...head, ...tag }, scope) : "not an object", tag);
  }
  return {
    kind: "labels",
    ...collector.found,
    version: cleanListText(head.version),
    published_on: dayOf(head.lastmod),
  };
};

/** Tags of many packs as CSV: address, network, label, category, abuse, confidence, actor, source, lastmod. */
export const parseTagPackCsv = (text: string, scope: ImportScope): ParsedList => {
  const collector = new Collector<ListedLabel>(labelKey);
  for (const row of csvRows(text)) collector.takeAll(labelsOf(row, scope), row);
  return { kind: "labels", ...collector.found, version: "", published_on: "" };
};
