import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { solana } from "../../src/chains/networks/known.gen.ts";
import { formatBase58, parseAddress, parseHash } from "../../src/chains/solana/address.ts";
import { readBlock } from "../../src/chains/solana/block.ts";
import { VOTE_PROGRAM } from "../../src/chains/solana/programs.ts";
import type { Votes } from "../../src/chains/summed_votes.ts";
import { madeKey } from "../../src/demo/solana/made_transaction.ts";
import { decodeBlock } from "../../src/indexer/decode.ts";
import { openIndexStore } from "../../src/indexer/index_store.ts";
import { emptyRows, joinRows } from "../../src/indexer/rows.ts";
import { fromBase58 } from "../../src/lib/base58.ts";
import { EMPTY, type Hex, hex, toHex } from "../../src/lib/bytes.ts";
import { isSound, verifyNetwork } from "../../src/store/verify/index.ts";
import { getWalletCounterparties } from "../../src/tools/get_wallet_counterparties/index.ts";
import { getWalletStats } from "../../src/tools/get_wallet_stats/index.ts";
import { getWalletTransactionPatterns } from "../../src/tools/get_wallet_transaction_patterns/index.ts";
import { getWalletTransactions } from "../../src/tools/get_wallet_transactions/index.ts";
import { openTestFacts, type TestFacts } from "../facts_store.ts";
import { fixedChain } from "../fixed_chain.ts";
import { callContext } from "../fixtures/call_context.ts";
import { runTool } from "../fixtures/run_tool.ts";
import { sized } from "../long.ts";
import { answeredBlock, payment, voteInstruction, voteTransaction } from "./votes.ts";

/** The first two vote, the others only pay; all of them pay and are paid. */
const PEOPLE = [21, 22, 23, 24].map(madeKey);
const person = (at: number): string => PEOPLE[at] ?? "";
const HEAD = 6;

interface DrawnVote {
  readonly by: number;
  readonly to: number;
  readonly fee: number;
  /** In ten: four plain votes, one that failed, one with a payment, four payments. */
  readonly kind: number;
}

const transactionOf = ({ by, to, fee, kind }: DrawnVote, number: number) => {
  const voter = person(by % 2);
  if (kind < 4) return voteTransaction({ payer: voter, instructions: [voteInstruction(voter)], fee, number });
  if (kind === 4)
    return voteTransaction({ payer: voter, instructions: [voteInstruction(voter)], fee, number, error: "any" });
  const payer = kind === 5 ? voter : person(by);
  const payee = person(PEOPLE.indexOf(payer) === to ? to + 1 : to);
  const vote = kind === 5 ? [voteInstruction(payer)] : [];
  const lamports = BigInt(1 + number);
  return voteTransaction({
    payer,
    instructions: [...vote, payment(payer, payee, lamports)],
    fee,
    paid: [[payee, lamports]],
    number,
  });
};

const drawnBlock = fc.array(
  fc.record({ by: fc.nat(3), to: fc.nat(2), fee: fc.integer({ min: 5_000, max: 9_000 }), kind: fc.nat(9) }),
  { maxLength: 14 },
);
type DrawnBlocks = readonly (readonly DrawnVote[])[];
const drawnBlocks = fc.array(drawnBlock, { minLength: HEAD, maxLength: HEAD });

const answersOf = (drawn: DrawnBlocks) =>
  drawn.map((list, i) =>
    answeredBlock(
      i + 1,
      list.map((one, at) => transactionOf(one, i * 100 + at)),
    ),
  );

const rowsOf = (answers: ReturnType<typeof answersOf>, votes: Votes, id: string) => {
  const rows = emptyRows();
  for (const [i, json] of answers.entries())
    joinRows(rows, decodeBlock(readBlock(json, i + 1, { verify: "header", votes }), { ...solana, id }, new Map()));
  return rows;
};

/** Gain of each user by the node's balances, not by Assay's. */
const changesIn = (answers: ReturnType<typeof answersOf>): ReadonlyMap<Hex, bigint> => {
  const changes = new Map<Hex, bigint>();
  for (const { meta, transaction } of answers.flatMap(
    (block) => block.transactions as ReturnType<typeof voteTransaction>[],
  ))
    for (const [at, address] of (transaction.message.accountKeys as string[]).entries()) {
      const change = BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0);
      const holder = toHex(fromBase58(address) ?? EMPTY);
      // A transaction that failed leaves only its fee.
      if (change !== 0n) changes.set(holder, (changes.get(holder) ?? 0n) + change);
    }
  return changes;
};

const sumsOf = ({ transfers }: ReturnType<typeof rowsOf>): ReadonlyMap<Hex, bigint> => {
  const sums = new Map<Hex, bigint>();
  const add = (holder: Uint8Array, amount: bigint): void => {
    if (holder.length > 0) sums.set(toHex(holder), (sums.get(toHex(holder)) ?? 0n) + amount);
  };
  for (const { source, destination, amount } of transfers) {
    add(source, -amount);
    add(destination, amount);
  }
  return new Map([...sums].filter(([, amount]) => amount !== 0n));
};

const sortedOf = (sums: ReadonlyMap<Hex, bigint>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));

test("random blocks have the same balances, fees and counts of transactions either way", () => {
  fc.assert(
    fc.property(drawnBlocks, (drawn) => {
      const answers = answersOf(drawn);
      const [summed, singly] = [rowsOf(answers, "summed", "x"), rowsOf(answers, "singly", "x")];
      expect(sortedOf(sumsOf(summed))).toEqual(sortedOf(changesIn(answers)));
      expect(sortedOf(sumsOf(singly))).toEqual(sortedOf(changesIn(answers)));
      const fees = ({ transfers }: typeof summed) =>
        transfers.filter(({ kind }) => kind === "fee").reduce((sum, { amount }) => sum + amount, 0n);
      expect(fees(summed)).toBe(drawn.flat().reduce((sum, { fee }) => sum + BigInt(fee), 0n));
      expect(fees(singly)).toBe(fees(summed));
      expect(summed.blocks).toEqual(singly.blocks);
      expect(summed.blocks.map((block) => block.transaction_count)).toEqual(drawn.map((list) => list.length));
      const votes = drawn.flat().filter(({ kind }) => kind < 4).length;
      expect([singly.transactions.length, summed.transactions.length]).toEqual([
        drawn.flat().length,
        drawn.flat().length - votes,
      ]);
    }),
  );
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** Writes the blocks as the indexer does, as a network of its own. */
const index = async (answers: ReturnType<typeof answersOf>, votes: Votes, id: string): Promise<void> => {
  const target = openIndexStore(store, { ...solana, id }, () => 1_767_300_000_000);
  await target.open();
  const rows = rowsOf(answers, votes, id);
  const [range, last] = [{ from: 1, to: HEAD }, rows.blocks.at(-1)];
  const mark = {
    ...{
      from_block: 1,
      to_block: HEAD,
      to_hash: toHex(last?.hash ?? EMPTY),
      untraced: [],
      verified: "none" as const,
    },
  };
  await target.saveOrigin({ from_block: 1, from_hash: "", is_opened: 1 });
  await target.markSegment({ ...mark, state: "begun", sums: "" });
  const sums = await target.writeFinal(range, target.encode(rows), { is_fresh: true });
  await target.writeBalances(range, { is_fresh: true });
  await target.markSegment({ ...mark, state: "done", sums });
};

const chainOf = (id: string) => ({
  ...fixedChain({
    network: { ...solana, id },
    blocks: [{ number: HEAD, hash: hex("06"), parent_hash: hex("05"), time: 1_767_300_000 }],
    can: { contract_calls: false, contract_logs: false, archive: false, vote_program: VOTE_PROGRAM },
  }),
  ...{ parseAddress, parseHash, formatAddress: formatBase58, formatHash: formatBase58 },
});

const TOOLS = [getWalletStats, getWalletTransactions, getWalletTransactionPatterns, getWalletCounterparties] as const;

const callTool = (tool: (typeof TOOLS)[number], network: string, address: string) =>
  // Each of these tools takes a wallet and a network.
  runTool(
    tool as typeof getWalletStats,
    { address, network },
    callContext({ facts: store.facts, chain: chainOf, networks: [network] }),
  );

const statsOf = async (network: string, address: string) => {
  const outcome = await callTool(getWalletStats, network, address);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getWalletStats.output.parse(outcome.data);
};

/** An answer without the name of its network. */
const named = (value: unknown, network: string): unknown => JSON.parse(JSON.stringify(value).replaceAll(network, "it"));

const ROUNDS = sized({ slice: 1, long: 4 });

describe("in the store", () => {
  test("balances, verified facts and the answers about non-voters are the same either way", async () => {
    for (const [round, drawn] of fc.sample(drawnBlocks, ROUNDS).entries()) {
      const answers = answersOf(drawn);
      const [summed, singly] = [`summed${round}`, `singly${round}`];
      await index(answers, "summed", summed);
      await index(answers, "singly", singly);
      for (const id of [summed, singly]) {
        const verified = await verifyNetwork(store.engine, id, { signal: AbortSignal.timeout(60_000) });
        expect([verified.findings, isSound(verified)]).toEqual([[], true]);
      }
      const held = async (id: string) =>
        store.query(`SELECT hex(token), hex(holder), toString(sum(amount)) FROM balances WHERE network = '${id}' AND holder != ''
          GROUP BY token, holder HAVING sum(amount) != 0 ORDER BY token, holder`);
      expect(await held(summed)).toEqual(await held(singly));
      expect((await held(summed)).map(([, holder, amount]) => [String(holder).toLowerCase(), amount])).toEqual(
        sortedOf(changesIn(answers)).map(([holder, amount]) => [holder, amount.toString()]),
      );
      for (const tool of TOOLS)
        for (const address of PEOPLE.slice(2))
          expect(named(await callTool(tool, summed, address), summed), `${tool.name} of ${address}`).toEqual(
            named(await callTool(tool, singly, address), singly),
          );
      for (const address of PEOPLE.slice(0, 2)) {
        const [one, other] = [await statsOf(summed, address), await statsOf(singly, address)];
        const told = ({
          tx_count,
          tx_sent,
          tx_received,
          failed_tx,
          active_days,
          first_seen,
          last_seen,
          gas_spent_native,
          unique_contracts_called,
        }: typeof one) => ({
          tx_count,
          tx_sent,
          tx_received,
          failed_tx,
          active_days,
          first_seen,
          last_seen,
          gas_spent_native,
          unique_contracts_called,
        });
        expect(told(one)).toEqual(told(other));
        const votes = drawn.flat().filter(({ by, kind }) => kind < 4 && person(by % 2) === address).length;
        expect([one.votes, other.votes]).toEqual([votes, 0]);
      }
    }
  });

  test("the answers about a voter have the number, fee and block of its votes, and mark them as sums", async () => {
    const voter = person(0);
    const vote = (number: number, fee: number) =>
      voteTransaction({ payer: voter, instructions: [voteInstruction(voter)], fee, number });
    const blocks = [[vote(1, 5_000), vote(2, 5_500)], [], [vote(3, 5_000)], [], [], []];
    await index(
      blocks.map((list, i) => answeredBlock(i + 1, list)),
      "summed",
      "voting",
    );
    const listed = await callTool(getWalletTransactions, "voting", voter);
    expect(listed).toMatchObject({
      kind: "data",
      data: {
        data: [
          {
            kind: "votes",
            votes: 1,
            block_number: 3,
            direction: "out",
            amount_raw: "0",
            status: "success",
            tx_type: "call",
          },
          {
            kind: "votes",
            votes: 2,
            block_number: 1,
            unavailable: [{ field: "fee_usd" }, { field: "tx_hash" }],
            peer: { address: "Vote111111111111111111111111111111111111111" },
          },
        ],
        metadata: {
          warnings: [{ code: "VOTES_SUMMED", message: expect.stringMatching(/^3 votes of this validator/) }],
        },
      },
    });
    // 15,500 lamports of nine decimals.
    expect(await statsOf("voting", voter)).toMatchObject({
      tx_count: 3,
      tx_sent: 3,
      votes: 3,
      gas_spent_native: 0.0000155,
    });
    const patterns = await callTool(getWalletTransactionPatterns, "voting", voter);
    expect(patterns).toMatchObject({ kind: "data", data: { summary: { own_tx_count: 0 } } });
    expect(JSON.stringify(patterns)).toContain("VOTES_SUMMED");
  });
});
