import { AssayError } from "../lib/errors.ts";
import { askEngine, type BoundValues } from "./ask.ts";
import { coverageAt, heldRuns, type StoreState } from "./coverage.ts";
import { type Engine, type EngineTarget, openEngine } from "./engine.ts";
import type { Facts, Snapshot } from "./facts.ts";
import { migrate } from "./migrate.ts";
import { openStateReader, type StateReader } from "./state.ts";
import { openWriter, type Writer } from "./writer.ts";

/** The facts store, opened: questions, writing, and the engine for what neither says. */
export interface FactsStore {
  readonly facts: Facts;
  readonly writer: Writer;
  readonly engine: Engine;
  close(): Promise<void>;
}

/** Final blocks whose hash and time are remembered: the newest one is asked for all the time. */
const FINAL_BLOCKS_KEPT = 1_000;

interface Parts {
  readonly engine: Engine;
  readonly reader: StateReader;
  readonly final_blocks: Map<string, Snapshot["block"]>;
}

const incomplete = (message: string): AssayError =>
  new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable: true });

/**
 * Bounds as parameters. Before anything of a network that starts at block 0 is final the boundary is -1, which UInt64
 * cannot say: block 0, the genesis, then counts as final and is not seen yet.
 */
const boundsOf = ({ network, block, final_block, from_block }: Snapshot): BoundValues => ({
  network,
  from_block,
  to_block: block.number,
  final_block: Math.max(0, final_block),
});

const makeFacts = (parts: Parts, signal?: AbortSignal): Facts => {
  const { engine, reader, final_blocks } = parts;
  const blockAt = async (network: string, state: StoreState, number: number): Promise<Snapshot["block"]> => {
    const island = state.islands.find(({ to }) => to === number);
    if (island !== undefined && number > state.final_block) return { number, hash: island.hash, time: island.time };
    const key = `${network}:${number}`;
    const known = number <= state.final_block ? final_blocks.get(key) : undefined;
    if (known !== undefined) return known;
    const bounds = { network, from_block: number, to_block: number, final_block: Math.max(0, state.final_block) };
    const [row] = await askEngine(engine, "block_by_number", { ...bounds, number }, signal);
    if (row === undefined) throw incomplete(`Block ${number} of ${network} is not indexed.`);
    const block = { number, hash: row.hash, time: row.time };
    if (number <= state.final_block) {
      if (final_blocks.size >= FINAL_BLOCKS_KEPT) final_blocks.clear();
      final_blocks.set(key, block);
    }
    return block;
  };

  const facts: Facts = {
    async snapshot(network, as_of_block) {
      const state = await reader.read(network);
      const number = as_of_block ?? heldRuns(state).at(-1)?.to ?? null;
      if (number === null) throw incomplete(`Nothing of ${network} is indexed yet.`);
      const coverage = coverageAt(state, number);
      if (coverage === null) throw incomplete(`Block ${number} of ${network} is not indexed.`);
      return {
        network,
        block: await blockAt(network, state, number),
        final_block: state.final_block,
        from_block: coverage.from_block,
        coverage,
        tail_drops: state.tail_drops,
      };
    },

    async isCurrent({ network, block, final_block, tail_drops }) {
      // Final blocks cannot change, and they are never moved again.
      if (block.number <= final_block) return true;
      const state = await reader.read(network);
      return state.final_block === final_block && state.tail_drops === tail_drops;
    },

    // Params<N> and the bounds are exactly the parameters of the question (queries.gen.ts).
    ask: (snapshot, query, params) => askEngine(engine, query, { ...params, ...boundsOf(snapshot) }, signal),

    walletBalances: (snapshot, wallet) => facts.ask(snapshot, "wallet_balances", { wallet }),

    tokenHolders: (snapshot, token, { limit, offset }) =>
      facts.ask(snapshot, "token_holders", { token, limit, offset }),

    async holderCount(snapshot, token) {
      const [row] = await facts.ask(snapshot, "holder_count", { token });
      return row ?? { holders: 0, supply: 0n };
    },

    async balanceOf(snapshot, pairs) {
      if (pairs.length === 0) return [];
      const tokens = pairs.map(({ token }) => token);
      const holders = pairs.map(({ holder }) => holder);
      const rows = await facts.ask(snapshot, "balances_of", { tokens, holders });
      const amounts = new Map(rows.map(({ token, holder, amount }) => [`${token}:${holder}`, amount]));
      return pairs.map(({ token, holder }) => amounts.get(`${token}:${holder}`) ?? 0n);
    },

    withSignal: (other) => makeFacts(parts, signal === undefined ? other : AbortSignal.any([signal, other])),
  };
  return facts;
};

/**
 * Opens the facts and brings their tables up to date. Throws `AssayError`: `FACTS_UNAVAILABLE` (retryable) when the
 * store cannot be reached, `FACTS_VERSION` when a newer program wrote it.
 */
export const openFacts = async (target: EngineTarget): Promise<FactsStore> => {
  const engine = await openEngine(target);
  try {
    await migrate(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    facts: makeFacts({ engine, reader: openStateReader(engine), final_blocks: new Map() }),
    writer: openWriter(engine),
    engine,
    close: () => engine.close(),
  };
};
