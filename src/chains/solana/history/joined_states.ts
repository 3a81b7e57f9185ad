/** Whether the states of an account before and after its transactions join to one history, so that none is missing. */

/** Equal states have equal texts. */
export interface StateChange {
  readonly slot: number;
  readonly before: string;
  readonly after: string;
}

export interface JoinedStates {
  /** Before the first change; null without changes. */
  readonly start: string | null;
  /** Each change begins with the state in which the one before it ended. */
  readonly is_joined: boolean;
  /** After the last change up to a slot; the start if all are later. */
  at(slot: number): string | null;
}

interface StatePath {
  readonly start: string;
  readonly end: string;
}

/** Nodes list transactions of one slot in any order: each is an edge between two states, and some path takes all. */
const pathOf = (changes: readonly StateChange[], from: string | null): StatePath | null => {
  const surplus = new Map<string, number>();
  const add = (state: string, by: number) => surplus.set(state, (surplus.get(state) ?? 0) + by);
  for (const { before, after } of changes) {
    add(before, 1);
    add(after, -1);
  }
  const uneven = [...surplus].filter(([, count]) => count !== 0);
  const [first] = changes;
  const start = uneven.find(([, count]) => count === 1)?.[0] ?? from ?? first?.before ?? "";
  const end = uneven.find(([, count]) => count === -1)?.[0] ?? start;
  const is_path = uneven.length === (start === end ? 0 : 2) && uneven.every(([, count]) => Math.abs(count) === 1);
  if (!is_path || (from !== null && from !== start)) return null;
  return reachesAll(changes, start) ? { start, end } : null;
};

const reachesAll = (changes: readonly StateChange[], start: string): boolean => {
  const reached = new Set([start]);
  let open = [...changes];
  for (;;) {
    const rest = open.filter(({ before }) => !reached.has(before));
    if (rest.length === open.length) return rest.length === 0;
    for (const { before, after } of open) if (reached.has(before)) reached.add(after);
    open = rest;
  }
};

const groupsOf = (changes: readonly StateChange[]): readonly (readonly StateChange[])[] => {
  const groups: StateChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last?.[0]?.slot === change.slot) last.push(change);
    else groups.push([change]);
  }
  return groups;
};

/** `from`: the state before the first group, if it is known. */
const walk = (groups: readonly (readonly StateChange[])[], from: string | null): JoinedStates => {
  const ends: { readonly slot: number; readonly state: string }[] = [];
  let start = from;
  let is_joined = true;
  for (const group of groups) {
    const [first] = group;
    const known = pathOf(group, ends.at(-1)?.state ?? from);
    if (known === null) is_joined = false;
    const path = known ?? pathOf(group, null);
    start ??= path?.start ?? first?.before ?? "";
    ends.push({ slot: first?.slot ?? 0, state: path?.end ?? group.at(-1)?.after ?? "" });
  }
  return { start, is_joined, at: (slot) => ends.findLast((end) => end.slot <= slot)?.state ?? start };
};

/** `changes`: by slot, ascending. */
export const joinStates = (changes: readonly StateChange[]): JoinedStates => {
  const groups = groupsOf(changes);
  const joined = walk(groups, null);
  if (joined.is_joined) return joined;
  // If the changes of the first slot end where they begin, they may begin with any of their states.
  const states = new Set((groups[0] ?? []).map(({ before }) => before));
  for (const state of states) {
    const other = walk(groups, state);
    if (other.is_joined) return other;
  }
  return joined;
};
