/** Bounds of paged tools. */
export const PAGE_DEFAULT = 1;
export const RECORDS_PER_PAGE_DEFAULT = 20;
export const RECORDS_PER_PAGE_MAX = 100;
/** The page is empty because it is after the last page with results. */
export const isBeyond = ({ page }: { readonly page: number }, shown: readonly unknown[]): boolean =>
  page > PAGE_DEFAULT && shown.length === 0;
/** Last row that paging reaches; to see more, a caller narrows the date range. */
export const ROW_DEEPEST = 10_000;
