import { setTimeout as sleep } from "node:timers/promises";
import { drawsOf } from "../../test/random.ts";
import { type Assay, makeStore, readContent, type StaticChain, type StoreContent, type WriterStore } from "./setup.ts";

export interface WritersOptions {
  readonly chain: StaticChain;
  /** Result of one undisturbed indexer. */
  readonly clean: StoreContent;
  readonly seed: number;
  readonly lease_ms: number;
  /** Sleeps and kills during one run. */
  readonly strikes: number;
}

export interface WritersRun {
  readonly indexers: number;
  readonly pauses: number;
  readonly kills: number;
  /** How often the right to write was granted. */
  readonly epochs: number;
  /** Differences; empty if all is well. */
  readonly faults: readonly string[];
}

/** Longer than any run on a busy machine. */
const RUN_WITHIN_MS = 900_000;

/**
 * Two or three indexers of one store that are stopped for longer than their lease and killed, until each has ended by
 * itself.
 */
export const runWriters = async (options: WritersOptions): Promise<WritersRun> => {
  const { chain, clean, seed } = options;
  const store = await makeStore(chain, { index_lease_ms: options.lease_ms });
  const dice = diceOf(seed);
  const crowd = new Crowd(store, 2 + dice(2));
  const faults: string[] = [];
  try {
    for (let strike = 0; strike < options.strikes && crowd.lives(); strike += 1) {
      await sleep(100 + dice(1_500));
      if (dice(3) === 0) await crowd.kill(dice);
      else crowd.pause(dice, options.lease_ms * (1.2 + dice(20) / 10));
    }
    faults.push(...(await crowd.end()));
    // A process that was killed last may have left an unfinished state.
    const last = store.run("index", ["--once"]);
    const code = await last.ended;
    if (code !== 0) faults.push(`the last indexer ended with ${code}: ${last.said()}`);
    const content = await readContent(store);
    faults.push(...content.doubled, ...differences(clean, content));
    return { indexers: crowd.size, pauses: crowd.pauses, kills: crowd.kills, epochs: content.epochs, faults };
  } finally {
    crowd.destroy();
    await store.remove();
  }
};

const differences = (clean: StoreContent, content: StoreContent): string[] => [
  ...(clean.blocks === content.blocks ? [] : [`${content.blocks} blocks, not ${clean.blocks}`]),
  ...Object.entries(clean.hash)
    .filter(([table, hash]) => content.hash[table] !== hash)
    .map(([table, hash]) => `${table}: ${content.hash[table]}, not ${hash}`),
];

/** A number below `below`. */
type WriterDice = (below: number) => number;

const diceOf = (seed: number): WriterDice => {
  const draw = drawsOf(seed);
  return (below) => Math.floor(draw() * below);
};

interface WriterMember extends Assay {
  is_over: boolean;
  wakes: NodeJS.Timeout | null;
}

/** Indexers of one store; a killed one is started again. */
class Crowd {
  readonly size: number;
  readonly #store: WriterStore;
  readonly #members: WriterMember[] = [];
  pauses = 0;
  kills = 0;

  constructor(store: WriterStore, size: number) {
    this.size = size;
    this.#store = store;
    for (let i = 0; i < size; i += 1) this.#start();
  }

  #start(): void {
    const member: WriterMember = { ...this.#store.run("index", ["--once"]), is_over: false, wakes: null };
    void member.ended.then(() => {
      member.is_over = true;
    });
    this.#members.push(member);
  }

  #awake(): WriterMember[] {
    return this.#members.filter(({ is_over, wakes }) => !is_over && wakes === null);
  }

  lives(): boolean {
    return this.#members.some(({ is_over }) => !is_over);
  }

  async kill(dice: WriterDice): Promise<void> {
    const awake = this.#awake();
    const one = awake[dice(awake.length)];
    if (one === undefined) return;
    one.child.kill("SIGKILL");
    await one.ended;
    this.#members.splice(this.#members.indexOf(one), 1);
    this.kills += 1;
    this.#start();
  }

  pause(dice: WriterDice, ms: number): void {
    const awake = this.#awake();
    const one = awake[dice(awake.length)];
    if (one === undefined) return;
    one.child.kill("SIGSTOP");
    this.pauses += 1;
    one.wakes = setTimeout(() => {
      one.child.kill("SIGCONT");
      one.wakes = null;
    }, ms);
  }

  /** Waits until all have ended by themselves. Returns the faults of that. */
  async end(): Promise<string[]> {
    const late = sleep(RUN_WITHIN_MS, "late", { ref: false });
    const ends = this.#members.map(async ({ ended, said }) => {
      const code = await Promise.race([ended, late]);
      return code === 0 ? [] : [`an indexer ended with ${code}: ${said()}`];
    });
    return (await Promise.all(ends)).flat();
  }

  destroy(): void {
    for (const { child, wakes } of this.#members) {
      if (wakes !== null) clearTimeout(wakes);
      child.kill("SIGKILL");
    }
  }
}
