import type { Hex } from "../../../lib/bytes.ts";
import type { HeldFacts } from "../../context.ts";
import { type MovementSpan, readMovementSpans, within } from "../../wallet/history/movement_spans.ts";
import { LIMITS } from "./model.ts";

/** Movements that are read of each address that value is followed through: the newest ones. */
export const PEER_ROWS_MAX = 2_000;
/** Movements that the addresses of one hop may have together; those that fit no more are left out. */
export const HOP_ROWS_MAX = 1_000_000;
/** With more movements an address is looked at by its newest ones first, which nearly always show a hub already. */
const WHOLE_ROWS_MAX = 100_000;
/** How many those are, about: as if it had moved evenly. */
const LATE_ROWS = 4 * LIMITS.hub_peers;
/** Movements that are gone through in all of those whose newest ones showed nothing. */
const COUNTED_ROWS_MAX = 4_000_000;
/** Parts of the indexed blocks in which the newest movements are looked for. */
const SLICES = 256;
const MANY = LIMITS.hub_peers + 1;

/** How much an address moved, as far as it decides whether value is followed through it. */
export interface Activity {
  /** Fees and wraps among them; one to itself is one. */
  readonly movements: number;
  /** Of value. Null: too many to be counted; nothing is said of its counterparties then. */
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

/** Those that their newest movements alone show to be hubs. */
const readLateHubs = async (
  { facts, snapshot }: HeldFacts,
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
  { facts, snapshot }: HeldFacts,
  spans: readonly MovementSpan[],
): Promise<readonly (readonly [Hex, Dealings])[]> => {
  if (spans.length === 0) return [];
  const addresses = spans.map(({ address }) => address).sort();
  const rows = await facts.ask(snapshot, "risk/dealings", { addresses, many: MANY });
  return rows.map(({ address, moves, is_hub }) => [address, { moves, is_hub: is_hub === 1 }]);
};

/** How much each of these moved, by address and in the order of importance that they come in; who moved nothing is left out. */
export const readActivity = async (
  scope: HeldFacts,
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
