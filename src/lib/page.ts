/** Bounds of paged tools (03, 1.2). */
export const PAGE_DEFAULT = 1;
export const RECORDS_PER_PAGE_DEFAULT = 20;
export const RECORDS_PER_PAGE_MAX = 100;
/** Deepest row that paging reaches; beyond it a caller narrows the dates. */
export const ROW_DEEPEST = 10_000;

/** `limit + 1` rows were asked for, so that "is there more" is exact. */
export const cutPage = <T>(
  rows: readonly T[],
  records_per_page: number,
): { rows: readonly T[]; has_more_data: boolean } => ({
  rows: rows.slice(0, records_per_page),
  has_more_data: rows.length > records_per_page,
});
