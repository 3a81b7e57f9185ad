import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, isoDay } from "../../../lib/time.ts";
import { RULES } from "../../address/cohorts/definitions.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { readLabelled, readSmartTraders, readWhales } from "../../token/holders/groups.ts";

/** Segments of holders. */
export const SEGMENTS = ["all", "exchange", "whale", "smart_trader", "public_figure", "fund"] as const;
export type FlowSegment = (typeof SEGMENTS)[number];

/** Holders whose movements are counted. */
export interface FlowGroup {
  readonly is_all: boolean;
  /** Addresses; [] for `all`. */
  readonly members: readonly Hex[];
  readonly warnings: readonly Warning[];
}

export const DEFINITIONS: { readonly [S in FlowSegment]: string } = {
  all: "Every holder. Only the void and burn addresses are excluded.",
  exchange: RULES.exchange,
  whale: RULES.whale,
  smart_trader: RULES.smart_trader,
  public_figure: RULES.public_figure,
  fund: RULES.fund,
};

const allHolders: FlowGroup = { is_all: true, members: [], warnings: [] };

interface SegmentContext {
  /** The last block before the window. */
  readonly block: number;
  readonly decimals: number | null;
  /** Day of the list of smart traders, in days since 1970; null without a list. */
  readonly list_day: number | null;
}

/** Members of a segment; null when no member is known. */
export const readGroup = async (
  scope: SnapshotContext,
  { segment, token }: { readonly segment: FlowSegment; readonly token: Hex },
  at: SegmentContext,
): Promise<FlowGroup | null> => {
  if (segment === "all") return allHolders;
  if (segment === "whale") return { is_all: false, ...(await readWhales(scope, token, at)) };
  if (segment !== "smart_trader") {
    const found = await readLabelled(scope, segment);
    return found === null ? null : { is_all: false, ...found };
  }
  if (at.list_day === null) return null;
  const found = await readSmartTraders(scope, at.list_day);
  const message = `The list of smart traders is that of ${isoDay(at.list_day * DAY_S)}, for the whole window.`;
  return { is_all: false, members: found.members, warnings: [...found.warnings, { code: "COHORT_DAY", message }] };
};
