import type { Engine } from "../src/store/engine.ts";
import type { FactsStore } from "../src/store/open.ts";

/**
 * Stores whose test has ended, emptied for the next one of the same process: starting an engine and opening its tables takes seven
 * times longer. A store that a test changed by more than rows is not reused.
 */

interface Idle {
  readonly data_dir: string;
  /** Keeps the engine running until its next user arrives. */
  readonly keeper: FactsStore;
}

/** State of a store beside rows: its tables as created, and waiting, running or detached parts. */
const STATE_SQL = `SELECT
  (SELECT (count(), sum(cityHash64(name, create_table_query))) FROM system.tables WHERE database = currentDatabase()),
  (SELECT count() FROM system.mutations WHERE NOT is_done), (SELECT count() FROM system.detached_parts),
  (SELECT count() FROM system.processes)`;
const FILLED_SQL = `SELECT table, toUInt32(sum(rows)) FROM system.parts
  WHERE active AND database = currentDatabase() GROUP BY table`;
/** Tables in which a writer prepares its rows. */
const STAGED_SQL = "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'stage_')";

const stateOf = async (engine: Engine): Promise<string> => JSON.stringify(await engine.query(STATE_SQL));

/** Rows by table. */
const filledOf = async (engine: Engine): Promise<ReadonlyMap<string, number>> =>
  new Map((await engine.query(FILLED_SQL)).map(([table, rows]) => [String(table), Number(rows)]));

export class IdleStores {
  readonly #idle: Idle[] = [];
  /** State of an unused store. */
  #fresh: { readonly state: string; readonly filled: ReadonlyMap<string, number> } | null = null;

  /** Called with each new store. */
  async learn({ engine }: FactsStore): Promise<void> {
    this.#fresh ??= { state: await stateOf(engine), filled: await filledOf(engine) };
  }

  take(): Idle | undefined {
    return this.#idle.pop();
  }

  /** @returns false when it cannot be emptied */
  async give(one: Idle): Promise<boolean> {
    const is_empty = await this.#empty(one.keeper.engine).catch(() => false);
    if (is_empty) this.#idle.push(one);
    return is_empty;
  }

  async #empty(engine: Engine): Promise<boolean> {
    if (this.#fresh === null) return false;
    const { state, filled } = this.#fresh;
    await engine.command("SYSTEM START MERGES");
    for (const [table] of await engine.query(STAGED_SQL)) await engine.command(`DROP TABLE ${String(table)}`);
    for (const table of (await filledOf(engine)).keys())
      if (!filled.has(table)) await engine.command(`TRUNCATE TABLE ${table}`);
    const left = await filledOf(engine);
    const is_same = left.size === filled.size && [...filled].every(([table, rows]) => left.get(table) === rows);
    return is_same && (await stateOf(engine)) === state;
  }
}
