import { type Hex, hex } from "../../lib/bytes.ts";

/** A watch rule, as far as blocks are compared with it. */
export interface RuleFacts {
  readonly id: string;
  readonly account_id: string;
  readonly subject_kind: "address" | "token";
  /** Its bytes as hex. */
  readonly subject: string;
  readonly events: readonly string[];
  readonly direction: "in" | "out" | "both";
  /** Millionths of a dollar; null = of any value. */
  readonly min_usd_micros: number | null;
  readonly include_unpriced: boolean;
  /** Of the other side; none = anybody. */
  readonly categories: readonly string[];
}

export type WatchedKind = "movement" | "freeze" | "approval";

/** Identical rules of one account: rows are compared with the first one of them alone. */
export interface RuleGroup {
  readonly rule: RuleFacts;
  readonly ids: readonly string[];
}

/** What one account watches of one subject. */
export interface SubjectRules {
  readonly account_id: string;
  readonly groups: readonly RuleGroup[];
}

/** What all accounts watch of one subject. */
export interface SubjectWatch {
  readonly accounts: readonly SubjectRules[];
  /** Of the rules that ask for changes of risk of the subject one of each direction. */
  readonly risk_rules: readonly RuleFacts[];
}

const NOT_WATCHED: SubjectWatch = { accounts: [], risk_rules: [] };

/** The rules of a network by what they watch: a row costs one look per side, however many rules there are. */
export class RuleMap {
  readonly #by: Readonly<Record<RuleFacts["subject_kind"], ReadonlyMap<string, SubjectWatch>>>;
  readonly #kinds: ReadonlySet<string>;

  constructor(rules: readonly RuleFacts[]) {
    this.#by = { address: watchesOf(rules, "address"), token: watchesOf(rules, "token") };
    // What moved is judged again, so its movements are looked at where a rule asks for changes of risk alone.
    this.#kinds = new Set(
      rules.flatMap(({ events }) => (events.includes("risk") ? [...events, "movement", "freeze"] : events)),
    );
  }

  /** Whether any rule looks at such rows. */
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

/** Equal for rules of one account and subject that want to hear of the same rows. */
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
