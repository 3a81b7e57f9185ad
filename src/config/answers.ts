import * as z from "zod";
import { ANSWER_TERMS } from "../accounts/answers/open.ts";
import { MEGABYTE } from "../accounts/cases/terms.ts";

/** Paid answers that the portal keeps for an account. */
export const answerSettings = z
  .strictObject({
    days: z
      .int()
      .min(0)
      .max(365)
      .default(ANSWER_TERMS.days)
      .meta({ description: "Days for which answers are kept. 0 keeps none and deletes those that were kept." }),
    answers_per_account: z
      .int()
      .min(1)
      .max(10_000)
      .default(ANSWER_TERMS.answers_per_account)
      .meta({ description: "Most answers of an account; the oldest go first." }),
    megabytes_per_account: z
      .int()
      .min(1)
      .max(10_000)
      .default(ANSWER_TERMS.bytes_per_account / MEGABYTE)
      .meta({ description: "Most megabytes of all answers of an account. One answer has at most 2." }),
  })
  .prefault({})
  .meta({ description: "Paid answers that the portal keeps for an account (docs/operating/portal.md)." });
