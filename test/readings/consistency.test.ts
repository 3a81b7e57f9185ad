/** Headlines never contradict the net changes of their actor: recorded transactions, recorded blocks and random ones. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { EventLog, Transaction } from "../../src/chains/chain.ts";
import { NETWORKS } from "../../src/chains/networks/index.ts";
import { actionsOf } from "../../src/domain/transaction/actions/index.ts";
import { movementsOf } from "../../src/domain/transaction/decoding/movements.ts";
import { endsOf, type HeadlineCase } from "../../src/domain/transaction/headline/case.ts";
import { headlineOf } from "../../src/domain/transaction/headline/headline.ts";
import { protocolAt } from "../../src/domain/transaction/headline/names.ts";
import { EVENTS, FUNCTIONS } from "../../src/domain/transaction/headline/words/index.ts";
import { signaturesOf } from "../../src/domain/transaction/headline/words/vocabulary.ts";
import { EMPTY, fromHex, hex } from "../../src/lib/bytes.ts";
import { topicOf } from "../../src/protocols/protocol.ts";
import { bareTransaction } from "../activity_scenario.ts";
import { sized } from "../long.ts";
import { diceOf } from "../random.ts";
import { ALICE, BOB, bytes, word, ZERO_ADDRESS } from "../sample_logs.ts";
import { contradictionOf } from "./contradiction.ts";
import { readings } from "./readings.ts";
import { is_recorded } from "./recorded.ts";

const WETH = hex("c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");

const caseOf = (transaction: Transaction, network: string): HeadlineCase => {
  const movements = movementsOf(transaction, { wrapped_native: WETH });
  const scene = { transaction, movements, approvals: [], authorizations: [], pools: new Map(), wrapped_native: WETH };
  return {
    ...{ transaction, movements, actions: actionsOf(scene), wrapped_native: WETH },
    ...endsOf(transaction),
    name: (address) => protocolAt(network, address, null),
    is_dollar: () => false,
    decimals: () => 18,
    usd: () => null,
  };
};

interface Contradictions {
  readonly headlines: number;
  readonly found: readonly string[];
}

const judged = (cases: Iterable<HeadlineCase>): Contradictions => {
  let headlines = 0;
  const found: string[] = [];
  for (const told of cases) {
    const headline = headlineOf(told);
    if (headline === null) continue;
    headlines += 1;
    const contradiction = contradictionOf(told, headline);
    if (contradiction !== null) found.push(`${contradiction} (${headline.evidence})`);
  }
  return { headlines, found };
};

test.skipIf(!is_recorded)("headlines of recorded transactions contradict no movement", () => {
  const { headlines, found } = judged(readings().map(({ told }) => told));
  expect(headlines).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

const BLOCKS = join(import.meta.dirname, "../../../shared/data/evm");

const readJson = (path: string): unknown => {
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  return existsSync(`${path}.gz`) ? JSON.parse(gunzipSync(readFileSync(`${path}.gz`)).toString("utf8")) : null;
};

// biome-ignore lint/suspicious/noExplicitAny: recordings have the shapes of JSON-RPC.
type Recording = any;

const transactionOf = (sent: Recording, receipt: Recording): Transaction => {
  const data = (text: string | null) => (text === null ? EMPTY : (fromHex(text) ?? EMPTY));
  const logs = receipt.logs.map((log: Recording, index: number) => ({
    ...{ address: data(log.address), topics: log.topics.map(data), data: data(log.data), index },
  }));
  return bareTransaction({
    ...{ hash: data(sent.hash), sender: data(sent.from), recipient: sent.to === null ? null : data(sent.to) },
    ...{ value: BigInt(sent.value), input: data(sent.input), succeeded: receipt.status !== "0x0", logs },
  });
};

function* recordedBlocks(): Generator<HeadlineCase> {
  for (const { id } of NETWORKS) {
    const folder = join(BLOCKS, id);
    for (const number of existsSync(folder) ? readdirSync(folder) : []) {
      const block: Recording = readJson(join(folder, number, "block.json"));
      const receipts: Recording = readJson(join(folder, number, "receipts.json"));
      if (block === null || receipts === null || receipts.length !== block.transactions.length) continue;
      for (const [n, sent] of block.transactions.entries()) yield caseOf(transactionOf(sent, receipts[n]), id);
    }
  }
}

test.skipIf(!existsSync(BLOCKS))("headlines of recorded blocks contradict no movement", () => {
  const { headlines, found } = judged(recordedBlocks());
  expect(headlines).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

/** Transactions of random transfers, events and functions: every word meets every kind of movement. */
function* randomCases(count: number): Generator<HeadlineCase> {
  const below = diceOf(34);
  const events = [...signaturesOf(EVENTS)];
  const functions = [...signaturesOf(FUNCTIONS)];
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T; // within the list
  const [token, other, share, router, vault] = ["70", "71", "72", "91", "7a"].map((byte) => byte.repeat(20));
  const accounts = [ALICE, ALICE, BOB, router, vault, share, ZERO_ADDRESS] as readonly string[];
  const tokens = [token, other, share, vault] as readonly string[];
  const amount = () => 1 + below(4);
  const transfer = (index: number): EventLog => ({
    address: bytes(one(tokens)),
    topics: [
      topicOf("Transfer(address,address,uint256)"),
      ...[one(accounts), one(accounts)].map((at) => bytes(word(at))),
    ],
    data: bytes(word(amount())),
    index,
  });
  const event = (index: number): EventLog => {
    const indexed = Array.from({ length: below(4) }, () => bytes(word(below(2) === 0 ? one(accounts) : amount())));
    const data = Array.from({ length: below(7) }, () => word(below(3) === 0 ? one(accounts) : amount()));
    return {
      address: bytes(one([...tokens, router ?? ""])),
      topics: [topicOf(one(events)), ...indexed],
      data: bytes(data.join("")),
      index,
    };
  };
  for (let n = 0; n < count; n += 1) {
    const logs = Array.from({ length: below(7) }, (_, index) => (below(3) === 0 ? event(index) : transfer(index)));
    const selector = topicOf(one(functions)).subarray(0, 4);
    const input = below(4) === 0 ? bytes("12345678") : selector;
    const value = below(4) === 0 ? BigInt(amount()) : 0n;
    yield caseOf(bareTransaction({ recipient: bytes(one([router ?? "", ...tokens])), value, input, logs }), "ethereum");
  }
}

test("headlines of random transactions contradict no movement", () => {
  const { headlines, found } = judged(randomCases(sized({ slice: 5_000, long: 100_000 })));
  expect(headlines).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
}, 120_000);
