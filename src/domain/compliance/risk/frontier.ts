import type { Hex } from "../../../lib/bytes.ts";
import { type AssetTrade, countedUsd, isTrade, type ValueEvent } from "./value_events.ts";

export interface FrontierQuery {
  readonly wallet: Hex;
  readonly flagged: ReadonlySet<Hex>;
  /** Addresses that value is followed through. */
  readonly through: ReadonlySet<Hex>;
}

/** Where a wallet's receipts came from and where its payments went, pro rata, as far as value was followed. */
export interface Frontier {
  /** USD by the address at which following ended: received from it or paid to it. '' is the void. */
  readonly ends: ReadonlyMap<Hex, number>;
  /** USD of the wallet's receipts that followed addresses paid on without a known receipt, by address. */
  readonly unexplained: ReadonlyMap<Hex, number>;
  readonly unexplained_usd: number;
}

/** A table of numbers by address and asset. */
class Holdings {
  readonly #of = new Map<Hex, Map<string, number>>();

  get(address: Hex, asset: string): number {
    return this.#of.get(address)?.get(asset) ?? 0;
  }

  set(address: Hex, asset: string, amount: number): void {
    const assets = this.#of.get(address) ?? new Map<string, number>();
    this.#of.set(address, assets);
    assets.set(asset, amount);
  }

  add(address: Hex, asset: string, amount: number): void {
    this.set(address, asset, this.get(address, asset) + amount);
  }
}

/** A payment out of what an address holds. */
interface Withdrawal {
  /** Part of the holding that leaves, 0..1. */
  readonly leaving: number;
  /** Part of the payment that the holding covers, 0..1. */
  readonly covered: number;
}

const withdrawalOf = (held: number, amount: number): Withdrawal => ({
  leaving: held <= amount ? 1 : amount / held,
  covered: amount <= 0 ? 1 : Math.min(1, held / amount),
});

const add = (ends: Map<Hex, number>, address: Hex, usd: number): void => {
  if (usd > 0) ends.set(address, (ends.get(address) ?? 0) + usd);
};

/** Withdrawals of the followed addresses, by event: one of a movement, one for each asset that a trade gave. */
const withdrawalsOf = (
  events: readonly ValueEvent[],
  { through }: FrontierQuery,
): readonly (readonly Withdrawal[])[] => {
  const held = new Holdings();
  const take = (address: Hex, asset: string, amount: number): Withdrawal => {
    const has = held.get(address, asset);
    held.set(address, asset, Math.max(0, has - amount));
    return withdrawalOf(has, amount);
  };
  return events.map((event) => {
    if (isTrade(event)) {
      if (!through.has(event.actor)) return [];
      const taken = event.gave.map(({ asset, amount }) => take(event.actor, asset, amount));
      for (const { asset, amount } of event.got) held.add(event.actor, asset, amount);
      return taken;
    }
    const { source, destination, asset, amount } = event;
    const taken = through.has(source) ? [take(source, asset, amount)] : [];
    if (through.has(destination)) held.add(destination, asset, amount);
    return taken;
  });
};

interface WithdrawnEvents {
  readonly events: readonly ValueEvent[];
  readonly withdrawals: readonly (readonly Withdrawal[])[];
}

/** Backwards in time: what one unit that an address holds brings the wallet later. */
const received = (
  { events, withdrawals }: WithdrawnEvents,
  question: FrontierQuery,
  ends: Map<Hex, number>,
): ReadonlyMap<Hex, number> => {
  const { wallet, flagged, through } = question;
  const brings = new Holdings();
  const unexplained = new Map<Hex, number>();
  const leave = (address: Hex, asset: string, { leaving, worth }: { leaving: number; worth: number }): void =>
    brings.set(address, asset, (1 - leaving) * brings.get(address, asset) + leaving * worth);
  const undoTrade = ({ actor, gave, got }: AssetTrade, taken: readonly Withdrawal[]): void => {
    const value = got.reduce((total, { asset, amount }) => total + amount * brings.get(actor, asset), 0);
    for (const [i, { asset, amount, part }] of gave.entries()) {
      const { leaving, covered } = taken[i] ?? { leaving: 0, covered: 1 };
      if (amount <= 0) continue;
      add(unexplained, actor, (1 - covered) * part * value);
      leave(actor, asset, { leaving, worth: (part * value) / amount });
    }
  };
  for (let i = events.length - 1; i >= 0; i -= 1) {
    const [event, taken] = [events[i], withdrawals[i] ?? []];
    if (event === undefined) continue;
    if (isTrade(event)) {
      if (through.has(event.actor)) undoTrade(event, taken);
      continue;
    }
    const { source, destination, asset, amount } = event;
    if (amount <= 0) continue;
    const usd = destination === wallet ? countedUsd(event, flagged) : amount * brings.get(destination, asset);
    const [drawn] = taken;
    if (drawn !== undefined) {
      add(unexplained, source, (1 - drawn.covered) * usd);
      leave(source, asset, { leaving: drawn.leaving, worth: usd / amount });
    } else if (source !== wallet) add(ends, source, usd);
  }
  return unexplained;
};

/** Forwards in time: the wallet's money in what each address holds, in USD of the time when the wallet paid it. */
const paid = ({ events, withdrawals }: WithdrawnEvents, question: FrontierQuery, ends: Map<Hex, number>): void => {
  const { wallet, flagged, through } = question;
  const own = new Holdings();
  const take = (address: Hex, asset: string, leaving: number): number => {
    const usd = own.get(address, asset);
    own.set(address, asset, usd * (1 - leaving));
    return usd * leaving;
  };
  for (const [i, event] of events.entries()) {
    const taken = withdrawals[i] ?? [];
    if (isTrade(event)) {
      if (!through.has(event.actor)) continue;
      const { actor, gave, got } = event;
      const usd = gave.reduce((total, { asset }, nth) => total + take(actor, asset, taken[nth]?.leaving ?? 0), 0);
      for (const { asset, part } of got) own.add(actor, asset, usd * part);
      continue;
    }
    const { source, destination, asset } = event;
    const usd =
      source === wallet
        ? countedUsd(event, flagged)
        : through.has(source)
          ? take(source, asset, taken[0]?.leaving ?? 0)
          : 0;
    if (usd <= 0) continue;
    if (through.has(destination)) own.add(destination, asset, usd);
    else if (destination !== wallet) add(ends, destination, usd);
  }
};

/** Splits a wallet's receipts and payments by where following ended. In the order of the chain. */
export const frontierOf = (events: readonly ValueEvent[], question: FrontierQuery): Frontier => {
  const ends = new Map<Hex, number>();
  const withdrawn = { events, withdrawals: withdrawalsOf(events, question) };
  const unexplained = received(withdrawn, question, ends);
  paid(withdrawn, question, ends);
  return { ends, unexplained, unexplained_usd: [...unexplained.values()].reduce((sum, usd) => sum + usd, 0) };
};

/** USD of a wallet's receipts and payments, by where following them ended. */
export interface FrontierSplit {
  readonly followed_usd: number;
  readonly stopped_at_services_usd: number;
  /** Came over bridges or left over them, and the other side is unknown. */
  readonly bridge_unmatched_usd: number;
  readonly not_followed_usd: number;
}

/** The split of all that the wallet received and paid (`totals`). The rest, which no service and no limit stopped, was followed. */
export const splitOf = (
  { ends, unexplained_usd }: Pick<Frontier, "ends" | "unexplained_usd">,
  facts: {
    readonly totals: { readonly in: number; readonly out: number };
    readonly flagged: ReadonlySet<Hex>;
    readonly isStop: (address: Hex) => boolean;
    /** Parts of the value that ends at a leg of a bridge, 1 together; null at any other address. */
    readonly legParts: (address: Hex) => FrontierSplit | null;
  },
): FrontierSplit => {
  let [stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd] = [0, 0, unexplained_usd];
  for (const [address, usd] of ends) {
    const parts = facts.legParts(address);
    if (parts !== null) {
      stopped_at_services_usd += usd * parts.stopped_at_services_usd;
      bridge_unmatched_usd += usd * parts.bridge_unmatched_usd;
      not_followed_usd += usd * parts.not_followed_usd;
      continue;
    }
    if (address === "" || facts.flagged.has(address)) continue;
    if (facts.isStop(address)) stopped_at_services_usd += usd;
    else not_followed_usd += usd;
  }
  const { totals } = facts;
  const ended_usd = stopped_at_services_usd + bridge_unmatched_usd + not_followed_usd;
  const followed_usd = Math.max(0, totals.in + totals.out - ended_usd);
  return { followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd };
};
