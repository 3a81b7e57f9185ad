/** Answers of several endpoints to one question, counted by content. */
export class Votes<V, R> {
  readonly #needed: number;
  readonly #voters = new Set<V>();
  readonly #groups = new Map<string, { readonly voters: V[]; readonly result: R }>();

  constructor(needed: number) {
    this.#needed = needed;
  }

  /** All voters so far. */
  get voters(): ReadonlySet<V> {
    return this.#voters;
  }

  /** Number of different answers. */
  get opinions(): number {
    return this.#groups.size;
  }

  /** The answer that enough voters share, with the voters that differ; null while too few agree. */
  add(voter: V, digest: string, result: R): { readonly result: R; readonly outvoted: readonly V[] } | null {
    this.#voters.add(voter);
    const group = this.#groups.get(digest) ?? { voters: [], result };
    this.#groups.set(digest, group);
    group.voters.push(voter);
    if (group.voters.length < this.#needed) return null;
    return { result: group.result, outvoted: [...this.#voters].filter((one) => !group.voters.includes(one)) };
  }

  /** Why no answer won, for the operator. `names` of the endpoints that answered, `cause` of the others' failure. */
  problem(names: readonly string[], cause: string): string {
    const listed = names.join(", ");
    return this.opinions > 1
      ? `the endpoints do not agree (${listed})`
      : `${this.#needed} endpoints must agree, and only ${names.length} answered (${listed}): ${cause}`;
  }
}
