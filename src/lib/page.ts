/** Bounds of paged tools. */
export const PAGE_DEFAULT = 1;
export const RECORDS_PER_PAGE_DEFAULT = 20;
export const RECORDS_PER_PAGE_MAX = 100;
/** Nothing stands on this page although something stands on others: it is behind the last one. */
export const isBeyond = ({ page }: { readonly page: number }, shown: readonly unknown[]): boolean =>
  page > PAGE_DEFAULT && shown.length === 0;
/** Deepest row that paging reaches; beyond it a caller narrows the dates. */
export const ROW_DEEPEST = 10_000;
