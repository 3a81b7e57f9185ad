import type { BatchItem } from "../../call/call_batch.ts";
import { toJson } from "../../http/json.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import type { Compact } from "../../view/compact.ts";
import { viewed } from "../../view/requested_view.ts";

/** Draws an item as the member of a batch's answer, as JSON. */
export type DrawItem = (item: BatchItem) => string;

export interface AnsweredItems {
  readonly items: AsyncIterable<BatchItem>;
  readonly draw: DrawItem;
}

export const drawIn =
  (compact: Compact | null): DrawItem =>
  ({ index, request_id, answer }) => {
    const { status, charged, body, headers } = viewed(answer, compact);
    const retry = headers?.["retry-after"];
    return toJson({
      ...{ index, http_status: status, credits_charged: charged, request_id },
      ...(retry === undefined ? {} : { retry_after: Number(retry) }),
      answer: body,
    });
  };

/** The sum of what the items cost; null where one of them is not known. */
export const totalOf = (charges: readonly SurfaceResponse["charged"][]): number | null =>
  charges.reduce((total, charged) => (total === null || charged === null ? null : total + charged), 0);
