import { type Bytes, type Hex, toHex } from "../../lib/bytes.ts";

export interface LamportChange {
  readonly holder: Bytes;
  /** Balance after, minus the known movements. */
  readonly difference: bigint;
}

export interface ResidueFlow {
  readonly source: Bytes;
  readonly destination: Bytes;
  readonly amount: bigint;
}

/**
 * The shortest list of flows for unexplained changes: takes holders in order, and each that lost pays those that gained
 * until it is even. The remainder goes to `rest`, or comes from it.
 */
export const match = (changes: readonly LamportChange[], rest: Bytes): ResidueFlow[] => {
  if (changes.every(({ difference }) => difference === 0n)) return [];
  const net = netOf(changes);
  const losers = net.filter(({ difference }) => difference < 0n);
  const winners = net.filter(({ difference }) => difference > 0n);
  const flows: ResidueFlow[] = [];
  let next = 0;
  let open = winners[0]?.difference ?? 0n;
  for (const loser of losers) {
    let owed = -loser.difference;
    for (let winner = winners[next]; owed > 0n && winner !== undefined; winner = winners[next]) {
      const amount = owed < open ? owed : open;
      flows.push({ source: loser.holder, destination: winner.holder, amount });
      owed -= amount;
      open -= amount;
      if (open > 0n) continue;
      next += 1;
      open = winners[next]?.difference ?? 0n;
    }
    if (owed > 0n) flows.push({ source: loser.holder, destination: rest, amount: owed });
  }
  for (let winner = winners[next]; winner !== undefined; winner = winners[next]) {
    flows.push({ source: rest, destination: winner.holder, amount: open });
    next += 1;
    open = winners[next]?.difference ?? 0n;
  }
  return flows;
};

/** One change per holder, in order of first appearance. */
const netOf = (changes: readonly LamportChange[]): LamportChange[] => {
  const sums = new Map<Hex, { holder: Bytes; difference: bigint }>();
  for (const { holder, difference } of changes) {
    const key = toHex(holder);
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { holder, difference });
    else known.difference += difference;
  }
  return [...sums.values()];
};
