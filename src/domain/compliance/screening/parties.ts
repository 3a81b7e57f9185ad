/** The transfers of one asset in a transaction, and the addresses on the other side. */
import type { Hex } from "../../../lib/bytes.ts";
import { netChanges, type TransactionMovement } from "../../transaction/decoding/movements.ts";

/** From the view of the service that asks: `in` it received the asset, `out` it sent the asset. */
export const SCREENING_DIRECTIONS = ["in", "out"] as const;
export type ScreeningDirection = (typeof SCREENING_DIRECTIONS)[number];

/** The transfer to screen. */
export interface ScreenedAsset {
  /** '' is the native coin. */
  readonly asset: Hex;
  readonly direction: ScreeningDirection;
}

interface ScreenedMovement {
  readonly index: number;
  readonly movement: TransactionMovement;
}

interface ScreenedParties {
  readonly transfers: readonly ScreenedMovement[];
  /** Those at the side of the service: an asset that others pass on counts once. */
  readonly own: readonly ScreenedMovement[];
  /** Addresses that the asset came from (`in`) or went to (`out`), in the order of the transaction. */
  readonly principals: readonly Hex[];
  /** Addresses that only passed it on or exchanged it within the transaction. */
  readonly intermediaries: readonly Hex[];
}

/** Addresses from which value reaches `ends` within the transaction, of any asset; `ends` included. */
const reachedFrom = (ends: readonly Hex[], steps: readonly (readonly [near: Hex, far: Hex])[]): ReadonlySet<Hex> => {
  const reached = new Set(ends);
  for (const near of reached) {
    for (const [from, to] of steps) if (from === near && to !== "") reached.add(to);
  }
  return reached;
};

/**
 * The other side of a screened transfer. An address that gave (`in`) or gained (`out`) and got nothing for it is a
 * principal, also when venues exchanged what it gave within the transaction. `wrapped`: the contract of the wrapped coin,
 * which owns none of it.
 */
export const partiesOf = (
  movements: readonly TransactionMovement[],
  { asset, direction }: ScreenedAsset,
  wrapped: Hex | null,
): ScreenedParties => {
  const transfers = movements.flatMap((movement, index) =>
    movement.token === asset && movement.source !== movement.destination ? [{ index, movement }] : [],
  );
  const isIn = direction === "in";
  const passing = new Set(transfers.map(({ movement }) => (isIn ? movement.source : movement.destination)));
  const outer = transfers.filter(({ movement }) => !passing.has(isIn ? movement.destination : movement.source));
  const stepOf = ({ source, destination }: TransactionMovement): readonly [Hex, Hex] =>
    isIn ? [destination, source] : [source, destination];
  const others = [...new Set(transfers.map(({ movement }) => stepOf(movement)[1]))].filter(
    (address) => address !== "" && address !== wrapped,
  );
  const gave = new Set<Hex>();
  const gained = new Set<Hex>();
  for (const { address, amount } of netChanges(movements)) (amount < 0n ? gave : gained).add(address);
  const [ends, counter] = isIn ? [gave, gained] : [gained, gave];
  const involved = [...reachedFrom(others, movements.map(stepOf))].filter((address) => address !== wrapped);
  const origins = involved.filter((address) => ends.has(address) && !counter.has(address));
  const principals = origins.length > 0 ? origins : others;
  return {
    transfers,
    own: outer.length > 0 ? outer : transfers,
    principals,
    intermediaries: others.filter((address) => !principals.includes(address)),
  };
};
