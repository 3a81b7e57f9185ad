/** Answers that were paid for: each is asked once, and kept until the page is left or somebody asks again and knows the price. */
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
  /** What is shown meanwhile. */
  readonly earlier: Answer | null;
}

export type Held = Asking | { readonly kind: "answered"; readonly answer: Answer };

/** Equal for equal questions, in whatever order their fields stand. */
const questionKey = ({ tool, args }: Question): string =>
  `${tool} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

const held = new Map<string, Store<Held | null>>();

/** What is known of a question, to be followed. */
export const heldFor = (question: Question): Store<Held | null> => {
  const key = questionKey(question);
  const known = held.get(key) ?? createStore<Held | null>(null);
  held.set(key, known);
  return known;
};

/** Asks, also when there is an answer already: whoever calls this has shown the price. What runs is not asked twice. */
export const ask = async (question: Question, catalog_version: string): Promise<Answer | null> => {
  const store = heldFor(question);
  const now = store.get();
  if (now?.kind === "asking") return null;
  const control = new AbortController();
  const by = credential.get();
  store.set({ kind: "asking", since_ms: Date.now(), stop: () => control.abort(), earlier: now?.answer ?? null });
  const answer = await call(question.tool, question.args, { signal: control.signal, catalog_version });
  // Meanwhile another key was taken: what this one was told is not for the next.
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
