/**
 * P8: the counterparties of a wallet of 100,000 rows, against a Blockscout-like schema in PostgreSQL with its usual
 * indexes, and with covering ones; with the usual ones also the newest transfers of wallets and the holders of a token.
 * P9: the profit and loss of a wallet of 100,000 swaps, first and after each new swap. The sides take turns; answers
 * are compared with each other and with the generated rows.
 *   node dist/bench/large_wallets.js [--rows 2000000] [--rounds 5] [--times 3]
 * `rows`: of the wallets' ledger, two per transfer. Needs Debian's package postgresql for the comparison.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findPostgres } from "../src/accounts/testing/postgres_server.ts";
import { SILENT_OPERATOR } from "../src/domain/operator.ts";
import { type FactsStore, openFacts } from "../src/store/open.ts";
import { contexts } from "../src/wiring/contexts.ts";
import { fixedChain } from "../test/fixed_chain.ts";
import { type CallTarget, callForData, cpuSeconds } from "./calls.ts";
import {
  addCoveringIndexes,
  copyLedger,
  explorerCounterparties,
  explorerHolderCount,
  explorerHolders,
  explorerTransfers,
  ledgerCounterparties,
  ledgerHolderCount,
  ledgerHolders,
  ledgerTransfers,
} from "./explorer.ts";
import { loadText, median, mustEqual, printLine } from "./figures.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import {
  DOLLAR,
  NETWORK,
  realizedBy,
  TRADER,
  tradesBefore,
  WALLETS,
  WRAPPED,
  writeLedger,
  writeNewSwap,
} from "./wallet_rows.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "2000000" },
    rounds: { type: "string", default: "5" },
    times: { type: "string", default: "3" },
  },
});
const ROWS = Number(values.rows);
const ROUNDS = Number(values.rounds);
const TIMES = Number(values.times);
const NOW_MS = 4_000_000_000_000;
const DATES = { network: NETWORK, from_date: "2020-09-13", to_date: "2096-10-02" };
const chain = fixedChain({
  network: { wrapped_native: WRAPPED, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
  can: { archive: true },
});

interface LargeWalletTimes {
  readonly ms: number[];
  readonly cpu_ms: number[];
}

const show = (what: string, { ms, cpu_ms }: LargeWalletTimes): void => {
  const [least, most] = [Math.min(...ms), Math.max(...ms)];
  printLine(
    `| ${what} | ${median(ms).toFixed(1)} | ${least.toFixed(1)} to ${most.toFixed(1)} | ${median(cpu_ms).toFixed(1)} | ${loadText().slice(5)} |`,
  );
};

const data_dir = await mkdtemp(join(tmpdir(), "assay-bench-"));

const measured = async <T>(into: LargeWalletTimes, times: number, run: () => Promise<T>): Promise<T> => {
  const cpu_from = cpuSeconds(data_dir);
  let result: T | null = null;
  for (let i = 0; i < times || result === null; i += 1) {
    const from = performance.now();
    result = await run();
    into.ms.push(performance.now() - from);
  }
  into.cpu_ms.push(((cpuSeconds(data_dir) - cpu_from) * 1000) / times);
  return result;
};

interface LargeWalletSetup {
  readonly store: FactsStore;
  readonly place: CallTarget;
}

/** Assay's tool, the plain query to its ledger, and PostgreSQL's answer to the same, in turn. */
const compareCounterparties = async ({ store, place }: LargeWalletSetup, postgres: Postgres | null, name: string) => {
  const wallet = WALLETS.large;
  const tool: LargeWalletTimes = { ms: [], cpu_ms: [] };
  const plain: LargeWalletTimes = { ms: [], cpu_ms: [] };
  const other: LargeWalletTimes = { ms: [], cpu_ms: [] };
  const args = { ...DATES, address: chain.formatAddress(wallet), include_spam: true, sort_by: "count" };
  const ask = () => callForData(place, "get_wallet_counterparties", args);
  const askLedger = () => store.engine.query(ledgerCounterparties(wallet));
  await ask();
  await askLedger();
  for (let round = 0; round < ROUNDS; round += 1) {
    // The tool's output schema says so.
    const answer = (await measured(tool, TIMES, ask)) as { readonly summary: { readonly counterparty_count: number } };
    const rows = await measured(plain, TIMES, askLedger);
    mustEqual("counterparties", answer.summary.counterparty_count, Number(rows[0]?.[4]));
    if (postgres === null) continue;
    const { ms, cpu_ms, rows: found } = await postgres.time(explorerCounterparties(wallet), TIMES);
    other.ms.push(...ms);
    other.cpu_ms.push(cpu_ms);
    mustEqual(
      "counterparties of both",
      found,
      rows.map((row) => row.join("|")),
    );
  }
  show("get_wallet_counterparties", tool);
  show("the plain question, our ledger", plain);
  if (postgres === null) return;
  show(`the plain question, PostgreSQL, ${name}`, other);
  const [ratio, whole] = [median(other.ms) / median(plain.ms), median(other.ms) / median(tool.ms)];
  printLine(
    `PostgreSQL, ${name}: ${ratio.toFixed(2)} x the time of the plain question, ${whole.toFixed(2)} x that of the whole tool`,
  );
};

/** Typical queries of an explorer, each to both in turn, answers compared: ours, then theirs. */
const COMPARED = [
  ["newest 20 transfers, wallet of 1,000 rows", ledgerTransfers(WALLETS.small), explorerTransfers(WALLETS.small)],
  ["newest 20 transfers, wallet of 100,000 rows", ledgerTransfers(WALLETS.large), explorerTransfers(WALLETS.large)],
  ["20 largest holders of the most used token", ledgerHolders(WRAPPED), explorerHolders(WRAPPED)],
  ["how many hold it", ledgerHolderCount(WRAPPED), explorerHolderCount(WRAPPED)],
] as const;

const comparePlain = async ({ store }: LargeWalletSetup, postgres: Postgres): Promise<void> => {
  for (const [name, ours, theirs] of COMPARED) {
    const plain: LargeWalletTimes = { ms: [], cpu_ms: [] };
    const other: LargeWalletTimes = { ms: [], cpu_ms: [] };
    await store.engine.query(ours);
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = await measured(plain, TIMES, () => store.engine.query(ours));
      const { ms, cpu_ms, rows: found } = await postgres.time(theirs, TIMES);
      other.ms.push(...ms);
      other.cpu_ms.push(cpu_ms);
      mustEqual(
        name,
        found,
        rows.map((row) => row.join("|")),
      );
    }
    show(`${name}: our ledger`, plain);
    show(`${name}: PostgreSQL`, other);
  }
};

const callPnl = async ({ place }: LargeWalletSetup, swaps: number): Promise<void> => {
  const args = { ...DATES, address: chain.formatAddress(TRADER) };
  // The tool's output schema says so.
  const { summary } = (await callForData(place, "get_wallet_pnl", args)) as {
    readonly summary: { readonly all_tokens: { readonly total_realized_pnl_usd: number } };
  };
  const [found, expected] = [summary.all_tokens.total_realized_pnl_usd, realizedBy(swaps)];
  if (Math.abs(found - expected) > expected * 1e-9)
    throw new Error(`${swaps} swaps realized ${found}, the reference says ${expected}`);
};

const measurePnl = async (stage: LargeWalletSetup): Promise<void> => {
  const swaps = tradesBefore(ROWS);
  const first: LargeWalletTimes = { ms: [], cpu_ms: [] };
  const again: LargeWalletTimes = { ms: [], cpu_ms: [] };
  const unchanged: LargeWalletTimes = { ms: [], cpu_ms: [] };
  await measured(first, 1, () => callPnl(stage, swaps));
  const { block } = await stage.store.facts.snapshot(NETWORK, null);
  for (let nth = 0; nth < ROUNDS * 2; nth += 1) {
    await measured(unchanged, 1, () => callPnl(stage, swaps + nth));
    await writeNewSwap(stage.store, block.number + 1 + nth, swaps + nth);
    await measured(again, 1, () => callPnl(stage, swaps + nth + 1));
  }
  show(`get_wallet_pnl of ${swaps} swaps, the first call`, first);
  show("again after one new swap", again);
  show("again, nothing new", unchanged);
};

const HEAD = "| question | p50 ms | least to most | CPU ms | load |\n|---|---|---|---|---|";

const run = async (stage: LargeWalletSetup): Promise<void> => {
  const from = performance.now();
  await writeLedger(stage.store, ROWS);
  printLine(
    `${ROWS} ledger rows written in ${Math.round((performance.now() - from) / 1000)} s (${loadText()})\n\n${HEAD}`,
  );
  await measurePnl(stage);
  const bin = findPostgres();
  if (bin === null) {
    printLine("PostgreSQL is not installed (apt-get install -y --no-install-recommends postgresql): no comparison");
    return compareCounterparties(stage, null, "");
  }
  const postgres = startPostgres(bin);
  try {
    const loading = performance.now();
    const { block } = await stage.store.facts.snapshot(NETWORK, null);
    await copyLedger(stage.store.engine, postgres, block.number + 1);
    printLine(
      `PostgreSQL ${postgres.version} filled in ${Math.round((performance.now() - loading) / 1000)} s\n\n${HEAD}`,
    );
    await compareCounterparties(stage, postgres, "usual indexes");
    await comparePlain(stage, postgres);
    addCoveringIndexes(postgres);
    printLine(HEAD);
    await compareCounterparties(stage, postgres, "covering indexes");
  } finally {
    postgres.close();
  }
};

const store = await openFacts({ engine: "embedded", data_dir });
try {
  const contextFor = contexts({ facts: store, chains: [chain], operator: SILENT_OPERATOR });
  await run({ store, place: { chains: [chain], contextFor, now_ms: NOW_MS } });
} finally {
  await store.close();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
