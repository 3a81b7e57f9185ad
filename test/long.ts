/**
 * A test that takes long has two sizes: a slice in every run, and the whole with `./assay test --long`. A file that imports `sized`,
 * `eachNth` or `is_long` from here has both sizes; a file whose first line is `// @long: alone` runs only in the long run
 * (`test/test_files.ts` reads both). The commands of `bench/` take longer still.
 */
/** For tests of the long run alone: `test.skipIf(!is_long)`. */
export const is_long = process.env.TEST_LONG === "1";

/** One of two sizes. */
export const sized = <T>(sizes: { readonly slice: T; readonly long: T }): T => (is_long ? sizes.long : sizes.slice);

/** Every `nth` of a list in a slice, beginning with number `first`; all of it in the long run. */
export const eachNth = <T>(list: readonly T[], nth: number, first = 0): readonly T[] =>
  sized({ slice: list.filter((_, i) => i % nth === first), long: list });
