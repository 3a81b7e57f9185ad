import type { Hex } from "../../../lib/bytes.ts";
import type { CounterpartyAnalysis } from "./report.ts";

/** Figures of the counterparty analysis. Pure. */

/** One counterparty over all requested networks. */
export interface CounterpartySum {
  readonly address: Hex;
  readonly tags: readonly string[];
  readonly is_labelled: boolean;
  readonly entity: string | null;
  readonly in_usd: number;
  readonly out_usd: number;
  /** The parts of both that the pools did not take at the price. */
  readonly limited_in_usd: number;
  readonly limited_out_usd: number;
  readonly transfers: number;
  readonly transactions: number;
  readonly is_known_before: boolean;
}

const ENTITIES_MAX = 50;
export const EXCHANGE_TAGS: readonly string[] = ["exchange", "exchange_deposit"];

const sum = (peers: readonly CounterpartySum[], of: (peer: CounterpartySum) => number): number =>
  peers.reduce((total, peer) => total + of(peer), 0);
const ins = ({ in_usd }: CounterpartySum): number => in_usd;
const outs = ({ out_usd }: CounterpartySum): number => out_usd;
const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

/** Groups peers by key and leaves out those without one. */
const grouped = (
  peers: readonly CounterpartySum[],
  keyOf: (peer: CounterpartySum) => string | null,
): ReadonlyMap<string, readonly CounterpartySum[]> => {
  const groups = new Map<string, CounterpartySum[]>();
  for (const peer of peers) {
    const key = keyOf(peer);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [peer]);
    else group.push(peer);
  }
  return groups;
};

/** Orders by volume, largest first, ties by name. */
const byVolume = <T extends { readonly in_usd: number; readonly out_usd: number }>(nameOf: (row: T) => string) => {
  return (a: T, b: T): number => b.in_usd + b.out_usd - (a.in_usd + a.out_usd) || (nameOf(a) < nameOf(b) ? -1 : 1);
};

const UNLABELLED = "unlabelled";

/**
 * Amount that counts in a share: all that labelled counterparties moved, and of the others the part that the pools took
 * at the price, because any account can send the rest to make the shares of the others small.
 */
const countedIn = ({ tags, in_usd, limited_in_usd }: CounterpartySum): number =>
  tags.length === 0 ? Math.max(0, in_usd - limited_in_usd) : in_usd;
const countedOut = ({ tags, out_usd, limited_out_usd }: CounterpartySum): number =>
  tags.length === 0 ? Math.max(0, out_usd - limited_out_usd) : out_usd;

export const categoriesOf = (peers: readonly CounterpartySum[]): CounterpartyAnalysis["by_category"] => {
  const [total_in, total_out] = [sum(peers, countedIn), sum(peers, countedOut)];
  return [...grouped(peers, ({ tags }) => tags[0] ?? UNLABELLED)]
    .map(([category, members]) => ({
      category,
      in_usd: sum(members, ins),
      out_usd: sum(members, outs),
      share_in_percent: percent(sum(members, countedIn), total_in),
      share_out_percent: percent(sum(members, countedOut), total_out),
      peer_count: members.length,
      transfer_count: sum(members, ({ transfers }) => transfers),
    }))
    .sort(byVolume(({ category }) => category));
};

export const entitiesOf = (peers: readonly CounterpartySum[]): CounterpartyAnalysis["by_entity"] =>
  [...grouped(peers, ({ entity }) => entity)]
    .map(([entity, members]) => ({
      entity,
      category: members[0]?.tags[0] ?? null,
      in_usd: sum(members, ins),
      out_usd: sum(members, outs),
      addresses_count: members.length,
    }))
    .sort(byVolume(({ entity }) => entity))
    .slice(0, ENTITIES_MAX);

const hhi = (values: readonly number[]): number | null => {
  const total = values.reduce((all, value) => all + value, 0);
  return total === 0 ? null : values.reduce((all, value) => all + (value / total) ** 2, 0);
};

export const concentrationOf = (peers: readonly CounterpartySum[]): CounterpartyAnalysis["concentration"] => {
  const volumes = peers.map((peer) => peer.in_usd + peer.out_usd).sort((a, b) => b - a);
  const total = volumes.reduce((all, volume) => all + volume, 0);
  const top = (count: number): number | null =>
    percent(
      volumes.slice(0, count).reduce((all, volume) => all + volume, 0),
      total,
    );
  return { hhi_in: hhi(peers.map(ins)), hhi_out: hhi(peers.map(outs)), top1_percent: top(1), top5_percent: top(5) };
};

/** `is_history_known`: the index reaches back to the network's first configured block. */
export const recurrenceOf = (
  peers: readonly CounterpartySum[],
  is_history_known: boolean,
): CounterpartyAnalysis["recurrence"] => {
  const one_off = peers.filter(({ transactions }) => transactions === 1).length;
  return {
    new_peers: is_history_known ? peers.filter(({ is_known_before }) => !is_known_before).length : null,
    recurring_peers: peers.length - one_off,
    one_off_percent: percent(one_off, peers.length) ?? 0,
  };
};

export const exchangesOf = (peers: readonly CounterpartySum[]): CounterpartyAnalysis["exchange_use"] => {
  const used = peers.filter(({ tags }) => tags.some((tag) => EXCHANGE_TAGS.includes(tag)));
  const exchanges = [...grouped(used, ({ entity }) => entity ?? "unknown")]
    .map(([entity, members]) => ({
      entity,
      deposits_usd: sum(members, outs),
      withdrawals_usd: sum(members, ins),
      addresses_count: members.length,
    }))
    .sort(
      (a, b) =>
        b.deposits_usd + b.withdrawals_usd - (a.deposits_usd + a.withdrawals_usd) || (a.entity < b.entity ? -1 : 1),
    );
  return { deposits_usd: sum(used, outs), withdrawals_usd: sum(used, ins), exchanges };
};

/**
 * USD that one address received (direction 1) or paid (-1) in one asset, by risk category of the other side; '' means no
 * risk.
 */
export interface TracedVolume {
  readonly address: Hex;
  readonly direction: number;
  readonly asset: Hex;
  readonly category: string;
  readonly usd: number;
}

/** USD that a wallet received from and paid to one counterparty in one asset. */
export interface AssetVolume {
  readonly asset: Hex;
  readonly in_usd: number;
  readonly out_usd: number;
}

const flaggedPart = (own: readonly TracedVolume[], category: string): number => {
  const total = own.reduce((all, row) => all + row.usd, 0);
  const flagged = own.reduce((all, row) => all + (row.category === category ? row.usd : 0), 0);
  return total === 0 ? 0 : flagged / total;
};

/**
 * Attributes volume pro rata. Of the amount received from a plain counterparty, the indirect part is the share of that
 * counterparty's own receipts that came from the category. Of the amount paid to it, the indirect part is the share of
 * its own payments that went to the category. Both within each asset, because clean money of another asset does not dilute,
 * or over all assets where that is more, because the counterparty may have swapped.
 */
export const indirectOf = (
  traced: readonly TracedVolume[],
  { address, volumes }: { readonly address: Hex; readonly volumes: readonly AssetVolume[] },
  category: string,
): { readonly in_usd: number; readonly out_usd: number } => {
  const part = (direction: number, usdOf: (volume: AssetVolume) => number): number => {
    const own = traced.filter((row) => row.address === address && row.direction === direction);
    const together = volumes.reduce((all, volume) => all + usdOf(volume), 0) * flaggedPart(own, category);
    const apart = volumes.reduce((all, volume) => {
      const same = own.filter(({ asset }) => asset === volume.asset);
      return all + usdOf(volume) * flaggedPart(same, category);
    }, 0);
    return Math.max(together, apart);
  };
  return { in_usd: part(1, ({ in_usd }) => in_usd), out_usd: part(-1, ({ out_usd }) => out_usd) };
};
