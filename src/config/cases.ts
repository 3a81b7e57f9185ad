import * as z from "zod";
import { CASE_TERMS, MEGABYTE } from "../accounts/cases/terms.ts";

/** Limits of the cases that accounts keep. */
export const caseSettings = z
  .strictObject({
    cases_per_account: z
      .int()
      .min(1)
      .max(100_000)
      .default(CASE_TERMS.cases_per_account)
      .meta({ description: "Most cases of an account." }),
    megabytes_per_account: z
      .int()
      .min(1)
      .max(100_000)
      .default(CASE_TERMS.bytes_per_account / MEGABYTE)
      .meta({ description: "Most megabytes of all cases of an account. One case has at most 16." }),
  })
  .prefault({})
  .meta({ description: "Cases of accounts (docs/operating/cases.md)." });
