/** Answers of several endpoints to one question, counted by what they say. */
export class Votes<V, R> {
  readonly #needed: number;
  readonly #voters = new Set<V>();
  readonly #groups = new Map<string, { readonly voters: V[]; readonly result: R }>();

  constructor(needed: number) {
    this.#needed = needed;
  }

  /** Everybody who said something. */
  get voters(): ReadonlySet<V> {
    return this.#voters;
  }

  /** How many different things were said. */
  get opinions(): number {
    return this.#groups.size;
  }

  /** What enough of them say, with those who say something else; null while it is not enough. */
  add(voter: V, digest: string, result: R): { readonly result: R; readonly outvoted: readonly V[] } | null {
    this.#voters.add(voter);
    const group = this.#groups.get(digest) ?? { voters: [], result };
    this.#groups.set(digest, group);
    group.voters.push(voter);
    if (group.voters.length < this.#needed) return null;
    return { result: group.result, outvoted: [...this.#voters].filter((one) => !group.voters.includes(one)) };
  }

  /** Why nothing is taken, for the operator. `names` of those who spoke, `cause` why nobody else did. */
  problem(names: readonly string[], cause: string): string {
    const listed = names.join(", ");
    return this.opinions > 1
      ? `the endpoints do not agree (${listed})`
      : `${this.#needed} endpoints must agree, and only ${names.length} answered (${listed}): ${cause}`;
  }
}
