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

/** The rules of a network by what they watch: a row costs one look per side, however many rules there are. */
export class RuleMap {
  readonly #by: Readonly<Record<RuleFacts["subject_kind"], ReadonlyMap<string, readonly RuleFacts[]>>>;
  readonly #kinds: ReadonlySet<string>;

  constructor(rules: readonly RuleFacts[]) {
    const maps = { address: new Map<string, RuleFacts[]>(), token: new Map<string, RuleFacts[]>() };
    for (const rule of rules) {
      const of = maps[rule.subject_kind];
      of.set(rule.subject, [...(of.get(rule.subject) ?? []), rule]);
    }
    this.#by = maps;
    // What moved is judged again, so its movements are looked at though nobody wants to hear of them.
    this.#kinds = new Set(
      rules.flatMap(({ events }) => (events.includes("risk") ? [...events, "movement", "freeze"] : events)),
    );
  }

  /** Whether any rule looks at such rows. */
  wants(kind: WatchedKind): boolean {
    return this.#kinds.has(kind);
  }

  of(kind: RuleFacts["subject_kind"], subject: Hex): readonly RuleFacts[] {
    return this.#by[kind].get(subject) ?? [];
  }

  subjects(kind: RuleFacts["subject_kind"]): readonly Hex[] {
    return [...this.#by[kind].keys()].map(hex);
  }
}
