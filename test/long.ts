/**
 * What takes long has two sizes: a slice in every run, and the whole with `./assay test --long`, which runs only the files that
 * have one (`LONG_FILES`). Longer still are the commands of `bench/`.
 */
/** For tests of the long run alone: `test.skipIf(!is_long)`. */
export const is_long = process.env.TEST_LONG === "1";

export const LONG_FILES = [
  "bench/faults/faults.test.ts",
  "src/accounts/ledger_model.test.ts",
  "src/accounts/shared_limits.test.ts",
  "src/chains/evm/faults.test.ts",
  "src/chains/evm/scan/scan.test.ts",
  "src/commands/facts.test.ts",
  "src/demo/evm/world.test.ts",
  "src/domain/pnl/kept_books.test.ts",
  "src/domain/wallet_history/large_wallet.test.ts",
  "src/domain/wallet_history/read_movements.test.ts",
  "src/indexer/sibling_labels.test.ts",
  "src/store/balances.test.ts",
  "src/store/balances_meanwhile.test.ts",
  "src/store/book/book.test.ts",
  "src/store/book/server.test.ts",
  "src/store/cluster/cluster.test.ts",
  "src/store/embedded/embedded.test.ts",
  "src/store/final_writer.test.ts",
  "src/store/first_funding.test.ts",
  "src/store/wide_amounts.test.ts",
  "src/store/writer.test.ts",
  "test/contract/fuzz/fuzz.test.ts",
  "test/contract/openapi_checks.test.ts",
  "test/e2e/all_tools.test.ts",
  "test/e2e/answers/compact_families.test.ts",
  "test/e2e/answers/compact_views.test.ts",
  "test/e2e/answers/demo_families.test.ts",
  "test/e2e/answers/sdk_python.test.ts",
  "test/e2e/answers/token_risk.test.ts",
  "test/e2e/answers/tools_risk.test.ts",
  "test/e2e/answers/tools_rules.test.ts",
  "test/e2e/answers/tools_transactions.test.ts",
  "test/e2e/command_line.test.ts",
  "test/e2e/lying_forks.test.ts",
  "test/e2e/lying_nodes.test.ts",
  "test/e2e/lying_reads.test.ts",
  "test/e2e/one_writer.test.ts",
  "test/e2e/recorded.test.ts",
  "test/identities/acts.test.ts",
  "test/identities/random.test.ts",
  "test/identities/trades.test.ts",
  "test/identities/worlds.test.ts",
  "test/kept_histories.test.ts",
  "test/portal/pages.test.ts",
  "test/recipes.test.ts",
  "test/solana/votes.test.ts",
  "test/sql.test.ts",
];

/** Of the long run alone: a cheaper test in every run proves the same rule (docs/decisions/0051 says which). */
export const LONG_ALONE = [
  "bench/fairness/fairness.test.ts",
  "bench/rows_read/rows_read.test.ts",
  "bench/writers/writers.test.ts",
  "src/accounts/move_postgres.test.ts",
  "src/accounts/watch_follow.test.ts",
  "test/e2e/after_the_story.test.ts",
  "test/e2e/all_families.test.ts",
  "test/e2e/all_traces.test.ts",
  "test/e2e/balances.test.ts",
  "test/e2e/clickhouse_server.test.ts",
  "test/e2e/cluster.test.ts",
  "test/e2e/facts.test.ts",
  "test/e2e/facts_verify.test.ts",
  "test/e2e/first_hour.test.ts",
  "test/e2e/forks_families.test.ts",
  "test/e2e/kills.test.ts",
  "test/e2e/kills_families.test.ts",
  "test/e2e/lying_families.test.ts",
  "test/e2e/mainnet_placement.test.ts",
  "test/e2e/osint.test.ts",
  "test/e2e/shared_history.test.ts",
  "test/e2e/solana_acts.test.ts",
  "test/e2e/solana_markets.test.ts",
  "test/e2e/solana_risk.test.ts",
  "test/e2e/solidly_shares.test.ts",
  "test/e2e/token_market.test.ts",
  "test/e2e/token_market_v4.test.ts",
  "test/e2e/token_risk_v4.test.ts",
  "test/e2e/tron_acts.test.ts",
  "test/e2e/tron_market.test.ts",
  "test/e2e/watch_families.test.ts",
  "test/e2e/watch_kinds.test.ts",
  "test/package.test.ts",
  "test/portal/account.test.ts",
  "test/portal/graph.test.ts",
  "test/portal/hub.test.ts",
  "test/sdk/python.test.ts",
];

/** One of two sizes. */
export const sized = <T>(sizes: { readonly slice: T; readonly long: T }): T => (is_long ? sizes.long : sizes.slice);

/** Every `nth` of a list in a slice, beginning with number `first`; all of it in the long run. */
export const eachNth = <T>(list: readonly T[], nth: number, first = 0): readonly T[] =>
  sized({ slice: list.filter((_, i) => i % nth === first), long: list });
