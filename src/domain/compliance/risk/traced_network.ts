import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import type { AddressRisks } from "./address_risks.ts";
import type { TraceResult, Trail } from "./trace.ts";
import type { EndTrail } from "./trace_ends.ts";
import type { PaidStep } from "./trail_payments.ts";

/** The part of a trail on the other side of a bridge. */
export interface TrailBeyond {
  readonly from: TracedNetwork;
  readonly trail: HashedTrail;
  /** 0..1: that both sides of the bridge belong together. */
  readonly confidence: number;
}

/** Each step of a path: its transaction, and what was paid there. */
interface HashedSteps {
  readonly tx_hashes: readonly Hex[];
  readonly steps: readonly PaidStep[];
}

/** A trail with its transactions. Its source is a bridge where it has a part beyond. */
export type HashedTrail = Trail & HashedSteps & { readonly beyond: TrailBeyond | null };

/** Why following ended at an address. */
export type EndReason = "service" | "unmatched_bridge" | "hub" | "call_limit" | "no_known_receipt" | "still_held";

export type HashedEnd = EndTrail & HashedSteps & { readonly reason: EndReason };

export interface HashedTraces {
  readonly trails: readonly HashedTrail[];
  readonly totals: TraceResult["totals"];
}

/** A network and its traces. */
export interface TracedNetwork {
  readonly scope: Pick<SnapshotContext, "chain">;
  readonly walk: { readonly marks: AddressRisks; readonly traced: HashedTraces };
}
