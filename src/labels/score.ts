import type { Hex } from "../lib/bytes.ts";

/** The scored fields of a label. */
export interface ScoredLabel {
  readonly network: string;
  readonly address: Hex;
  readonly category: string;
  /** Its owner; '' = unknown. */
  readonly entity: string;
}

/** A label from a rule of the index. */
export interface RuledLabel extends ScoredLabel {
  readonly rule: string;
}

/** Agreement of derived labels of one category with true ones. Percents are null when the denominator is 0. */
export interface Score {
  readonly network: string;
  readonly category: string;
  /** Of this rule only; null = of all. */
  readonly rule: string | null;
  /** True addresses, and those of them that the index has seen. */
  readonly true_count: number;
  readonly active_count: number;
  readonly derived_count: number;
  /** Derived and true, and those of them with the right name. */
  readonly matched_count: number;
  readonly named_count: number;
  /** Derived, with another category in the list. */
  readonly contradicted_count: number;
  /** Share of derived addresses: among addresses that the list names, and among all, as if the list were complete. */
  readonly precision_percent: number | null;
  readonly precision_of_all_percent: number | null;
  /** Share of active true addresses: found, and found under the right name. */
  readonly recall_percent: number | null;
  readonly named_recall_percent: number | null;
}

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((10_000 * part) / whole) / 100;

/** Names have several spellings: `OKX`, `Okx`. An empty name contradicts none. */
const isSameEntity = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  return one === "" || other === "" || one === other;
};

const scoreOf = (
  { network, category, rule }: Pick<Score, "network" | "category" | "rule">,
  { derived, truth, active }: ScoreInput,
): Score => {
  const here = <T extends ScoredLabel>(labels: readonly T[]) => labels.filter((label) => label.network === network);
  const known = new Map<Hex, ScoredLabel[]>();
  for (const label of here(truth)) known.set(label.address, [...(known.get(label.address) ?? []), label]);
  const right = [...known].flatMap(([address, labels]) =>
    labels.some((label) => label.category === category) ? [address] : [],
  );
  const own = new Map(
    here(derived)
      .filter((label) => label.category === category && (rule === null || label.rule === rule))
      .map((label) => [label.address, label]),
  );
  const matched = right.filter((address) => own.has(address));
  const isNamed = (address: Hex): boolean =>
    (known.get(address) ?? []).some(
      (label) => label.category === category && isSameEntity(label.entity, own.get(address)?.entity ?? ""),
    );
  const named = matched.filter(isNamed);
  const judged = [...own.keys()].filter((address) => known.has(address));
  const seen = right.filter((address) => active.has(`${network} ${address}`));
  const found = seen.filter((address) => own.has(address));
  return {
    network,
    category,
    rule,
    true_count: right.length,
    active_count: seen.length,
    derived_count: own.size,
    matched_count: matched.length,
    named_count: named.length,
    contradicted_count: judged.length - matched.length,
    precision_percent: percent(matched.length, judged.length),
    precision_of_all_percent: percent(matched.length, own.size),
    recall_percent: percent(found.length, seen.length),
    named_recall_percent: percent(found.filter(isNamed).length, seen.length),
  };
};

/** The two sides of the comparison. */
export interface ScoreInput {
  readonly derived: readonly RuledLabel[];
  readonly truth: readonly ScoredLabel[];
  /** Addresses that the index has seen, as `network address`. */
  readonly active: ReadonlySet<string>;
}

/** A score for each network of the list and each derived category: of all rules, then of each rule with labels. */
export const scoreLabels = (categories: readonly string[], compared: ScoreInput): readonly Score[] =>
  [...new Set(compared.truth.map(({ network }) => network))].sort().flatMap((network) =>
    categories.flatMap((category) => {
      const own = compared.derived.filter((label) => label.network === network && label.category === category);
      const rules = [...new Set(own.map(({ rule }) => rule))].sort();
      return [null, ...rules].map((rule) => scoreOf({ network, category, rule }, compared));
    }),
  );
