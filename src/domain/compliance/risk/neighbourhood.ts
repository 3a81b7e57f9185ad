import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import type { ValuedHistory } from "../../wallet/history/history.ts";
import { NAMED_MAX, peersIn } from "../../wallet/history/movement_selection.ts";
import { HOP_ROWS_MAX, PEER_ROWS_MAX, readActivity } from "./activity.ts";
import { type AddressRisk, heaviestOf, queryInBatches, type RiskScope, readAddressRisks } from "./address_risks.ts";
import { LIMITS, RISK_LABELS } from "./model.ts";
import { ownTransfers } from "./own_transfers.ts";
import { keyOf, pricedRows, readTransferPrices, spanOf } from "./priced_rows.ts";
import { ReadableAddresses } from "./readable.ts";
import type { LedgerTransfer, VenueKind } from "./value_events_of.ts";

/** Number of the wallet's movements to read: the newest ones. */
export const WALLET_ROWS_MAX = 50_000;
/** Maximum number of counterparties by value per query. */
const PARTNERS_PAGE = 1_000;
/** Total number of movements to read of the addresses that sources are traced through. */
const TRACED_ROWS_MAX = 100_000;

/** Total number of movements to read of the addresses at which the wallet's value ends. */
const FRONTIER_ROWS_MAX = 10_000;
/** Number of those addresses, and how many of them to read at once: the ones with the most value. */
const FRONTIER_MAX = 500;
const FRONTIER_PAGE = 100;

/** Parts of the neighbourhood that count limits left out: the same at every call. */
export interface Omissions {
  /** The wallet or an address behind it has older movements than those that were read. */
  has_older: boolean;
  /** Addresses with more counterparties than a hub may have. */
  readonly hubs: Set<Hex>;
  /** Addresses with too many movements for the budgets. */
  readonly oversized: Set<Hex>;
}

/**
 * The neighbourhood of a wallet: the followed addresses, the addresses with known movements, and the marks of their
 * counterparties.
 */
export class Neighbourhood {
  readonly transfers = new Map<string, LedgerTransfer>();
  readonly marks = new Map<Hex, AddressRisk>();
  readonly contracts = new Set<Hex>();
  /** Addresses whose movements were read. */
  readonly actors = new Set<Hex>();
  /** Addresses that value may be followed through, in the order of hops and value. */
  readonly followed = new Set<Hex>();
  readonly readable: ReadableAddresses;
  readonly omissions: Omissions = { has_older: false, hubs: new Set(), oversized: new Set() };
  /** Addresses whose marks and kind were queried. */
  readonly #asked = new Set<Hex>();
  readonly #met = new Set<Hex>();
  /** Number of movements to read of each followed address. */
  readonly #moves = new Map<Hex, number>();
  #traceable = TRACED_ROWS_MAX;
  readonly #frontier = { rows: FRONTIER_ROWS_MAX, addresses: FRONTIER_MAX };
  readonly #sight: RiskScope;
  readonly #place: SnapshotContext;
  readonly #wallet: Hex;
  readonly #life: ValuedHistory;

  /** `life`: the wallet's history from the beginning. */
  constructor(sight: RiskScope, life: ValuedHistory) {
    this.#sight = sight;
    this.#place = sight.scope;
    this.readable = new ReadableAddresses(sight.scope);
    this.#wallet = life.wallet;
    this.#life = life;
  }

  get #wrapped(): Hex {
    return this.#place.chain.network.wrapped_native ?? "";
  }

  /** Adds the wallet's movements and reads the marks of its peers. */
  async readWallet(): Promise<void> {
    const own = ownTransfers(this.#place, this.#life, WALLET_ROWS_MAX);
    this.omissions.has_older ||= own.has_older;
    this.#take(own.transfers);
    const peers = this.#life.is_whole ? peersIn(this.#life.movements, this.#life) : null;
    if (peers === null || peers.length > NAMED_MAX) await this.#meetMany();
    else await this.#meet(peers);
    this.actors.add(this.#wallet);
  }

  /** Reads the marks of these addresses, and whether they are contracts. */
  async #meet(addresses: readonly Hex[]): Promise<void> {
    const { facts, snapshot } = this.#place;
    const peers = addresses.filter((address) => address !== "" && !this.#met.has(address));
    for (const peer of peers) this.#met.add(peer);
    const [contracts] = await Promise.all([
      queryInBatches(peers, (part) => facts.ask(snapshot, "contracts_among", { addresses: part })),
      this.#learn(peers),
    ]);
    for (const { address } of contracts) this.contracts.add(address);
  }

  /** The same for all counterparties that the wallet ever had, as far as they have marks. */
  async #meetMany(): Promise<void> {
    const { facts, snapshot, chain } = this.#place;
    const wallet = this.#wallet;
    const [known, contracts] = await Promise.all([
      facts.ask(snapshot, "risk/known_peers", { wallet, family: chain.network.family }),
      facts.ask(snapshot, "contract_peers", { wallet }),
    ]);
    for (const { address } of contracts) this.contracts.add(address);
    await this.#learn(known.map(({ address }) => address));
  }

  /** Reads the movements of these addresses, and the marks of their peers. */
  async read(wanted: readonly Hex[]): Promise<void> {
    const addresses = wanted.filter((address) => !this.actors.has(address)).sort();
    if (addresses.length === 0) return;
    const { facts, snapshot } = this.#place;
    const question = { addresses, wrapped: this.#wrapped, per_address: PEER_ROWS_MAX };
    const rows = await this.readable.priced(await facts.ask(snapshot, "risk/walk", question));
    const fresh = rows.filter((row) => !this.transfers.has(keyOf(row)));
    const [transfers] = await Promise.all([
      pricedRows(this.#place, fresh),
      this.#meet([...new Set(rows.map(({ peer }) => peer))]),
    ]);
    this.#take(transfers);
    for (const address of addresses) {
      if (this.readable.isClosed(address)) this.followed.delete(address);
      else this.actors.add(address);
    }
  }

  #take(transfers: readonly LedgerTransfer[]): void {
    for (const transfer of transfers) this.transfers.set(keyOf(transfer), transfer);
  }

  /** Reads the marks of these addresses unless they are known. */
  async #learn(addresses: readonly Hex[]): Promise<void> {
    const unknown = addresses.filter((address) => !this.#asked.has(address));
    if (unknown.length === 0) return;
    for (const address of unknown) this.#asked.add(address);
    for (const [address, mark] of await readAddressRisks(this.#sight, unknown)) this.marks.set(address, mark);
  }

  /** Chooses the addresses to follow at the first step, from the wallet's movements. */
  async followPeers(): Promise<readonly Hex[]> {
    const volumes = new Map<Hex, number>();
    for (const { source, destination, usd } of this.transfers.values()) {
      const peer = source === this.#wallet ? destination : source;
      if (usd !== null && usd > 0) volumes.set(peer, (volumes.get(peer) ?? 0) + usd);
    }
    const candidates = [...volumes]
      .filter(([peer]) => peer !== "" && peer !== this.#wallet && !this.#isEnd(peer))
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([peer]) => peer);
    return this.#follow(await this.readable.among(candidates.slice(0, LIMITS.peers_per_hop), "wished"));
  }

  /** Chooses the addresses to follow one step behind these. On demand few are read, and `readFrontier` finds them. */
  async followBehind(from: readonly Hex[]): Promise<readonly Hex[]> {
    const { facts, snapshot } = this.#place;
    if (from.length === 0 || snapshot.followed !== undefined) return [];
    const span = await spanOf(this.#place);
    const question = {
      addresses: [...from].sort(),
      actors: [this.#wallet, ...this.followed].sort(),
      wrapped: this.#wrapped,
      per_address: PEER_ROWS_MAX,
      ...(await readTransferPrices(this.#place, from, span)),
      limit: PARTNERS_PAGE,
    };
    const candidates: Hex[] = [];
    for (
      let offset = 0, has_more = true;
      has_more && candidates.length < LIMITS.peers_per_hop;
      offset += PARTNERS_PAGE
    ) {
      const rows = await facts.ask(snapshot, "risk/partners", { ...question, offset });
      await this.#learn(rows.map(({ peer }) => peer));
      candidates.push(...rows.map(({ peer }) => peer).filter((peer) => !this.#isEnd(peer)));
      has_more = rows.length === PARTNERS_PAGE;
    }
    return this.#follow(candidates.slice(0, LIMITS.peers_per_hop));
  }

  /** The candidates that are not hubs, as many as the budget of a hop allows. */
  async #follow(candidates: readonly Hex[]): Promise<readonly Hex[]> {
    if (candidates.length === 0) return [];
    const activity = await readActivity(this.#place, candidates);
    let left = HOP_ROWS_MAX;
    const chosen: Hex[] = [];
    for (const candidate of candidates) {
      const did = activity.get(candidate);
      if (did === undefined) continue;
      if (did.is_hub) {
        this.omissions.hubs.add(candidate);
      } else if (did.moves === null || did.movements > left) {
        this.omissions.oversized.add(candidate);
      } else {
        left -= did.movements;
        this.omissions.has_older ||= did.moves >= PEER_ROWS_MAX;
        this.followed.add(candidate);
        this.#moves.set(candidate, Math.min(PEER_ROWS_MAX, did.moves));
        chosen.push(candidate);
      }
    }
    return chosen;
  }

  /** Followed addresses with a flagged counterparty, nearest first. */
  async nearSources(): Promise<readonly Hex[]> {
    if (this.followed.size === 0) return [];
    const { facts, snapshot, chain } = this.#place;
    const pairs = await facts.ask(snapshot, "risk/suspects", {
      addresses: [...this.followed].sort(),
      categories: RISK_LABELS,
      family: chain.network.family,
    });
    await this.#learn(pairs.map(({ peer }) => peer));
    const flagged = this.flagged();
    const near = new Set(pairs.filter(({ peer }) => flagged.has(peer)).map(({ address }) => address));
    return [...this.followed].filter((address) => near.has(address));
  }

  /** Reads these one after the other, up to the budget; the others are left out. */
  async trace(wanted: readonly Hex[]): Promise<readonly Hex[]> {
    const chosen = wanted.filter((address) => {
      const rows = this.#moves.get(address) ?? 0;
      if (rows > this.#traceable) this.omissions.oversized.add(address);
      if (rows > this.#traceable) return false;
      this.#traceable -= rows;
      return true;
    });
    await this.read(chosen);
    return chosen;
  }

  /**
   * Reads the addresses at which the wallet's value ends so far (USD by address), those with the most value first. False
   * when none is left that value can be followed through, or the budget is used up.
   */
  async readFrontier(ends: ReadonlyMap<Hex, number>): Promise<boolean> {
    const { hubs, oversized } = this.omissions;
    const isEnd = (address: Hex): boolean =>
      [this.actors, hubs, oversized].some((known) => known.has(address)) || this.#isEnd(address);
    const open = [...ends]
      .filter(([address, usd]) => usd >= LIMITS.follow_usd && address !== "" && !isEnd(address))
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([address]) => address);
    const wanted = await this.readable.among(open);
    const budget = this.#frontier;
    const page = wanted.slice(0, Math.min(FRONTIER_PAGE, budget.addresses));
    if (page.length === 0) for (const address of wanted) oversized.add(address);
    if (page.length === 0) return false;
    budget.addresses -= page.length;
    await this.#follow(page.filter((address) => !this.followed.has(address)));
    const chosen = page.filter((address) => {
      const rows = this.followed.has(address) ? (this.#moves.get(address) ?? 0) : Number.POSITIVE_INFINITY;
      if (hubs.has(address)) return false;
      const fits = rows <= budget.rows;
      if (fits) budget.rows -= rows;
      else oversized.add(address);
      // The largest value first: once an address does not fit, the budget is used up.
      if (!fits) budget.addresses = 0;
      return fits;
    });
    await this.read(chosen);
    return true;
  }

  /** Followed addresses that have both the wallet and one of these as counterparties. */
  between(near: ReadonlySet<Hex>): readonly Hex[] {
    const partnersOf = (has: (address: Hex) => boolean): ReadonlySet<Hex> =>
      new Set(
        [...this.transfers.values()].flatMap(({ source, destination }) => [
          ...(has(source) ? [destination] : []),
          ...(has(destination) ? [source] : []),
        ]),
      );
    const own = partnersOf((address) => address === this.#wallet);
    const linked = partnersOf((address) => near.has(address));
    return [...this.followed].filter((address) => own.has(address) && linked.has(address));
  }

  #isEnd(peer: Hex): boolean {
    const mark = this.marks.get(peer);
    return mark !== undefined && (mark.is_stop || heaviestOf(mark) !== null);
  }

  isStop(address: Hex): boolean {
    return this.marks.get(address)?.is_stop === true;
  }

  venueOf(address: Hex): VenueKind | null {
    if (address === this.#wallet) return null;
    if (this.isStop(address)) return "service";
    return this.contracts.has(address) ? "contract" : null;
  }

  flagged(): ReadonlySet<Hex> {
    return new Set([...this.marks].filter(([, mark]) => heaviestOf(mark) !== null).map(([address]) => address));
  }
}
