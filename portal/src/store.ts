/** A value that components subscribe to. */
import { useEffect, useState } from "preact/hooks";

export interface ValueStore<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export const createStore = <T>(initial: T): ValueStore<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useStore = <T>(store: ValueStore<T>): T => {
  const [, redraw] = useState(0);
  useEffect(() => {
    redraw((count) => count + 1); // what changed between drawing and this moment
    return store.subscribe(() => redraw((count) => count + 1));
  }, [store]);
  return store.get();
};

/** An entry in the browser's storage. */
export interface StoredSetting<T> {
  readonly storage: Storage;
  readonly name: string;
  readonly isRight: (value: unknown) => value is T;
}

/** The value, or `fallback` where there is nothing, or nothing that is right. */
export const readStored = <T>({ storage, name, isRight }: StoredSetting<T>, fallback: T): T => {
  try {
    const value: unknown = JSON.parse(storage.getItem(name) ?? "null");
    return isRight(value) ? value : fallback;
  } catch {
    return fallback; // not JSON, or a browser that keeps nothing
  }
};

/** @returns false if the browser stores nothing; the choice then holds until the page closes. */
export const writeStored = (
  { storage, name }: Pick<StoredSetting<unknown>, "storage" | "name">,
  value: unknown,
): boolean => {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};
