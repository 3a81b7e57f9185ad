import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { type MovementSpan, readMovementSpans, within } from "../../wallet/history/movement_spans.ts";
import { LIMITS } from "./model.ts";

/** Number of movements to read of each address that value is followed through: the newest ones. */
export const PEER_ROWS_MAX = 2_000;
/** Total number of movements of the addresses of one hop; addresses beyond it are left out. */
export const HOP_ROWS_MAX = 1_000_000;
/** An address with more movements is checked by its newest ones first, which nearly always show a hub already. */
const WHOLE_ROWS_MAX = 100_000;
/** Approximate number of those movements, as if the address had moved evenly. */
const LATE_ROWS = 4 * LIMITS.hub_peers;
/** Total number of movements to count for addresses whose newest ones did not show a hub. */
const COUNTED_ROWS_MAX = 4_000_000;
/** Number of slices of the indexed blocks in which to search for the newest movements. */
const SLICES = 256;
const MANY = LIMITS.hub_peers + 1;

/** Movements of an address, as far as they decide whether value is followed through it. */
export interface Activity {
  /** Includes fees and wraps; a movement to itself counts once. */
  readonly movements: number;
  /** Movements of value. Null: too many to count; its counterparties are unknown then. */
  readonly moves: number | null;
  /** It has more counterparties than a hub may have. */
  readonly is_hub: boolean;
}

/** The slices of its newest movements, if it moved evenly. */
const lateSlices = ({ movements, first_block, last_block }: MovementSpan, width: number): readonly number[] => {
  const from = last_block - Math.ceil((last_block - first_block) * (LATE_ROWS / movements));
  const [first, last] = [Math.floor(from / width), Math.floor(last_block / width)];
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
};

/** Addresses whose newest movements alone show that they are hubs. */
const readLateHubs = async (
  { facts, snapshot }: IndexedFacts,
  spans: readonly MovementSpan[],
): Promise<readonly Hex[]> => {
  if (spans.length === 0) return [];
  const width = Math.max(1, Math.ceil((snapshot.block.number - snapshot.from_block + 1) / SLICES));
  const asked = [...spans]
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .flatMap((span) => lateSlices(span, width).map((slice) => ({ address: span.address, slice })));
  const rows = await facts.ask(snapshot, "risk/late_hubs", {
    addresses: asked.map(({ address }) => address),
    slices: asked.map(({ slice }) => slice),
    width,
    many: MANY,
  });
  return rows.map(({ address }) => address);
};

type Dealings = Pick<Activity, "moves" | "is_hub">;

const readDealings = async (
  { facts, snapshot }: IndexedFacts,
  spans: readonly MovementSpan[],
): Promise<readonly (readonly [Hex, Dealings])[]> => {
  if (spans.length === 0) return [];
  const addresses = spans.map(({ address }) => address).sort();
  const rows = await facts.ask(snapshot, "risk/dealings", { addresses, many: MANY });
  return rows.map(({ address, moves, is_hub }) => [address, { moves, is_hub: is_hub === 1 }]);
};

/**
 * The activity of each of these addresses, in the given order of importance; an address without movements is left out.
 */
export const readActivity = async (
  scope: IndexedFacts,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, Activity>> => {
  const spans = await readMovementSpans(scope, addresses);
  const busy = spans.filter(({ movements }) => movements >= PEER_ROWS_MAX);
  const great = busy.filter(({ movements }) => movements > WHOLE_ROWS_MAX);
  const [counted, hubs] = await Promise.all([
    readDealings(
      scope,
      busy.filter(({ movements }) => movements <= WHOLE_ROWS_MAX),
    ),
    readLateHubs(scope, great),
  ]);
  const shown = new Set(hubs);
  const unsettled = great.filter(({ address, movements }) => !shown.has(address) && movements <= HOP_ROWS_MAX);
  const further = await readDealings(scope, within(unsettled, COUNTED_ROWS_MAX));
  const known = new Map([...counted, ...further]);
  return new Map(
    spans.map(({ address, movements }) => {
      const quiet = movements < PEER_ROWS_MAX ? { moves: movements, is_hub: false } : null;
      const told = quiet ?? known.get(address) ?? { moves: null, is_hub: shown.has(address) };
      return [address, { movements, ...told }];
    }),
  );
};
