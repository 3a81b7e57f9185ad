import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import type { AddressRisks } from "./address_risks.ts";
import type { TraceResult, Trail } from "./trace.ts";

/** The part of a trail on the other side of a bridge. */
export interface TrailBeyond {
  readonly from: TracedNetwork;
  readonly trail: HashedTrail;
  /** 0..1: that both sides of the bridge belong together. */
  readonly confidence: number;
}

/** A trail with the hashes of its transactions. Its source is a bridge where it has a part beyond. */
export type HashedTrail = Trail & { readonly tx_hashes: readonly Hex[]; readonly beyond: TrailBeyond | null };

export interface HashedTraces {
  readonly trails: readonly HashedTrail[];
  readonly totals: TraceResult["totals"];
}

/** A network and its traces. */
export interface TracedNetwork {
  readonly scope: Pick<SnapshotContext, "chain">;
  readonly walk: { readonly marks: AddressRisks; readonly traced: HashedTraces };
}
