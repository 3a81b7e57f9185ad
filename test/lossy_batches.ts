import type { HistorySearch } from "../src/chains/account_history.ts";
import { decodeBlock } from "../src/indexer/decode.ts";
import { openIndexStore } from "../src/indexer/index_store.ts";
import { BatchHealer } from "../src/indexer/subjects/batch_healer.ts";
import { Batches } from "../src/indexer/subjects/batches.ts";
import { newRecord } from "../src/indexer/subjects/new_record.ts";
import { rewriteBatch, settleRewritten } from "../src/indexer/subjects/rewritten.ts";
import { SubjectHistory, type SubjectOptions } from "../src/indexer/subjects/subject_history.ts";
import { readBatch } from "../src/indexer/subjects/write_batch.ts";
import { hex, toHex } from "../src/lib/bytes.ts";
import { silentLog } from "../src/lib/log.ts";
import type { Engine } from "../src/store/engine.ts";
import { readSubjects, type SubjectRecord, writeSubject, writeSubjectBlocks } from "../src/store/subjects/records.ts";
import { isSound, verifyNetwork } from "../src/store/verify/index.ts";
import { openWriter } from "../src/store/writer.ts";
import { type TestFacts, testAddress } from "./facts_store.ts";
import { type LossyNode, lossyChain, openNode } from "./lossy_chain.ts";

const signal = new AbortController().signal;
export const FIRST_BATCH = [10, 13, 16];
const SECOND_BATCH = [40, 43, 46];
/** The contract forwards block n's n + 1 coins to address 3 + n % 3 (lossy_chain.ts): of all these blocks to this one. */
export const WALLET = testAddress(4);
/** Block, and coins that the wallet receives in it: 174 in all. */
export const RECEIVED = [...FIRST_BATCH, ...SECOND_BATCH].map((block) => [block, String(block + 1)]);

/** A network on demand that has read two batches of a wallet from a node that may lose inner calls. */
export class LossyBatches {
  readonly node: LossyNode = openNode(100, 60);
  /** Unix milliseconds. */
  clock = Date.now();
  /** Searches of the node's balances. */
  readonly searches: HistorySearch[] = [];
  readonly #store: TestFacts;
  readonly #network: string;

  constructor(store: TestFacts, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** The indexer's parts, as a process begins with them: it finishes what another one has left. */
  async open(engine: Engine = this.#store.engine) {
    const past = {
      doubt: { code: "DOUBT", message: () => "" },
      find: async (search: HistorySearch) => {
        this.searches.push(search);
        const ends = [{ token: hex(""), amount: 174n }];
        return { blocks: [], lost_before: null, openings: [], ends, is_proven: true, requests: 1 };
      },
    };
    const chain = { ...lossyChain(this.#network, this.node), past };
    const writer = openWriter(engine);
    const parts: SubjectOptions = {
      ...{ chain, engine, writer, facts: this.#store.facts, log: silentLog },
      store: openIndexStore({ engine, writer }, chain.network, () => this.clock),
      decode: (block) => decodeBlock(block, chain.network, new Map()),
      complete: async () => undefined,
      enrich: async () => undefined,
      ...{ openings: "skip", segment_rows: 1, from_block: 0, now_ms: () => this.clock },
    };
    const batches = new Batches(parts);
    await batches.finish(signal);
    const records = await readSubjects(engine, this.#network);
    const subjects = new Map(records.map((record) => [record.subject, new SubjectHistory(parts, record)]));
    const rewriting = { ...parts, subjects, batches };
    const healer = new BatchHealer({ ...parts, rewrite: (batch, until) => rewriteBatch(rewriting, batch, until) });
    await settleRewritten(rewriting, signal);
    return { parts, batches, healer };
  }

  /** Reads both batches while the node lacks what it lacks now. */
  async read(): Promise<void> {
    const { parts, batches } = await this.open();
    for (const blocks of [FIRST_BATCH, SECOND_BATCH])
      await batches.write(await readBatch(parts, blocks, signal), { known: null, signal });
    const record: SubjectRecord = {
      ...newRecord(toHex(WALLET), 1, 0),
      ...{ state: "read", to_block: 60, to_hash: hex("3c"), to_time: 1_700_000_720 },
      ...{ is_plain: true, untraced: [[16, 16]], found: 6, fetched: 6 },
    };
    const { writer } = this.#store;
    await writeSubject(writer, record, { network: this.#network, now_ms: 5 });
    const blocks = [...FIRST_BATCH, ...SECOND_BATCH];
    await writeSubjectBlocks(writer, this.#network, { subject: record.subject, blocks });
  }

  async record(): Promise<SubjectRecord | undefined> {
    return (await readSubjects(this.#store.engine, this.#network))[0];
  }

  /** Block and coins of each payment to the wallet. */
  async received(): Promise<readonly (readonly [number, string])[]> {
    const rows = await this.#store.query(`SELECT block_number, toString(amount) FROM ledger
      WHERE network = '${this.#network}' AND address = unhex('${toHex(WALLET)}') ORDER BY block_number`);
    return rows.map(([block, amount]) => [Number(block), String(amount)] as const);
  }

  verify() {
    return verifyNetwork(this.#store.engine, this.#network, { signal });
  }

  async isSound(): Promise<boolean> {
    const verified = await this.verify();
    return isSound(verified) && verified.unfinished.length === 0;
  }
}
