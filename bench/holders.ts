/**
 * Cost of the holders of a token with very many of them: counted for the first time in a process, again, and of the
 * past (which is not cached). The engine makes the holders, on a store of the demo.
 *   node dist/bench/holders.js [--holders 1000000,5000000,20000000] [--data FOLDER]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Hex, hex } from "../src/lib/bytes.ts";
import { openBlownUp } from "./blown_up_setup.ts";
import { loadText, printLine } from "./figures.ts";
import { enginePid, peakMb } from "./memory.ts";
import { engineSeconds, forgetConditions } from "./questions.ts";

const { values } = parseArgs({
  options: { holders: { type: "string", default: "1000000,5000000,20000000" }, data: { type: "string", default: "" } },
});

const NETWORK = "demo";
/** Used by no other data. */
const TOKEN: Hex = hex("cc".repeat(20));
const PART = 1_000_000;
const TIMES = 3;

/** Holders `from` to `to`: some have a hundred trillion times the balance of others, and one in ten moved twice. */
const holdersSql = (from: number, to: number): string => `INSERT INTO balances
  SELECT '${NETWORK}', unhex('${TOKEN}'), substring(concat(sipHash128(number), sipHash128(number, 2)), 1, 20),
    toInt256(pow(10, 24 * pow(cityHash64(number) / 18446744073709551615, 2))) + 1, toInt256(0), 1, 1, 1
  FROM numbers(${from}, ${to - from})`;

printLine("| holders | what | ms | engine CPU ms | peak memory of the engine, MB | holders found | load |");
printLine("|---|---|---|---|---|---|---|");
for (const holders of values.holders.split(",").map(Number)) {
  const data = values.data === "" ? "" : join(values.data, `holders-${holders}`);
  const { service, facts_dir, close } = await openBlownUp({ transfers: 0, data, has_recent: false });
  try {
    const { facts, engine } = service.facts;
    const [found] = await engine.query(`SELECT count() FROM balances WHERE token = unhex('${TOKEN}')`);
    if (Number(found?.[0]) === 0) {
      for (let from = 0; from < holders; from += PART)
        await engine.command(holdersSql(from, Math.min(holders, from + PART)));
      await engine.command(holdersSql(0, Math.ceil(holders / 10)));
    }
    forgetConditions(engine);
    const snapshot = await facts.snapshot(NETWORK, null);
    const measure = async (what: string, ask: () => Promise<number | undefined>): Promise<void> => {
      const [begun, from] = [performance.now(), engineSeconds(facts_dir)];
      const count = await ask();
      const ms = [performance.now() - begun, (engineSeconds(facts_dir) - from) * 1000].map((one) => one.toFixed(0));
      printLine(
        `| ${[holders, what, ...ms, peakMb(enginePid(facts_dir)).toFixed(0), count ?? "none", loadText().slice(5)].join(" | ")} |`,
      );
    };
    const now = async () => (await facts.holderCounts(snapshot, [TOKEN]))[0]?.holders;
    await measure("first", now);
    for (let time = 0; time < TIMES; time += 1) await measure("again", now);
    const asked = { tokens: [TOKEN], shards: 1, shard: 0 };
    const whole = async () => (await facts.ask(snapshot, "token_holders", asked))[0]?.holders;
    for (let time = 0; time < TIMES; time += 1) await measure("not kept", whole);
  } finally {
    await close();
  }
}
