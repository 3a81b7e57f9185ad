/** Paid answers: each is requested once and cached until the page closes or the user requests it again at its price. */
import { createStore, type Store } from "../store.ts";
import type { Answer, Fields } from "./answer.ts";
import { call } from "./client.ts";
import { credential } from "./credential.ts";

export interface Question {
  readonly tool: string;
  readonly args: Fields;
}

export interface Asking {
  readonly kind: "asking";
  readonly since_ms: number;
  readonly stop: () => void;
  /** Content while waiting. */
  readonly earlier: Answer | null;
}

export type Held = Asking | { readonly kind: "answered"; readonly answer: Answer };

/** Equal for equal arguments in any order. */
const questionKey = ({ tool, args }: Question): string =>
  `${tool} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

const held = new Map<string, Store<Held | null>>();

/** State of a call, as a store to subscribe to. */
export const heldFor = (question: Question): Store<Held | null> => {
  const key = questionKey(question);
  const known = held.get(key) ?? createStore<Held | null>(null);
  held.set(key, known);
  return known;
};

/** Makes the call even when an answer is cached: the caller has shown the price. A running call is not repeated. */
export const ask = async (question: Question, catalog_version: string): Promise<Answer | null> => {
  const store = heldFor(question);
  const now = store.get();
  if (now?.kind === "asking") return null;
  const control = new AbortController();
  const by = credential.get();
  store.set({ kind: "asking", since_ms: Date.now(), stop: () => control.abort(), earlier: now?.answer ?? null });
  const answer = await call(question.tool, question.args, { signal: control.signal, catalog_version });
  // The credential changed meanwhile: this answer must not be shown under the next one.
  if (credential.get() === by) store.set({ kind: "answered", answer });
  return answer;
};

credential.subscribe(() => {
  for (const store of held.values()) {
    const now = store.get();
    if (now?.kind === "asking") now.stop();
    store.set(null);
  }
});
