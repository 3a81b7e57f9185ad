/** Recent and pinned entities, stored only in this browser. */
import { isFields } from "../api/answer.ts";
import { createStore, readStored, type ValueStore, writeStored } from "../store.ts";
import { type Entity, KIND_NAMES, pageAddress } from "./page_address.ts";

const RECENT_MAX = 20;
const PINNED_MAX = 200;

const isEntity = (value: unknown): value is Entity =>
  isFields(value) &&
  typeof value.kind === "string" &&
  Object.hasOwn(KIND_NAMES, value.kind) &&
  typeof value.network === "string" &&
  typeof value.id === "string";

const isList = (value: unknown): value is readonly Entity[] => Array.isArray(value) && value.every(isEntity);

const RECENT = { storage: localStorage, name: "assay.recent", isRight: isList };
const PINNED = { storage: localStorage, name: "assay.pinned", isRight: isList };

export const recent: ValueStore<readonly Entity[]> = createStore(readStored(RECENT, []));
export const pinned: ValueStore<readonly Entity[]> = createStore(readStored(PINNED, []));

const isSame = (a: Entity, b: Entity): boolean => pageAddress(a) === pageAddress(b);

export const noteVisit = (entity: Entity): void => {
  const next = [entity, ...recent.get().filter((one) => !isSame(one, entity))].slice(0, RECENT_MAX);
  writeStored(RECENT, next);
  recent.set(next);
};

export const isPinned = (list: readonly Entity[], entity: Entity): boolean => list.some((one) => isSame(one, entity));

export const togglePin = (entity: Entity): void => {
  const now = pinned.get();
  const next = isPinned(now, entity)
    ? now.filter((one) => !isSame(one, entity))
    : [entity, ...now].slice(0, PINNED_MAX);
  writeStored(PINNED, next);
  pinned.set(next);
};

export const forgetVisits = (): void => {
  writeStored(RECENT, null);
  recent.set([]);
};
