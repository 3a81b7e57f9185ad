/**
 * What takes long has two sizes: a slice in every run, and the whole with `./assay test --long`, which runs only the files that
 * have one (`LONG_FILES`). Longer still are the commands of `bench/`.
 */
/** For tests of the long run alone: `test.skipIf(!is_long)`. */
export const is_long = process.env.TEST_LONG === "1";

export const LONG_FILES = [
  "bench/faults/faults.test.ts",
  "bench/writers/writers.test.ts",
  "src/chains/evm/scan/scan.test.ts",
  "src/domain/pnl/kept_books.test.ts",
  "src/domain/wallet_history/read_movements.test.ts",
  "test/contract/fuzz/fuzz.test.ts",
  "test/e2e/all_families.test.ts",
  "test/e2e/balances.test.ts",
  "test/e2e/clickhouse_server.test.ts",
  "test/e2e/kills.test.ts",
  "test/e2e/kills_families.test.ts",
  "test/e2e/lying_families.test.ts",
  "test/e2e/lying_nodes.test.ts",
  "test/e2e/one_writer.test.ts",
  "test/e2e/tools_rules.test.ts",
  "test/identities/acts.test.ts",
  "test/identities/random.test.ts",
  "test/identities/trades.test.ts",
  "test/identities/worlds.test.ts",
  "test/recipes.test.ts",
];

/** One of two sizes. */
export const sized = <T>(sizes: { readonly slice: T; readonly long: T }): T => (is_long ? sizes.long : sizes.slice);

/** Every `nth` of a list in a slice, beginning with number `first`; all of it in the long run. */
export const eachNth = <T>(list: readonly T[], nth: number, first = 0): readonly T[] =>
  sized({ slice: list.filter((_, i) => i % nth === first), long: list });
