/** A date or date-time as the block to answer as of. */
import type { PinnedMoment } from "../../../lib/parsed.ts";
import { DAY_S, dayStart, iso, momentOf } from "../../../lib/time.ts";
import { quoteText } from "../../http/quoted_text.ts";

/** A moment, or the sentence of a refusal. */
type ReadMoment = { readonly moment: PinnedMoment } | { readonly refusal: string };

const FORMS = "a block number (an integer), a date (2026-01-31) or a date-time (2026-01-31T12:00:00Z)";

/** A date alone means its whole day. A moment that is not over has no last block yet. */
export const readMoment = (field: string, text: string, now_ms: number): ReadMoment => {
  const day = dayStart(text);
  const until = day === null ? momentOf(text) : day + DAY_S - 1;
  if (until === null) {
    const hint = /^\d+$/.test(text) ? `; send ${text.slice(0, 20)} without quotes` : "";
    return { refusal: `field '${field}' must be ${FORMS}, not ${quoteText(text)}${hint}.` };
  }
  if (until < 0) return { refusal: `field '${field}' must not be before 1970-01-01.` };
  const now = Math.floor(now_ms / 1000);
  if (until <= now) return { moment: { text, until } };
  const why =
    day !== null && day <= now
      ? `is a day that has not ended (it is ${iso(now)})`
      : `must not be in the future (it is ${iso(now)})`;
  return { refusal: `field '${field}' ${why}: ${quoteText(text)}. Leave it out for the newest indexed block.` };
};
