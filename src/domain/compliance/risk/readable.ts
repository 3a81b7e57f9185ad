/** Which addresses behind a wallet can be read: all where the network is indexed whole, on demand those that are followed. */
import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { QueryRow, ReadState } from "../../../store/facts.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { priceKey, unreadPrices } from "../../valuation/prices/price_now.ts";

type WalkRow = QueryRow<"risk/walk">;

/** Addresses that are not read, and what of the wallet's value ends there. */
export interface UnreadAddresses {
  /** They will be read. */
  readonly reading: number;
  /** They will not. */
  readonly unread: number;
  /** They are read, and blocks of them may be missing. */
  readonly partial: number;
  /** USD at the first two. */
  readonly usd: number;
}

const isReadable = (state: ReadState | undefined): boolean => state === "read" || state === "partial";

export class ReadableAddresses {
  readonly #place: SnapshotContext;
  readonly #states = new Map<Hex, ReadState>();

  constructor(place: SnapshotContext) {
    this.#place = place;
  }

  get #isWhole(): boolean {
    return this.#place.snapshot.followed === undefined;
  }

  /** It was found to be unreadable now. */
  isClosed(address: Hex): boolean {
    const state = this.#states.get(address);
    return state !== undefined && !isReadable(state);
  }

  /** Those of these addresses that can be read, in their order. `wished`: the first of the others are read for later calls. */
  async among(addresses: readonly Hex[], wished?: "wished"): Promise<readonly Hex[]> {
    const { facts, snapshot } = this.#place;
    if (this.#isWhole || addresses.length === 0) return addresses;
    const states = (await facts.readStates?.(snapshot, addresses, wished)) ?? new Map<Hex, ReadState>();
    // An address whose prices are not read stays closed.
    for (const address of addresses)
      if (!this.isClosed(address)) this.#states.set(address, states.get(address) ?? "unread");
    return addresses.filter((address) => isReadable(this.#states.get(address)));
  }

  /** Rows without those of addresses of which a price is not read yet: these are closed. No call waits for prices of others. */
  async priced(rows: readonly WalkRow[]): Promise<readonly WalkRow[]> {
    const { facts, chain, snapshot } = this.#place;
    if (this.#isWhole) return rows;
    const pairs = rows
      .filter(({ is_collectible }) => is_collectible === 0)
      .map(({ address, token, time }) => ({ address, token, hour: hourOf(time) }));
    const unread = await unreadPrices({ facts, network: chain.network, snapshot }, pairs);
    for (const { address, token, hour } of pairs)
      if (unread.has(priceKey(token, hour))) this.#states.set(address, "reading");
    return rows.filter(({ address }) => !this.isClosed(address));
  }

  /** Addresses that are not read, among those at which the wallet's value ends (USD by address) and those that it was followed through. */
  unreadOf(ends: ReadonlyMap<Hex, number>): UnreadAddresses {
    const closed = [...this.#states].filter(([address, state]) => !isReadable(state) && (ends.get(address) ?? 0) > 0);
    const reading = closed.filter(([, state]) => state === "reading").length;
    return {
      reading,
      unread: closed.length - reading,
      partial: [...this.#states.values()].filter((state) => state === "partial").length,
      usd: closed.reduce((sum, [address]) => sum + (ends.get(address) ?? 0), 0),
    };
  }
}

/** Caveats of a trace that ended at addresses which are not read. */
export const unreadWarnings = (
  { chain }: Pick<SnapshotContext, "chain">,
  { reading, unread, partial }: UnreadAddresses,
): readonly Warning[] => {
  const { name } = chain.network;
  const say = (code: string, message: string): Warning => ({ code, message: `${name} is read on demand: ${message}` });
  return [
    ...(reading === 0
      ? []
      : [
          say(
            "COUNTERPARTIES_READING",
            `${reading} addresses behind the wallet are being read. Exposure through them is unknown now; a later call includes it.`,
          ),
        ]),
    ...(unread === 0
      ? []
      : [
          say(
            "COUNTERPARTIES_NOT_READ",
            `${unread} addresses behind the wallet are not read, because they are not among its nearest counterparties, are too large, or are beyond a limit of the account. Exposure through them is unknown; follow them to include it.`,
          ),
        ]),
    ...(partial === 0
      ? []
      : [
          say(
            "COUNTERPARTIES_PARTIAL",
            `blocks of ${partial} addresses behind the wallet may be missing: they have code, or the node does not keep their whole history.`,
          ),
        ]),
  ];
};
