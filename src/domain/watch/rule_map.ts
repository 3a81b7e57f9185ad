import { type Hex, hex } from "../../lib/bytes.ts";

/** The part of a watch rule that is compared with blocks. */
export interface RuleFacts {
  readonly id: string;
  readonly account_id: string;
  readonly subject_kind: "address" | "token";
  /** Its bytes as hex. */
  readonly subject: string;
  readonly events: readonly string[];
  readonly direction: "in" | "out" | "both";
  /** Millionths of a dollar; null = any value. */
  readonly min_usd_micros: number | null;
  readonly include_unpriced: boolean;
  /** Categories of the other side; empty = any party. */
  readonly categories: readonly string[];
}

export type WatchedKind = "movement" | "freeze" | "approval";

/** Identical rules of one account: rows are compared with the first one only. */
export interface RuleGroup {
  readonly rule: RuleFacts;
  readonly ids: readonly string[];
}

/** The rules of one account on one subject. */
export interface SubjectRules {
  readonly account_id: string;
  readonly groups: readonly RuleGroup[];
}

/** The rules of all accounts on one subject. */
export interface SubjectWatch {
  readonly accounts: readonly SubjectRules[];
  /** One rule per direction among those on changes of the subject's risk. */
  readonly risk_rules: readonly RuleFacts[];
}

const NOT_WATCHED: SubjectWatch = { accounts: [], risk_rules: [] };

/** The rules of a network by subject: a row costs one lookup per side, for any number of rules. */
export class RuleMap {
  readonly #by: Readonly<Record<RuleFacts["subject_kind"], ReadonlyMap<string, SubjectWatch>>>;
  readonly #kinds: ReadonlySet<string>;

  constructor(rules: readonly RuleFacts[]) {
    this.#by = { address: watchesOf(rules, "address"), token: watchesOf(rules, "token") };
    // Risk rules re-assess subjects that moved, so they need movements too.
    this.#kinds = new Set(
      rules.flatMap(({ events }) => (events.includes("risk") ? [...events, "movement", "freeze"] : events)),
    );
  }

  /** Reports whether any rule needs such rows. */
  wants(kind: WatchedKind): boolean {
    return this.#kinds.has(kind);
  }

  of(kind: RuleFacts["subject_kind"], subject: Hex): SubjectWatch {
    return this.#by[kind].get(subject) ?? NOT_WATCHED;
  }

  subjects(kind: RuleFacts["subject_kind"]): readonly Hex[] {
    return [...this.#by[kind].keys()].map(hex);
  }
}

const watchesOf = (rules: readonly RuleFacts[], kind: RuleFacts["subject_kind"]): ReadonlyMap<string, SubjectWatch> => {
  const subjects = grouped(
    rules.filter(({ subject_kind }) => subject_kind === kind),
    ({ subject }) => subject,
  );
  return new Map([...subjects].map(([subject, of]) => [subject, watchOf(of)]));
};

const watchOf = (rules: readonly RuleFacts[]): SubjectWatch => ({
  accounts: [...grouped(rules, ({ account_id }) => account_id)].map(([account_id, own]) => ({
    account_id,
    groups: [...grouped(own, conditionsOf).values()].flatMap((same) => {
      const [rule] = same;
      return rule === undefined ? [] : [{ rule, ids: same.map(({ id }) => id) }];
    }),
  })),
  risk_rules: [
    ...new Map(
      rules.filter(({ events }) => events.includes("risk")).map((rule) => [rule.direction, rule] as const),
    ).values(),
  ],
});

/** Equal for rules of one account and subject that match the same rows. */
const conditionsOf = ({ events, direction, min_usd_micros, include_unpriced, categories }: RuleFacts): string =>
  JSON.stringify([[...events].sort(), direction, min_usd_micros, include_unpriced, [...categories].sort()]);

const grouped = <T>(things: readonly T[], keyOf: (thing: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [thing]);
    else group.push(thing);
  }
  return groups;
};
