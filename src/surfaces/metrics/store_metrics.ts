import { plain, type ReadMetrics, type Sample } from "./counters.ts";

/** An imported list as the metrics show it. */
export interface ListAge {
  readonly list: string;
  readonly kind: string;
  /** Unix milliseconds. */
  readonly imported_at_ms: number;
}

/** The file system of the data folder. */
export interface DiskFigures {
  readonly free_bytes: number;
  readonly size_bytes: number;
}

export interface StoreFigures {
  readonly disk: () => Promise<DiskFigures>;
  readonly lists: () => Promise<readonly ListAge[]>;
}

/** An operator imports a few lists; a metric never has more label values than this. */
const LISTS_MAX = 100;

/** @returns a function that reads both, before the metrics are written. A value that cannot be read is absent. */
export const storeMetrics = (
  metrics: ReadMetrics,
  figures: StoreFigures,
  now_ms: () => number,
): (() => Promise<void>) => {
  let disk: DiskFigures | null = null;
  let lists: readonly ListAge[] = [];
  const free = { name: "assay_disk_free_bytes", help: "Free bytes of the file system of the data folder" };
  metrics.gauge(free, [], () => (disk === null ? [] : plain(disk.free_bytes)));
  const size = { name: "assay_disk_size_bytes", help: "Size of the file system of the data folder" };
  metrics.gauge(size, [], () => (disk === null ? [] : plain(disk.size_bytes)));
  const age = {
    name: "assay_list_age_seconds",
    help: "Time since an imported list of labels, sanctions or tokens was last imported or confirmed",
  };
  metrics.gauge(age, ["list", "kind"], () =>
    lists
      .slice(0, LISTS_MAX)
      .map((one): Sample => [{ list: one.list, kind: one.kind }, Math.max(0, (now_ms() - one.imported_at_ms) / 1000)]),
  );
  return async () => {
    [disk, lists] = [null, []];
    disk = await figures.disk();
    lists = await figures.lists();
  };
};
