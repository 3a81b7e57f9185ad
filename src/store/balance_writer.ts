import type { Engine } from "./engine.ts";
import { ATTEMPTS, damaged, type FinalOptions, openStatements } from "./final_statements.ts";
import { questionText } from "./question_text.ts";
import { openStaging, type StagingTables } from "./staging_tables.ts";
import { columnsOf, type NetworkRange, ofBlocks, readEntered, unordered } from "./sums.ts";

/** Writes the sums of segments into one engine's own tables of balances: each exactly once, as its marker there says. */
export interface BalanceWriter {
  write(segment: NetworkRange, options: FinalOptions): Promise<void>;
  /** Takes the sums of a segment out again, as often as they have entered: to be done while its transfers are those that entered. */
  takeOut(segment: NetworkRange, options: FinalOptions): Promise<void>;
  /** Another writer may have dropped the staged rows. */
  forget(network: string): void;
}

const BALANCES = ["balances", "balances_by_holder"] as const;
const NONE_ENTERED = { balances: 0, balances_by_holder: 0 };

/** The sums of a segment, `times` times; negative values reverse them. Counters are modulo 2^64. */
const timesSelect = (table: (typeof BALANCES)[number], from: string, times: number): string => {
  const columns = columnsOf(table).join(", ");
  if (times === 1) return `SELECT ${columns} FROM ${from}`;
  const replaced = `amount * ${times} AS amount, high * ${times} AS high, toUInt64(transfers * ${times}) AS transfers`;
  return `SELECT ${columns} FROM (SELECT * REPLACE (${replaced}) FROM ${from})`;
};

/** @param range_name of a writer that fills one range; null for a network's indexer. */
export const openBalanceWriter = (engine: Engine, range_name: string | null): BalanceWriter => {
  const { insert, optionsOf } = openStatements(engine, range_name);
  const stages = new Map<string, StagingTables>();
  const stageOf = (network: string): StagingTables => {
    const stage = stages.get(network) ?? openStaging(engine, range_name ?? network);
    stages.set(network, stage);
    return stage;
  };
  /** Lets the sums of a segment have entered so often. */
  const enter = async (segment: NetworkRange, wanted: 0 | 1, options: FinalOptions): Promise<void> => {
    let counted = options.is_fresh === true ? NONE_ENTERED : await readEntered(engine, segment);
    const wrongOnes = () => BALANCES.filter((table) => counted[table] !== wanted);
    for (let attempt = 0; attempt < ATTEMPTS && wrongOnes().length > 0; attempt += 1) {
      // Summed up once, for both orders.
      const stage = stageOf(segment.network);
      await stage.make(
        "balances",
        ofBlocks(unordered(questionText("segment_balances")), segment),
        optionsOf(segment, options),
      );
      const { from } = stage.source("balances");
      for (const table of wrongOnes()) {
        const select = timesSelect(table, from, wanted - counted[table]);
        await insert(table, select, optionsOf(segment, options));
      }
      await stage.empty(["balances"]);
      counted = await readEntered(engine, segment);
    }
    if (wrongOnes().length > 0) throw damaged(segment, wrongOnes());
  };
  return {
    forget: (network) => void stages.delete(network),
    write: (segment, options) => enter(segment, 1, options),
    takeOut: (segment, options) => enter(segment, 0, options),
  };
};
