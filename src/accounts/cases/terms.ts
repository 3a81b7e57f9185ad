/** Limits of cases. */

/** Limits that the operator sets. */
export interface CaseTerms {
  readonly cases_per_account: number;
  readonly bytes_per_account: number;
}

export const MEGABYTE = 1_048_576;

export const CASE_TERMS: CaseTerms = { cases_per_account: 200, bytes_per_account: 128 * MEGABYTE };

/** Bytes of one case: a browser opens all of it. */
export const CASE_BYTES_MAX = 16 * MEGABYTE;
