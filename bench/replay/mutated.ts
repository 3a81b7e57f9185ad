/** Answers of a node, broken at random positions: readers must reject them or read the original facts. */

import type { Block, Network, Transaction } from "../../src/chains/chain.ts";
import { authorOf } from "../../src/chains/evm/author.ts";
import { matchBlock, readBlock } from "../../src/chains/evm/blocks.ts";
import { module, release } from "../../src/chains/evm/scan/texts.ts";
import { NO_UNCLES } from "../../src/chains/evm/uncles.ts";
import { BlockVerifier, type Proof } from "../../src/chains/evm/verify/block_verifier.ts";
import { rulesOf } from "../../src/chains/evm/verify/rules.ts";
import { BadAnswer } from "../../src/chains/node/answer.ts";
import { toHex } from "../../src/lib/bytes.ts";
import { parsedIn, type ScanResult, scannedIn, textOf, textsIn } from "./scanned.ts";
import type { ReplayBlock } from "./server.ts";

export interface FuzzFigures {
  readonly inputs: number;
  /** Rejected before anything was read: not JSON. */
  readonly no_json: number;
  readonly refused: number;
  /** Read, and equal to the unbroken block: the change affected no fact. */
  readonly same: number;
  /** Each of these is a fault of ours. */
  readonly traps: number;
  readonly other_rows: number;
  readonly rows_from_no_json: number;
  /** Longest time that one input took. */
  readonly ms_max: number;
  /** Most linear memory held beyond that of the unbroken blocks. */
  readonly grown_bytes: number;
}

export interface Fuzzing {
  readonly blocks: readonly { readonly network: Network; readonly replay: ReplayBlock }[];
  readonly count: number;
  readonly seed: number;
}

const BLOB_TYPE = "0x3";

/** Pieces that a parser may trip over. */
const PIECES: readonly string[] = [
  ...['"', "\\", "{", "}", "[", "]", ",", ":", "0x", "0", "null", "true", "-1", "1e999", '""', '"0x"', "{}", "[]"],
  ...["\\u0030", "\\u0068ash", "\u0000", "\ud83d\ude00", "  ", "\t", '"0x0"', `"0x${"f".repeat(64)}"`, "9".repeat(40)],
  ...['"hash":', '"type":', '"transactions":', '"logs":', '"result":', '"id":1,', '"status":"0x0",', "[".repeat(300)],
];

/** A linear congruential generator (Numerical Recipes): whole numbers below `limit`. */
const drawing = (seed: number) => {
  let state = seed >>> 0;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
};

type MutationDraw = ReturnType<typeof drawing>;

const spliced = (text: Buffer, [from, to]: readonly [number, number], piece: Uint8Array): Buffer =>
  Buffer.concat([text.subarray(0, from), piece, text.subarray(to)]);

const movedIn = (text: Buffer, place: number, run: Uint8Array): Buffer => spliced(text, [place, place], run);

/**
 * One to three changes: a byte, an inserted piece, a run removed, doubled or moved, a member doubled, an end cut off.
 */
const mutated = (text: Buffer, draw: MutationDraw): Buffer => {
  let now = text;
  for (let left = 1 + draw(3); left > 0; left -= 1) {
    const at = draw(now.length);
    const end = Math.min(now.length, at + 1 + draw(draw(8) === 0 ? 2_000 : 12));
    const run = now.subarray(at, end);
    const kind = draw(8);
    if (kind === 0) now = spliced(now, [at, at + 1], Buffer.from([draw(256)]));
    else if (kind === 1) now = spliced(now, [at, at + 1], Buffer.from('0123456789abcdefx"'.charAt(draw(18))));
    else if (kind === 2) now = spliced(now, [at, at], Buffer.from(PIECES[draw(PIECES.length)] ?? ""));
    else if (kind === 3) now = spliced(now, [at, end], Buffer.alloc(0));
    else if (kind === 4) now = spliced(now, [end, end], run);
    else if (kind === 5) now = movedIn(now, draw(now.length), run);
    else if (kind === 6) now = withDoubledMember(now, at, draw);
    else if (draw(20) === 0) now = now.subarray(0, at);
  }
  return now;
};

/** Inserts a whole `"name":"value",` after a comma elsewhere. */
const withDoubledMember = (text: Buffer, at: number, draw: MutationDraw): Buffer => {
  const start = text.indexOf(',"', at);
  const end = start === -1 ? -1 : text.indexOf('",', start + 2);
  const place = text.indexOf(',"', draw(text.length));
  if (end === -1 || place === -1 || end - start > 5_000) return text;
  return spliced(text, [place, place], text.subarray(start, end + 1));
};

/** Everything of a block except the one fee for which a receipt is trusted: that of blobs. */
const withoutBlobFee = ({ blob_fee: _, ...one }: Transaction): Transaction => ({ ...one, fee: 0n });

/** Bytes and large numbers as text. */
const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
};

const rowsOf = (block: Block, blobs: ReadonlySet<number>): string =>
  JSON.stringify(
    plain({
      ...block,
      transactions: block.transactions.map((one) => (blobs.has(one.index) ? withoutBlobFee(one) : one)),
    }),
  );

const NOW = 2_000_000_000;

interface FuzzedBlock {
  readonly network: Network;
  readonly number: number;
}

/** Reads like the product; `scanned` is the scanned input. */
const readFrom = async (
  scanned: ScanResult,
  proof: Proof | null,
  { network: whole, number }: FuzzedBlock,
): Promise<Block> => {
  // No text of a block contains the headers of uncles, from which rewards follow.
  const network = { ...whole, block_rewards: [] };
  const how = { number, network, verify: "full" } as const;
  const matched = matchBlock({ ...scanned, traces: null, uncles: NO_UNCLES }, how);
  const author = authorOf(matched.header, network);
  return readBlock(matched, { ...how, rules: rulesOf(network), proof, author, thorough: true, now: NOW });
};

const proofOf = async (text: Buffer, { network, number }: FuzzedBlock): Promise<Proof | null> => {
  const verifier = new BlockVerifier(rulesOf(network));
  const shown = verifier.show(textsIn(text), number);
  if (shown === null) return null;
  const [answers = Buffer.alloc(0)] = await verifier.recover([{ shown, stated: Buffer.alloc(0) }]);
  return verifier.prove(shown, answers);
};

const readText = async (text: Buffer, subject: FuzzedBlock): Promise<Block> => {
  const scanned = scannedIn(textsIn(text));
  return readFrom(scanned, await proofOf(text, subject), subject);
};

const isJson = (text: Buffer): boolean => {
  try {
    JSON.parse(text.toString("utf8"));
    return true;
  } catch {
    return false;
  }
};

const TRAP = "an answer broke what reads it";

export const fuzzVerification = async ({ blocks, count, seed }: Fuzzing): Promise<FuzzFigures> => {
  const draw = drawing(seed);
  const found = { no_json: 0, refused: 0, same: 0, traps: 0, other_rows: 0, rows_from_no_json: 0, ms_max: 0 };
  const subjects = await Promise.all(
    blocks.map(async ({ network, replay }) => {
      const text = textOf(replay);
      const number = Number(replay.block.number);
      const kinds = replay.block.transactions.map((one) => Reflect.get(one, "type"));
      const subject = { network, number };
      const blobs = new Set(kinds.flatMap((kind, i) => (kind === BLOB_TYPE ? [i] : [])));
      return {
        text,
        network,
        number,
        blobs,
        rows: rowsOf(await readFrom(parsedIn(text), await proofOf(text, subject), subject), blobs),
      };
    }),
  );
  const held_bytes = module.held_bytes;
  let grown_bytes = 0;
  for (let i = 0; i < count; i += 1) {
    const subject = subjects[i % subjects.length];
    if (subject === undefined) throw new Error("there is no block to break");
    const text = mutated(subject.text, draw);
    const is_json = isJson(text);
    if (!is_json) found.no_json += 1;
    const started = performance.now();
    try {
      const rows = rowsOf(await readText(text, subject), subject.blobs);
      if (!is_json) found.rows_from_no_json += 1;
      else if (rows === subject.rows) found.same += 1;
      else found.other_rows += 1;
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error;
      found.refused += 1;
      if (error.message === TRAP) found.traps += 1;
    }
    found.ms_max = Math.max(found.ms_max, performance.now() - started);
    grown_bytes = Math.max(grown_bytes, module.held_bytes - held_bytes);
    release();
  }
  return { inputs: count, ...found, grown_bytes };
};
