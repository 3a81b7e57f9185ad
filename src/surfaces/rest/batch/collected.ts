import type { BatchItem } from "../../call/call_batch.ts";
import { Prebuilt } from "../../http/cached_body.ts";
import { toJson } from "../../http/json.ts";
import * as refusals from "../../refusals.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { type AnsweredItems, totalOf } from "./answers.ts";

/** Answers beyond this length together are refunded; a stream has no such limit. */
const CHARACTERS_MAX = 32 * 1_048_576;

/** The answers of a batch as one body. An answer that comes too late is refunded item by item. */
export const collected = async (tool: string, { items, draw }: AnsweredItems): Promise<SurfaceResponse> => {
  const drawn: (BatchItem & { readonly json: string })[] = [];
  let characters = 0;
  for await (const item of items) {
    const json = draw(item);
    characters += json.length;
    if (characters <= CHARACTERS_MAX) drawn.push({ ...item, json });
    else {
      const answer = await withheld(item.answer);
      drawn.push({ ...item, answer, json: draw({ ...item, answer }) });
    }
  }
  const whole = bodyOf(
    tool,
    drawn.map(({ answer, json }) => ({ answer, json })),
  );
  const retract = async (): Promise<SurfaceResponse> => {
    const late = drawn.map(async (item) => {
      const answer = (await item.answer.retract?.()) ?? item.answer;
      return { answer, json: draw({ ...item, answer }) };
    });
    return bodyOf(tool, await Promise.all(late));
  };
  return drawn.some(({ answer }) => answer.retract !== undefined) ? { ...whole, retract } : whole;
};

/** The refusal of an item whose answer does not fit. */
const withheld = async ({ charged, retract }: SurfaceResponse): Promise<SurfaceResponse> => {
  const refund = retract === undefined ? { charged } : await retract();
  return { ...refusals.batchTooLong, charged: refund.charged };
};

const bodyOf = (
  tool: string,
  drawn: readonly { readonly answer: SurfaceResponse; readonly json: string }[],
): SurfaceResponse => {
  const charged = totalOf(drawn.map(({ answer }) => answer.charged));
  const head = toJson({ tool, credits_charged: charged });
  const json = `${head.slice(0, -1)},"items":[${drawn.map((item) => item.json).join(",")}]}`;
  return { status: 200, body: new Prebuilt(json), charged, credit_status: leastOf(drawn.map(({ answer }) => answer)) };
};

/** The status with the fewest credits: items run side by side, so the last one in order need not be the last one charged. */
const leastOf = (answers: readonly SurfaceResponse[]): SurfaceResponse["credit_status"] =>
  answers
    .map(({ credit_status }) => credit_status)
    .reduce(
      (least, now) => (least === null || (now?.credits_remaining ?? Infinity) < least.credits_remaining ? now : least),
      null,
    );
