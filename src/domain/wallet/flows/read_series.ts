import { type Hex, padHex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import { iso } from "../../../lib/time.ts";
import { formatParty, labelsOf } from "../../address/identity/parties.ts";
import type { Basis, SnapshotContext, Warning } from "../../context.ts";
import { usdOf } from "../../valuation/worth.ts";
import type { BlockSpan } from "../../window/blocks.ts";
import type { DateWindow } from "../../window/dates.ts";
import { basisIn, gapsOf } from "../../window/gaps.ts";
import type { FlowGroup } from "./segment.ts";
import type { SeriesFacts } from "./series.ts";
import { DOUBTFUL, readDex, readEnd, readFlows, readLargestTransfers, readParties, readPrices } from "./token_flows.ts";

const LARGEST_MAX = 20;

const EVERYBODY: FlowGroup = { is_all: true, members: [], warnings: [] };

/** One of the largest transfers of a window. */
export interface LargestTransfer {
  /** Null for payments of the block itself. */
  tx_hash: string | null;
  timestamp: string;
  from: string;
  to: string;
  from_label: string | null;
  to_label: string | null;
  amount: number | null;
  amount_raw: string;
  usd_value: number | null;
}

interface SeriesCoverage {
  /** Unix seconds: the index starts here. */
  readonly since: number;
  readonly gaps: readonly Warning[];
  readonly basis: Basis;
}

/** The indexed part of the window. */
export const coveredOf = async (scope: SnapshotContext, token: Hex, window: DateWindow): Promise<SeriesCoverage> => {
  const { facts, snapshot } = scope;
  const [found, basis, [first]] = await Promise.all([
    gapsOf(scope, window),
    basisIn(scope, window),
    facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] }),
  ]);
  const gaps = found.filter(({ code }) => token === "" || code !== "INTERNAL_TRANSFERS_MISSING");
  return { since: first?.time ?? window.from, gaps, basis };
};

/** The void is shown as the zero address, which has a label. */
const named = (party: Hex, sibling: Hex): Hex => (party === "" ? padHex("", sibling.length / 2) : party);

const readLargest = async (
  scope: SnapshotContext,
  subject: { readonly token: Hex; readonly group: FlowGroup; readonly decimals: number | null },
  { span, priceAt }: { readonly span: BlockSpan; readonly priceAt: SeriesFacts["priceAt"] },
): Promise<LargestTransfer[]> => {
  const { facts, snapshot, chain } = scope;
  const { decimals } = subject;
  const rows = await readLargestTransfers(scope, subject, { ...span, limit: LARGEST_MAX });
  const parties = await labelsOf(
    facts,
    snapshot,
    rows.flatMap(({ source, destination }) => [named(source, destination), named(destination, source)]),
  );
  return rows.map(({ tx_hash, time, source, destination, amount }) => ({
    tx_hash: tx_hash === "" ? null : chain.formatHash(tx_hash),
    timestamp: iso(time),
    from: formatParty(chain, source, destination),
    to: formatParty(chain, destination, source),
    from_label: parties.get(named(source, destination))?.label ?? null,
    to_label: parties.get(named(destination, source))?.label ?? null,
    amount: decimals === null ? null : toAmount(amount, decimals),
    amount_raw: amount.toString(),
    usd_value: decimals === null ? null : usdOf(amount, decimals, priceAt(time)),
  }));
};

export type Series = NonNullable<Awaited<ReturnType<typeof readSeries>>>;

/** Null when nothing moved in the window or it contains no indexed block. */
export const readSeries = async (
  scope: SnapshotContext,
  subject: { readonly token: Hex; readonly decimals: number | null; readonly group: FlowGroup | null },
  asked: { readonly interval_s: number; readonly span: BlockSpan; readonly since: number },
) => {
  const { span, interval_s } = asked;
  // A window before block 0 ends at block -1, which no query accepts.
  if (span.last_block < span.first_block) return null;
  const { token, decimals } = subject;
  const moving = { token, decimals, group: subject.group ?? EVERYBODY };
  const flows = await readFlows(scope, moving, { span, interval_s });
  if (flows.parts.length === 0) return null;
  const now = scope.snapshot.block.time;
  const last = Math.floor((Math.min(span.until - 1, now) - span.from) / interval_s);
  const first = Math.max(0, Math.floor((asked.since - span.from) / interval_s));
  const [{ parts, whole }, dex, found, priceAt] = await Promise.all([
    readParties(scope, moving, { span, interval_s, flows }),
    readDex(scope, moving, span),
    subject.group === null ? null : readEnd(scope, moving, { span, interval_s, last, flows }),
    readPrices(scope, token, span),
  ]);
  const is_doubtful = found === DOUBTFUL;
  const end = found === DOUBTFUL ? null : found;
  const { hours } = flows;
  const is_known = subject.group !== null;
  const counted = { first, last, parts, hours, whole };
  const facts: SeriesFacts = { from: span.from, interval_s, now, decimals, ...counted, dex, end, priceAt, is_known };
  const largest = is_known ? await readLargest(scope, moving, { span, priceAt }) : [];
  return { facts, largest, is_doubtful };
};
