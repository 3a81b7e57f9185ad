import { setImmediate as nextTurn } from "node:timers/promises";

/** A longer list is read by itself: it gains nothing from being one with others. */
const LIST_MAX = 500;

/** Requests collected until the event loop's next turn. */
interface Batch<K, V> {
  readonly items: Map<string, K>;
  readonly found: Promise<ReadonlyMap<string, V>>;
}

/** One value for each item, in the order of the items. */
type ReadItems<K, V> = (items: readonly K[]) => Promise<readonly V[]>;

/**
 * Parts of a call that want the same of several things, in the same turn of the event loop, without knowing of each other: they are
 * read by one question. `of` says what it is besides the items that an answer depends on.
 */
export const openBatchReader = <K, V>(nameOf: (item: K) => string) => {
  const batches = new Map<string, Batch<K, V>>();
  const begin = (of: string, read: ReadItems<K, V>): Batch<K, V> => {
    const items = new Map<string, K>();
    const readAll = async (): Promise<ReadonlyMap<string, V>> => {
      await nextTurn();
      if (batches.get(of) === batch) batches.delete(of);
      const values = await read([...items.values()]);
      return new Map([...items.keys()].map((name, i) => [name, values[i] as V])); // a value for each item
    };
    const batch = { items, found: readAll() };
    batches.set(of, batch);
    return batch;
  };
  return async (of: string, wanted: readonly K[], read: ReadItems<K, V>): Promise<readonly V[]> => {
    if (wanted.length === 0 || wanted.length > LIST_MAX) return read(wanted);
    const open = batches.get(of);
    const batch = open === undefined || open.items.size > LIST_MAX ? begin(of, read) : open;
    for (const item of wanted) batch.items.set(nameOf(item), item);
    const found = await batch.found;
    return wanted.map((item) => found.get(nameOf(item)) as V); // each was put in
  };
};
