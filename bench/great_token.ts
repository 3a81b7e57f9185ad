/**
 * Cost of the flows of a token that millions of addresses moved in the window: `get_token_flows` and
 * `get_token_flow_intelligence` of a dollar that every address holds. The engine makes the movements, on a store of the
 * demo: half of the addresses had some long before, the others are new; all move in the last seven days.
 *   node dist/bench/great_token.js [--addresses 1000000,5000000] [--moves 2] [--data FOLDER] [--rounds 2] [--questions]
 * `moves`: movements for each address. `questions`: each call once more, and the queries that cost most.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEMO_CONTRACTS } from "../src/demo/evm/characters.ts";
import { AssayError } from "../src/lib/errors.ts";
import type { Engine } from "../src/store/engine.ts";
import { addLayouts } from "./blown_up.ts";
import { openBlownUp } from "./blown_up_setup.ts";
import { type CallArguments, callTool } from "./calls.ts";
import { loadText, printLine } from "./figures.ts";
import { enginePid, peakMb } from "./memory.ts";
import { countQuestions, engineSeconds, forgetConditions } from "./questions.ts";

const { values } = parseArgs({
  options: {
    addresses: { type: "string", default: "1000000,5000000" },
    moves: { type: "string", default: "2" },
    rounds: { type: "string", default: "2" },
    data: { type: "string", default: "" },
    questions: { type: "boolean", default: false },
  },
});

const NETWORK = "demo";
const TOKEN = DEMO_CONTRACTS.usdc;
const CHUNK = 1_000_000;
const FIRST_INDEX = 3_100_000_000;
const LOG_POSITION = 1_048_576;
const WEEK_S = 7 * 86_400;

const address = (of: string): string =>
  `substring(concat(sipHash128(toUInt64(${of})), sipHash128(toUInt64(${of}), 2)), 1, 20)`;
const randomExpression = (below: number, salt: number): string =>
  `${below} * (cityHash64(number, ${salt}) / 18446744073709551616)`;

interface WrittenTransfers {
  readonly count: number;
  readonly first_index: number;
  readonly blocks: readonly number[];
  readonly source: string;
  readonly destination: string;
  readonly amount: string;
}

/** Movements in turn over some blocks. */
const write = async (
  engine: Engine,
  { count, first_index, blocks, source, destination, amount }: WrittenTransfers,
): Promise<void> => {
  const [first = 0] = blocks;
  for (let from = 0; from < count; from += CHUNK)
    await engine.command(`INSERT INTO transfers (network, block_number, tx_index, position, time, kind, token, token_id, source, destination, amount, sender)
      WITH (SELECT groupArray(t) FROM (SELECT toUInt32(time) AS t FROM blocks WHERE network = '${NETWORK}' AND block_number >= ${first} ORDER BY block_number)) AS times,
        toUInt64(number % ${blocks.length}) AS nth
      SELECT '${NETWORK}', ${first} + nth, toUInt32(${first_index} + intDiv(number, ${blocks.length})), ${LOG_POSITION}, toDateTime(times[nth + 1], 'UTC'), 'erc20',
        unhex('${TOKEN.slice(2)}'), toUInt256(0), ${source}, ${destination}, toUInt256(${amount}), ''
      FROM numbers(${from}, ${Math.min(CHUNK, count - from)})`);
};

const grow = async (engine: Engine, addresses: number, moves: number): Promise<void> => {
  const rows = await engine.query(
    `SELECT block_number, toUInt32(time) FROM blocks WHERE network = '${NETWORK}' AND tail = 0 ORDER BY block_number`,
  );
  const blocks = rows.map(([block, time]) => ({ block: Number(block), time: Number(time) }));
  const last = blocks.at(-1)?.time ?? 0;
  const late = blocks.filter(({ time }) => time > last - WEEK_S + 7_200).map(({ block }) => block);
  const half = Math.floor(addresses / 2);
  const first = blocks.slice(0, 50).map(({ block }) => block);
  await write(engine, {
    count: half,
    first_index: FIRST_INDEX,
    blocks: first,
    source: "''",
    destination: address("number"),
    amount: "1000000000",
  });
  await write(engine, {
    count: addresses * moves,
    first_index: FIRST_INDEX + 100_000_000,
    blocks: late,
    source: address(randomExpression(half, 1)),
    destination: address(randomExpression(addresses, 2)),
    amount: "1 + cityHash64(number, 3) % 1000000",
  });
  const whole = blocks.map(({ block }) => block);
  const step = 20;
  for (let at = 0; at < whole.length; at += step)
    await addLayouts(engine, {
      network: NETWORK,
      from: whole[at] ?? 0,
      to: whole[Math.min(whole.length, at + step) - 1] ?? 0,
    });
};

/** As of the last block with such movements: the newest blocks of the scenario, which are not final, are days apart. */
const casesOf = (as_of_block: number): readonly (readonly [string, CallArguments])[] => {
  const asked = { token_address: TOKEN, network: NETWORK, as_of_block };
  return [
    ["get_token_flows", asked],
    ["get_token_market_analysis", asked],
    ["get_token_flow_intelligence", { ...asked, timeframe: "1d" }],
    ["get_token_flow_intelligence", { ...asked, timeframe: "7d" }],
  ];
};

printLine("| addresses | movements | call | ms | engine CPU ms | peak memory of the engine, MB | outcome | load |");
printLine("|---|---|---|---|---|---|---|---|");
for (const addresses of values.addresses.split(",").map(Number)) {
  const moves = Number(values.moves);
  const data = values.data === "" ? "" : join(values.data, `great-${addresses}-${moves}`);
  const { service, place, facts_dir, close } = await openBlownUp({ transfers: 0, data, has_recent: false });
  try {
    const { engine } = service.facts;
    const [found] = await engine.query(
      `SELECT count() FROM transfers WHERE network = '${NETWORK}' AND tx_index BETWEEN ${FIRST_INDEX} AND 4294967294`,
    );
    if (Number(found?.[0]) === 0) await grow(engine, addresses, moves);
    forgetConditions(engine);
    const [last] = await engine.query(`SELECT max(block_number) FROM blocks WHERE network = '${NETWORK}' AND tail = 0`);
    const cases = casesOf(Number(last?.[0]));
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const [name, args] of cases) {
        const [begun, from] = [performance.now(), engineSeconds(facts_dir)];
        const outcome = await callTool(place, name, args).then(
          (one) => (one.kind === "error" ? one.code : one.kind),
          (error: unknown) => {
            if (error instanceof AssayError) return error.code;
            if (error instanceof DOMException) return error.name;
            throw error;
          },
        );
        const ms = [performance.now() - begun, (engineSeconds(facts_dir) - from) * 1000].map((one) => one.toFixed(0));
        printLine(
          `| ${[addresses, addresses * moves, `${name} ${args.timeframe ?? ""}`, ...ms, peakMb(enginePid(facts_dir)).toFixed(0), outcome, loadText().slice(5)].join(" | ")} |`,
        );
      }
    if (values.questions)
      for (const [name, args] of cases) {
        const questions = await countQuestions([engine, facts_dir], () =>
          callTool(place, name, args).catch(() => undefined),
        );
        for (const one of [...questions].sort((a, b) => b.cpu_ms - a.cpu_ms).slice(0, 6))
          printLine(JSON.stringify({ name, ...one }));
      }
  } finally {
    await close();
  }
}
