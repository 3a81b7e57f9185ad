/**
 * CPU of a block from the text of the answers: recomputing roots and hashes, recovering senders, and reading. Least and
 * median of the rounds.
 *   node dist/bench/verify_cost.js [--rounds 8] [--recorded ../shared/data/evm]
 */
import { parseArgs } from "node:util";
import { release } from "../src/chains/evm/scan/texts.ts";
import { type BlockTexts, BlockVerifier } from "../src/chains/evm/verify/block_verifier.ts";
import { rulesOf } from "../src/chains/evm/verify/rules.ts";
import { ethereum } from "../src/chains/networks/known.gen.ts";
import { loadText, median, printLine } from "./figures.ts";
import { readRecorded } from "./replay/recorded.ts";
import { parsedIn, scannedIn, textOf, textsIn } from "./replay/scanned.ts";
import type { ReplayBlock } from "./replay/server.ts";
import { syntheticBlocks } from "./replay/synthetic.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "8" }, recorded: { type: "string" } },
});

const REPEATS = 10;
const verifier = new BlockVerifier(rulesOf(ethereum));

const textsOf = ({ block, receipts }: ReplayBlock) => {
  const text = textOf({ block, receipts });
  return { number: Number(block.number), text, texts: textsIn(text) };
};

const provenOf = async (texts: BlockTexts, number: number): Promise<void> => {
  const shown = verifier.show(texts, number);
  if (shown === null) return;
  const [answers = Buffer.alloc(0)] = await verifier.recover([{ shown, stated: Buffer.alloc(0) }]);
  verifier.prove(shown, answers);
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
  const [roots, whole, scanned, parsed]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    roots.push(await one(({ texts }) => verifier.level(texts)));
    whole.push(await one(({ texts, number }) => provenOf(texts, number)));
    scanned.push(await one(({ text }) => scannedIn(textsIn(text))));
    parsed.push(await one(({ text }) => parsedIn(text)));
    release();
  }
  const count = blocks.reduce((sum, { block }) => sum + block.transactions.length, 0) / blocks.length;
  const told = (list: readonly number[]): string => `${Math.min(...list).toFixed(2)} (${median(list).toFixed(2)})`;
  printLine(`${name}: ${blocks.length} blocks of ${count.toFixed(0)} transactions, ms CPU a block, least (median)`);
  printLine(`  roots and hashes ${told(roots)}, senders too ${told(whole)}`);
  printLine(`  reading the text ${told(scanned)}, through the objects of JSON.parse ${told(parsed)}`);
};

await measureBlocks("mainnet-shaped", syntheticBlocks({ shape: "mainnet", count: 12 }));
const recorded = (values.recorded === undefined ? null : readRecorded(values.recorded)) ?? [];
const busy = recorded.filter(({ chain, transactions }) => chain === "ethereum" && transactions >= 50);
if (busy.length > 0)
  await measureBlocks(
    "recorded Ethereum",
    busy.map(({ replay }) => replay),
  );
printLine(loadText());
