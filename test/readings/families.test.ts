/**
 * Recorded transactions of Solana and Tron, read by the product and judged by ../shared/data/readings/judge.mjs itself.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Network, Transaction } from "../../src/chains/chain.ts";
import { solana, tron } from "../../src/chains/networks/known.gen.ts";
import { fieldsOf, type JsonFields, listOf } from "../../src/chains/node/answer.ts";
import { parseLossless } from "../../src/chains/node/lossless_json.ts";
import { formatBase58 } from "../../src/chains/solana/address.ts";
import { transactionOf } from "../../src/chains/solana/block.ts";
import { effectsOf } from "../../src/chains/solana/logless_transfers.ts";
import { readRawTransaction } from "../../src/chains/solana/transaction.ts";
import { Keys } from "../../src/chains/solana/wire.ts";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { JsonInfo } from "../../src/chains/tron/info.ts";
import { readListed } from "../../src/chains/tron/listed.ts";
import { readTransaction } from "../../src/chains/tron/transactions.ts";
import { actionsOf } from "../../src/domain/transaction/actions/index.ts";
import { movementsOf } from "../../src/domain/transaction/decoding/movements.ts";
import { actsHeadlineOf, tradeOfSender } from "../../src/domain/transaction/headline/acts_headline.ts";
import { endsOf } from "../../src/domain/transaction/headline/case.ts";
import { headlineOf } from "../../src/domain/transaction/headline/headline.ts";
import { protocolAt } from "../../src/domain/transaction/headline/names.ts";
import { netOf, netsOf } from "../../src/domain/transaction/headline/nets.ts";
import { type Hex, toHex } from "../../src/lib/bytes.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/readings");

const linesOf = (name: string): readonly string[] => {
  const bytes = readFileSync(join(FOLDER, name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").filter((line) => line !== "");
};

const ofSolana = (line: string): Transaction => {
  const raw = readRawTransaction(fieldsOf(parseLossless(line), "line").transaction, new Keys());
  return transactionOf(raw, 0, effectsOf(raw));
};

/** A field of protobuf: a number, or bytes with their length. */
const field = (number: number, value: number | Uint8Array): Buffer => {
  const varint = (rest: number): number[] => (rest < 128 ? [rest] : [(rest % 128) | 128, ...varint(rest >> 7)]);
  return typeof value === "number"
    ? Buffer.from([number << 3, ...varint(value)])
    : Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(value.length)]), value]);
};
const TRIGGER = 31;

/** The recording's owner and call value were restored, so its raw data is encoded again, and the id with it. */
const ofTron = (line: string): Transaction => {
  const { transaction, info } = fieldsOf(JSON.parse(line), "line");
  const fields = fieldsOf(transaction, "transaction");
  const [contract] = listOf(fieldsOf(fields.raw_data, "raw data").contract, "contracts");
  const { value } = fieldsOf(fieldsOf(contract, "contract").parameter, "parameter");
  const { owner_address, contract_address, call_value, data }: JsonFields = fieldsOf(value, "value");
  const hex = (text: unknown): Buffer => Buffer.from(String(text), "hex");
  const call = [field(1, hex(owner_address)), field(2, hex(contract_address)), field(3, Number(call_value))];
  const any = field(2, Buffer.concat([...call, field(4, hex(data))]));
  const raw = field(11, Buffer.concat([field(1, TRIGGER), field(2, any)]));
  const txID = createHash("sha256").update(raw).digest("hex");
  const listed = readListed({ ...fields, txID, raw_data_hex: raw.toString("hex") });
  const told = new JsonInfo({ ...fieldsOf(info, "info"), id: txID });
  return readTransaction({ index: 0, listed, info: told, first_log: 0 }).transaction;
};

interface ReadingCase {
  readonly network: Network;
  readonly format: (address: Hex) => string;
  readonly transaction: Transaction;
}

/** The judged part of an answer of analyze_transaction. */
const answerOf = ({ network, format, transaction }: ReadingCase) => {
  const { wrapped_native } = network;
  const movements = movementsOf(transaction, network);
  const scene = { transaction, movements, approvals: [], authorizations: [], pools: new Map(), wrapped_native };
  const name = (address: Hex) => protocolAt(network.id, address, null);
  const actions = actionsOf(scene);
  const acts = { transaction, movements, actions, called: null };
  const read = () =>
    headlineOf({
      ...{
        transaction,
        movements,
        actions,
        wrapped_native,
        name,
        is_dollar: () => false,
        decimals: () => null,
        usd: () => null,
      },
      ...endsOf(transaction),
    });
  const headline = actsHeadlineOf(acts) ?? tradeOfSender(acts, read()) ?? read();
  const sides = (list: readonly { token: Hex; amount: bigint }[]) =>
    list.map(({ token, amount }) => ({
      ...{ token: token === "" ? null : format(token), token_id: null, amount_raw: String(amount) },
    }));
  return {
    ...{ type: "transaction_analysis", actions: [], category: headline?.category ?? null },
    headline: headline && {
      ...{ type: headline.type, actor: format(headline.actor) },
      protocol: headline.protocol && `${headline.protocol.name} ${headline.protocol.version ?? ""}`,
      ...{ tokens_out: sides(headline.given), tokens_in: sides(headline.received) },
    },
  };
};

const expectedOf = (network: Network) =>
  linesOf("expected.jsonl")
    .map((line) => JSON.parse(line))
    .filter((one) => one.network === network.id);

describe.skipIf(!existsSync(FOLDER))("recorded transactions of other families", () => {
  test.each([
    { file: "solana.jsonl.gz", network: solana, format: formatBase58, read: ofSolana },
    { file: "tron.jsonl.gz", network: tron, format: formatAddress, read: ofTron },
  ] as const)("$network.id: each reading is correct", async ({ file, network, format, read }) => {
    const { judgeOne } = await import(join(FOLDER, "judge.mjs"));
    const expected = expectedOf(network);
    const verdicts = linesOf(file).map((line, i) => {
      const answer = answerOf({ network, format, transaction: read(line) });
      return { ...judgeOne(expected[i], answer), answer: answer.headline };
    });
    expect(verdicts.map(({ verdict, best, answer }) => (verdict === "right" ? verdict : { best, answer }))).toEqual(
      expected.map(() => "right"),
    );
  });

  test("a route over Tron's pools is the sender's net, and its trades are found", () => {
    const [line = ""] = linesOf("tron.jsonl.gz");
    const transaction = ofTron(line);
    const movements = movementsOf(transaction, tron);
    expect(formatAddress(toHex(transaction.sender))).toBe(expectedOf(tron)[0].actor);
    expect(netOf(netsOf(movements), toHex(transaction.sender)).given).toEqual([
      { token: "", token_id: null, amount: 10_000_000n },
    ]);
    const scene = { transaction, movements, approvals: [], authorizations: [], pools: new Map() };
    const swaps = actionsOf({ ...scene, wrapped_native: tron.wrapped_native }).filter(({ type }) => type === "swap");
    // TRX at the exchange of v1, then USDT from the pool of v3.
    expect([swaps[0]?.given, swaps.at(-1)?.received.map(({ amount }) => amount)]).toEqual([
      [{ token: "", token_id: null, amount: 9_912_500n }],
      [2_916_449n],
    ]);
  });
});

test("hashes are made from the data that was read", () => {
  expect(toHex(field(3, 300))).toBe("18ac02");
});
