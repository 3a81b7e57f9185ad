/**
 * CPU of recomputing a block from the text of the answers: roots and hashes, and who signed. Least and median of the rounds.
 *   node dist/bench/verify_cost.js [--rounds 8] [--recorded ../shared/data/evm]
 */
import { parseArgs } from "node:util";
import { BlockVerifier } from "../src/chains/evm/verify/block_verifier.ts";
import { rulesOf } from "../src/chains/evm/verify/rules.ts";
import { ethereum } from "../src/chains/networks/ethereum.ts";
import { loadText, median, say } from "./figures.ts";
import { readRecorded } from "./replay/recorded.ts";
import type { ReplayBlock } from "./replay/server.ts";
import { syntheticBlocks } from "./replay/synthetic.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "8" }, recorded: { type: "string" } },
});

const REPEATS = 10;
const verifier = new BlockVerifier(rulesOf(ethereum));

const textsOf = ({ block, receipts }: ReplayBlock) => {
  const answers = [block, receipts].map((result, id) => ({ jsonrpc: "2.0", id, result }));
  const text = Buffer.from(JSON.stringify(answers));
  return { number: Number(block.number), texts: { block: { text, id: 0 }, receipts: [{ text, id: 1 }] } };
};

const cpuMs = async (work: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const measureBlocks = async (name: string, blocks: readonly ReplayBlock[]): Promise<void> => {
  const all = blocks.map(textsOf);
  const one = async (work: (block: (typeof all)[number]) => Promise<unknown> | unknown): Promise<number> => {
    const ms = await cpuMs(async () => {
      for (let i = 0; i < REPEATS; i += 1) for (const block of all) await work(block);
    });
    return ms / REPEATS / all.length;
  };
  const [roots, whole, parsed]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    roots.push(await one(({ texts }) => verifier.level(texts)));
    whole.push(await one(({ texts, number }) => verifier.verify(texts, number)));
    parsed.push(await one(({ texts }) => JSON.parse(texts.block.text.toString("utf8"))));
    BlockVerifier.release();
  }
  const count = blocks.reduce((sum, { block }) => sum + block.transactions.length, 0) / blocks.length;
  const told = (list: readonly number[]): string => `${Math.min(...list).toFixed(2)} (${median(list).toFixed(2)})`;
  say(`${name}: ${blocks.length} blocks of ${count.toFixed(0)} transactions, ms CPU a block, least (median)`);
  say(`  roots and hashes ${told(roots)}, senders too ${told(whole)}, JSON.parse of the same text ${told(parsed)}`);
};

await measureBlocks("mainnet-shaped", syntheticBlocks({ shape: "mainnet", count: 12 }));
const recorded = (values.recorded === undefined ? null : readRecorded(values.recorded)) ?? [];
const busy = recorded.filter(({ chain, transactions }) => chain === "ethereum" && transactions >= 50);
if (busy.length > 0)
  await measureBlocks(
    "recorded Ethereum",
    busy.map(({ replay }) => replay),
  );
say(loadText());
