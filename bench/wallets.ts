// Questions about wallets in ledgers of different sizes: the tools' own SQL through the facts, and whole tools in process.
// node dist/bench/wallets.js [--rows 1000000,10000000] [--rounds 40] [--explain]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Snapshot } from "../src/store/facts.ts";
import { type FactsStore, openFacts } from "../src/store/open.ts";
import { runOnSteadyFacts } from "../src/surfaces/attempt.ts";
import { bindArguments } from "../src/surfaces/bind.ts";
import { tools } from "../src/tools/index.ts";
import { fixedChain } from "../test/fixed_chain.ts";
import { loadText, mustEqual, say } from "./figures.ts";
import { DOLLAR, NETWORK, WALLETS, WRAPPED, writeLedger } from "./wallet_rows.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000,10000000" }, rounds: { type: "string", default: "40" } },
});
const SIZES = values.rows.split(",").map(Number);
const ROUNDS = Number(values.rounds);
const PAGE_ROWS = 20;
const FOREVER_S = 4_000_000_000;

const chain = fixedChain({
  network: {
    wrapped_native: WRAPPED,
    stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }],
  },
  can: { archive: true },
});

interface Times {
  readonly p50: number;
  readonly p99: number;
}

const timed = async <T>(run: () => Promise<T>): Promise<{ readonly times: Times; readonly result: T }> => {
  let result = await run();
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    result = await run();
    all.push(performance.now() - from);
  }
  all.sort((a, b) => a - b);
  const at = (share: number) => all[Math.min(all.length - 1, Math.floor(share * all.length))] ?? Number.NaN;
  return { times: { p50: at(0.5), p99: at(0.99) }, result };
};

const lastRows = (store: FactsStore, snapshot: Snapshot, wallet: string) =>
  store.facts.ask(snapshot, "get_wallet_transactions/rows", {
    wallet,
    from_time: 0,
    until_time: FOREVER_S,
    direction: 0,
    any_token: 1,
    token: "",
    before_block: snapshot.block.number + 1,
    limit: PAGE_ROWS,
  });

const BOTH = ["transfers_final", "transfers_head"] as const;

/** The same from the record itself, without ledger, balances or order. */
const referenceRows = async ({ engine }: FactsStore, wallet: string): Promise<readonly string[]> => {
  const select = (table: string) =>
    `SELECT block_number, tx_index, position, lower(hex(token)) AS token, toString(amount) AS amount FROM ${table} WHERE source = unhex('${wallet}') OR destination = unhex('${wallet}')`;
  const rows = await engine.query(
    `SELECT * FROM (${BOTH.map(select).join(" UNION ALL ")}) ORDER BY block_number DESC, tx_index DESC, position DESC LIMIT ${PAGE_ROWS}`,
  );
  return rows.map((row) => row.join(":"));
};

const referenceBalances = async ({ engine }: FactsStore, wallet: string): Promise<readonly string[]> => {
  const select = (table: string) =>
    `SELECT token, if(destination = unhex('${wallet}'), toInt256(amount), toInt256(0)) - if(source = unhex('${wallet}'), toInt256(amount), toInt256(0)) AS delta FROM ${table} WHERE source = unhex('${wallet}') OR destination = unhex('${wallet}')`;
  const rows = await engine.query(
    `SELECT lower(hex(token)) AS hex, toString(sum(delta)) FROM (${BOTH.map(select).join(" UNION ALL ")}) GROUP BY token ORDER BY token`,
  );
  return rows.map((row) => row.join(":"));
};

const callTool = async (store: FactsStore, name: string, args: Readonly<Record<string, unknown>>) => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const bound = bindArguments(tool, args, { chains: [chain], now_ms: FOREVER_S * 1000 });
  if (bound.kind === "refused") throw new Error(`${name}: ${bound.detail}`);
  const signal = AbortSignal.timeout(60_000);
  const { outcome } = await runOnSteadyFacts(tool, bound.input, () => ({
    facts: store.facts.withSignal(signal),
    chain: () => chain,
    networks: [NETWORK],
    signal,
  }));
  if (outcome.kind !== "data") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return outcome;
};

type Figures = ReadonlyMap<string, Times>;

const measure = async (rows: number): Promise<Figures> => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const store = await openFacts({ engine: "embedded", data_dir });
  const figures = new Map<string, Times>();
  try {
    const from = performance.now();
    await writeLedger(store, rows);
    const [[parts, bytes]] = (await store.engine.query(
      "SELECT count(), formatReadableSize(sum(bytes_on_disk)) FROM system.parts WHERE active AND table = 'ledger_final'",
    )) as [[string, string]];
    say(
      `\n${rows} ledger rows written in ${Math.round((performance.now() - from) / 1000)} s: ${parts} parts, ${bytes} (${loadText()})`,
    );
    const snapshot = await store.facts.snapshot(NETWORK, null);
    const note = (name: string, times: Times): void => {
      figures.set(name, times);
      say(`| ${name.padEnd(46)} | ${times.p50.toFixed(1).padStart(8)} | ${times.p99.toFixed(1).padStart(8)} |`);
    };
    for (const size of ["small", "large"] as const) {
      const wallet = WALLETS[size];
      const last = await timed(() => lastRows(store, snapshot, wallet));
      mustEqual(
        `last rows of ${size}`,
        last.result.map((row) => [row.block_number, row.tx_index, row.position, row.token, row.amount].join(":")),
        await referenceRows(store, wallet),
      );
      note(`last ${PAGE_ROWS} rows, ${size} wallet`, last.times);
      const balances = await timed(() => store.facts.walletBalances(snapshot, wallet));
      mustEqual(
        `balances of ${size}`,
        balances.result.map(({ token, amount }) => `${token}:${amount}`),
        await referenceBalances(store, wallet),
      );
      note(`balances, ${size} wallet`, balances.times);
    }
    for (const [of, wallet] of Object.entries(WALLETS)) {
      const address = chain.formatAddress(wallet);
      const asked = { address, network: NETWORK, from_date: "2020-09-13", to_date: "2096-10-02" };
      note(
        `get_wallet_transactions, ${of} wallet`,
        (await timed(() => callTool(store, "get_wallet_transactions", asked))).times,
      );
      const held = { wallet_address: address, network: NETWORK };
      note(
        `get_wallet_token_holdings, ${of} wallet`,
        (await timed(() => callTool(store, "get_wallet_token_holdings", held))).times,
      );
    }
  } finally {
    await store.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
  return figures;
};

const all: Figures[] = [];
for (const rows of SIZES) all.push(await measure(rows));
const [first, last] = [all[0], all.at(-1)];
if (first !== undefined && last !== undefined && all.length > 1) {
  say(`\np50 at ${SIZES.at(-1)} rows / p50 at ${SIZES[0]} rows`);
  for (const [name, { p50 }] of last)
    say(`| ${name.padEnd(46)} | ${(p50 / (first.get(name)?.p50 ?? Number.NaN)).toFixed(2)} |`);
}
