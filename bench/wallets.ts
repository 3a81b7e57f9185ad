// Queries about wallets in ledgers of different sizes: the tools' own SQL through the facts, and whole tools in
// process.
// node dist/bench/wallets.js [--rows 1000000,10000000] [--rounds 40] [--only "last 20"]

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SILENT_OPERATOR } from "../src/domain/operator.ts";
import type { Hex } from "../src/lib/bytes.ts";
import type { Snapshot } from "../src/store/facts.ts";
import { type FactsStore, openFacts } from "../src/store/open.ts";
import { contexts } from "../src/wiring/contexts.ts";
import { fixedChain } from "../test/fixed_chain.ts";
import { type CallArguments, type CallTarget, callForData, type Times, timed } from "./calls.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { DOLLAR, NETWORK, WALLETS, WRAPPED, writeLedger } from "./wallet_rows.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000,10000000" },
    rounds: { type: "string", default: "40" },
    only: { type: "string", default: "" },
  },
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

const lastRows = async (store: FactsStore, snapshot: Snapshot, wallet: Hex): Promise<readonly string[]> => {
  const asked = { wallet, since: 0, until: FOREVER_S, limit: PAGE_ROWS };
  const { block_number, tx_index, position, token, amount, length } = await store.facts.columns(
    snapshot,
    "movements/movements",
    asked,
  );
  return Array.from({ length }, (_, row) =>
    [block_number[row], tx_index[row], position[row], token.texts[token.codes[row] ?? 0], amount.at(row)].join(":"),
  );
};

/** The same from the record itself, without ledger, balances or order. */
const referenceRows = async ({ engine }: FactsStore, wallet: Hex): Promise<readonly string[]> => {
  const select = `SELECT block_number, tx_index, position, lower(hex(token)) AS token, toString(amount) AS amount FROM transfers WHERE source = unhex('${wallet}') OR destination = unhex('${wallet}')`;
  const rows = await engine.query(
    `SELECT * FROM (${select}) ORDER BY block_number DESC, tx_index DESC, position DESC LIMIT ${PAGE_ROWS}`,
  );
  return rows.map((row) => row.join(":"));
};

const referenceBalances = async ({ engine }: FactsStore, wallet: Hex): Promise<readonly string[]> => {
  const select = `SELECT token, if(destination = unhex('${wallet}'), toInt256(amount), toInt256(0)) - if(source = unhex('${wallet}'), toInt256(amount), toInt256(0)) AS delta FROM transfers WHERE source = unhex('${wallet}') OR destination = unhex('${wallet}')`;
  const rows = await engine.query(
    `SELECT lower(hex(token)) AS hex, toString(sum(delta)) FROM (${select}) GROUP BY token ORDER BY token`,
  );
  return rows.map((row) => row.join(":"));
};

interface WalletQuery {
  readonly name: string;
  readonly ask: () => Promise<readonly string[]>;
  /** Compares the answer with a naive reading, if there is one. */
  readonly check: (answer: readonly string[]) => Promise<void>;
}

const NO_REFERENCE = async (): Promise<void> => undefined;

const questionsOf = (store: FactsStore, snapshot: Snapshot, place: CallTarget): readonly WalletQuery[] => {
  const ofWallets = (["small", "large"] as const).flatMap((size): WalletQuery[] => {
    const wallet = WALLETS[size];
    return [
      {
        name: `last ${PAGE_ROWS} rows, ${size} wallet`,
        ask: () => lastRows(store, snapshot, wallet),
        check: async (found) => mustEqual(`last rows of ${size}`, found, await referenceRows(store, wallet)),
      },
      {
        name: `balances, ${size} wallet`,
        ask: async () =>
          (await store.facts.walletBalances(snapshot, wallet)).map(({ token, amount }) => `${token}:${amount}`),
        check: async (found) => mustEqual(`balances of ${size}`, found, await referenceBalances(store, wallet)),
      },
    ];
  });
  const ofTools = Object.entries(WALLETS).flatMap(([of, wallet]): WalletQuery[] => {
    const address = chain.formatAddress(wallet);
    const dates = { from_date: "2020-09-13", to_date: "2096-10-02" };
    const asked = (name: string, args: CallArguments): WalletQuery => ({
      name: `${name}, ${of} wallet`,
      ask: async () => {
        await callForData(place, name, { ...args, network: NETWORK });
        return [];
      },
      check: NO_REFERENCE,
    });
    return [
      asked("get_wallet_transactions", { address, ...dates }),
      asked("get_wallet_token_holdings", { wallet_address: address }),
    ];
  });
  return [...ofWallets, ...ofTools];
};

type WalletTimes = ReadonlyMap<string, Times>;

const measure = async (rows: number): Promise<WalletTimes> => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const store = await openFacts({ engine: "embedded", data_dir });
  const figures = new Map<string, Times>();
  try {
    const from = performance.now();
    await writeLedger(store, rows);
    const [[parts, bytes]] = (await store.engine.query(
      "SELECT count(), formatReadableSize(sum(bytes_on_disk)) FROM system.parts WHERE active AND table = 'ledger'",
    )) as [[string, string]];
    printLine(
      `\n${rows} ledger rows written in ${Math.round((performance.now() - from) / 1000)} s: ${parts} parts, ${bytes} (${loadText()})`,
    );
    const snapshot = await store.facts.snapshot(NETWORK, null);
    const contextFor = contexts({ facts: store, chains: [chain], operator: SILENT_OPERATOR });
    const place: CallTarget = { chains: [chain], contextFor, now_ms: FOREVER_S * 1000 };
    for (const question of questionsOf(store, snapshot, place).filter(({ name }) => name.includes(values.only))) {
      const { times, result } = await timed(ROUNDS, question.ask);
      await question.check(result);
      figures.set(question.name, times);
      printLine(
        `| ${question.name.padEnd(46)} | ${times.p50.toFixed(1).padStart(8)} | ${times.p99.toFixed(1).padStart(8)} |`,
      );
    }
  } finally {
    await store.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
  return figures;
};

const all: WalletTimes[] = [];
for (const rows of SIZES) all.push(await measure(rows));
const [first, last] = [all[0], all.at(-1)];
if (first !== undefined && last !== undefined && all.length > 1) {
  printLine(`\np50 at ${SIZES.at(-1)} rows / p50 at ${SIZES[0]} rows`);
  for (const [name, { p50 }] of last)
    printLine(`| ${name.padEnd(46)} | ${(p50 / (first.get(name)?.p50 ?? Number.NaN)).toFixed(2)} |`);
}
