/**
 * Cost of one wallet with very many movements: three answers about it, the first time and again, as time, CPU and
 * memory. The engine itself writes the ledger; counts are compared with the generated ones.
 *   node dist/bench/wallet_limit.js [--rows 100000,200000,1000000] [--rounds 3]
 */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SILENT_OPERATOR } from "../src/domain/operator.ts";
import { hex } from "../src/lib/bytes.ts";
import { type FactsStore, openFacts } from "../src/store/open.ts";
import { contexts } from "../src/wiring/contexts.ts";
import { fixedChain } from "../test/fixed_chain.ts";
import { type CallTarget, callForData, cpuSeconds } from "./calls.ts";
import { loadText, median, mustEqual, printLine } from "./figures.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000,200000,1000000" },
    rounds: { type: "string", default: "3" },
  },
});
const ROUNDS = Number(values.rounds);
const NETWORK = "demo";
const WALLET = hex(`aa${"1".padStart(38, "0")}`);
const DOLLAR = hex(`aa${"5".padStart(38, "0")}`);
const WRAPPED = hex(`aa${"6".padStart(38, "0")}`);
const PER_BLOCK = 100;
const TOKENS = 200;
/** Of the tokens, those with a price in every hour. */
const PRICED = 20;
const PEERS = 20_000;
const FIRST_TIME = 1_700_006_400;
const YEAR_S = 31_536_000;
const HOUR_S = 3_600;
/** Long enough that the deadline of calls does not affect the measurement. */
const CALL_MS_MAX = 300_000;
const SAMPLE_MS = 20;

const chain = fixedChain({
  network: { wrapped_native: WRAPPED, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
  can: { archive: true },
});

const bytes = (hex: string): string => `unhex('${hex}')`;
const addressOf = (of: string): string => `substring(concat(sipHash128(${of}), sipHash128(${of}, 2)), 1, 20)`;
const hashOf = (of: string): string => `concat(sipHash128(${of}, 3), sipHash128(${of}, 4))`;
const blockHash = (of: string): string => `unhex(leftPad(hex(toUInt64(${of})), 64, '0'))`;
const tokenOf = (n: string): string =>
  `multiIf(${n} = 0, ${bytes(WRAPPED)}, ${n} = 1, ${bytes(DOLLAR)}, ${addressOf(`toUInt64(1000000000 + ${n})`)})`;

/**
 * A year of the wallet: 100 movements a block, half of them in, an eighth of them sent by itself, one in five of the
 * coin.
 */
const writeWallet = async ({ engine, writer }: FactsStore, rows: number): Promise<number> => {
  const blocks = Math.ceil(rows / PER_BLOCK);
  const time = (block: string): string => `toDateTime(${FIRST_TIME} + intDiv(${block} * ${YEAR_S}, ${blocks}), 'UTC')`;
  const place = `intDiv(number, ${PER_BLOCK}) AS block, number % ${PER_BLOCK} AS tx, ${hashOf("number")} AS hash,
    cityHash64(number, 1) % 2 = 0 AS is_in, cityHash64(number, 2) % 8 = 0 AS is_own,
    ${addressOf(`toUInt64(cityHash64(number, 3) % ${PEERS})`)} AS peer,
    if(is_own, ${bytes(WALLET)}, peer) AS signer,
    if(number % 5 = 0, '', ${tokenOf(`cityHash64(number, 4) % ${TOKENS}`)}) AS coin,
    toUInt256(1 + cityHash64(number, 5) % 1000000000) * toUInt256(1000000000) AS quantity`;
  await engine.command(`INSERT INTO networks (network, chain_id, from_block, from_hash, written_at)
    SELECT '${NETWORK}', 31337, 0, ${blockHash("0")}, now64(3)`);
  await engine.command(`INSERT INTO blocks (network, block_number, hash, parent_hash, time, producer, transaction_count, has_traces)
    SELECT '${NETWORK}', number, ${blockHash("number")}, ${blockHash("greatest(number, 1) - 1")}, ${time("number")}, '', ${PER_BLOCK}, 1
    FROM numbers(${blocks})`);
  await engine.command(`INSERT INTO transfers (network, block_number, tx_index, position, time, kind, token,
      token_id, source, destination, amount, sender)
    WITH ${place}
    SELECT '${NETWORK}', block, tx, if(coin = '', 0, 1048576), ${time("block")}, if(coin = '', 'native', 'erc20'), coin,
      toUInt256(0), if(is_in, peer, ${bytes(WALLET)}), if(is_in, ${bytes(WALLET)}, peer), quantity, signer
    FROM numbers(${rows})`);
  await engine.command(`INSERT INTO transactions (network, block_number, tx_index, hash, time, sender, recipient, value,
      fee, gas_used, nonce, succeeded, selector, created)
    WITH ${place}
    SELECT '${NETWORK}', block, tx, hash, ${time("block")}, signer, if(coin = '', peer, coin), toUInt256(0),
      toUInt256(21000000000000), 21000, 0, 1, if(coin = '', '', unhex('a9059cbb')), ''
    FROM numbers(${rows})`);
  await writer.finals.writeLayouts({ network: NETWORK, from: 0, to: blocks - 1 });
  await writer.finals.writeBalances({ network: NETWORK, from: 0, to: blocks - 1 });
  for (const state of ["begun", "done"]) {
    await engine.command(`INSERT INTO segments (network, from_block, to_block, to_hash, state, has_traces, written_at)
      SELECT '${NETWORK}', 0, ${blocks - 1}, ${blockHash(`${blocks - 1}`)}, '${state}', 1, now64(3)`);
  }
  await engine.command(`INSERT INTO tokens (network, token, standard, name, symbol, decimals, total_supply, read_at_block)
    SELECT '${NETWORK}', ${tokenOf("number")}, 'erc20', concat('Token ', toString(number)), concat('T', toString(number)), 18, NULL, 0
    FROM numbers(${TOKENS})`);
  await engine.command(`INSERT INTO prices (network, token, hour, price_usd, volume_usd, depth_usd, method, confidence, version)
    SELECT '${NETWORK}', ${tokenOf(`number % ${PRICED}`)}, toDateTime(${FIRST_TIME - (FIRST_TIME % HOUR_S)} + intDiv(number, ${PRICED}) * ${HOUR_S}, 'UTC') AS hour,
      2, 0, 2000000, 'mid', 'high', toUnixTimestamp(hour)
    FROM numbers(${PRICED * Math.ceil(YEAR_S / HOUR_S)})`);
  return blocks;
};

const engineRss = (data_dir: string): number => {
  // Written by the engine: attach.ts reads the same file.
  const { pid } = JSON.parse(readFileSync(join(data_dir, "engine.json"), "utf8")) as { pid: number };
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
};

interface LimitMeasurement {
  readonly ms: number;
  readonly cpu_ms: number;
  /** Highest resident memory of this process and of the engine, MB. */
  readonly rss_mb: number;
  readonly engine_mb: number;
  readonly answer: unknown;
}

const measured = async (data_dir: string, run: () => Promise<unknown>): Promise<LimitMeasurement> => {
  let [rss_mb, engine_mb] = [0, 0];
  const look = (): void => {
    rss_mb = Math.max(rss_mb, process.memoryUsage().rss / 2 ** 20);
    engine_mb = Math.max(engine_mb, engineRss(data_dir));
  };
  const [from, cpu_from] = [performance.now(), cpuSeconds(data_dir)];
  const sampling = setInterval(look, SAMPLE_MS);
  try {
    const answer = await run();
    look();
    return {
      ms: performance.now() - from,
      cpu_ms: (cpuSeconds(data_dir) - cpu_from) * 1000,
      rss_mb,
      engine_mb,
      answer,
    };
  } finally {
    clearInterval(sampling);
  }
};

const whole = (value: number): string => Math.round(value).toString();

const measureRows = async (rows: number): Promise<void> => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const store = await openFacts({ engine: "embedded", data_dir });
  try {
    const writing = performance.now();
    await writeWallet(store, rows);
    printLine(`\n${rows} movements written in ${whole((performance.now() - writing) / 1000)} s (${loadText()})\n`);
    printLine(
      "| question | first ms | CPU ms | again ms | CPU ms | peak MB | engine MB | load |\n|---|---|---|---|---|---|---|---|",
    );
    const contextFor = contexts({ facts: store, chains: [chain], operator: SILENT_OPERATOR });
    const place: CallTarget = {
      chains: [chain],
      contextFor,
      now_ms: (FIRST_TIME + YEAR_S) * 1000,
      ms_max: CALL_MS_MAX,
    };
    const asked = { address: chain.formatAddress(WALLET), network: NETWORK };
    const dates = { from_date: "2023-01-01", to_date: "2026-01-01" };
    const questions = [
      ["get_wallet_stats", asked],
      ["get_wallet_transactions", { ...asked, ...dates }],
      ["get_wallet_counterparties", { ...asked, ...dates }],
    ] as const;
    for (const [tool, args] of questions) {
      const call = () => measured(data_dir, () => callForData(place, tool, args));
      const first = await call();
      const again: LimitMeasurement[] = [];
      for (let round = 0; round < ROUNDS; round += 1) again.push(await call());
      if (tool === "get_wallet_stats") {
        // The tool's output schema says so; every row of the ledger is a transaction of its own.
        const { tx_count, spam_transfers, metadata } = first.answer as {
          readonly tx_count: number;
          readonly spam_transfers: number;
          readonly metadata: { readonly warnings: readonly { readonly code: string }[] };
        };
        const is_cut = metadata.warnings.some(({ code }) => code === "LARGE_WALLET");
        if (is_cut) printLine(`(beyond the product's limit: the newest ${tx_count + spam_transfers} of them)`);
        else mustEqual("movements", tx_count + spam_transfers, rows);
      }
      const all = [first, ...again];
      const of = (pick: (one: LimitMeasurement) => number) => whole(median(again.map(pick)));
      const most = (pick: (one: LimitMeasurement) => number) => whole(Math.max(...all.map(pick)));
      printLine(
        `| ${tool} | ${whole(first.ms)} | ${whole(first.cpu_ms)} | ${of(({ ms }) => ms)} | ${of(({ cpu_ms }) => cpu_ms)} | ${most(({ rss_mb }) => rss_mb)} | ${most(({ engine_mb }) => engine_mb)} | ${loadText().slice(5)} |`,
      );
    }
  } finally {
    await store.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};

for (const rows of values.rows.split(",").map(Number)) await measureRows(rows);
