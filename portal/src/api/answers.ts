/** Paid answers: each is requested once and cached until the page closes or the user requests it again at its price. */
import { createStore, type ValueStore } from "../store.ts";
import type { JsonObject, ToolAnswer } from "./answer.ts";
import { call } from "./client.ts";
import { credential } from "./credential.ts";

export interface ToolQuestion {
  readonly tool: string;
  readonly args: JsonObject;
  /** Of a call that is no tool. */
  readonly path?: string | null;
}

export interface PendingAnswer {
  readonly kind: "asking";
  readonly since_ms: number;
  readonly stop: () => void;
  /** Content while waiting. */
  readonly earlier: ToolAnswer | null;
}

export type AnswerState = PendingAnswer | { readonly kind: "answered"; readonly answer: ToolAnswer };

/** Equal for equal arguments in any order. */
const questionKey = ({ tool, args }: ToolQuestion): string =>
  `${tool} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

const held = new Map<string, ValueStore<AnswerState | null>>();

/** State of a call, as a store to subscribe to. */
export const answerStore = (question: ToolQuestion): ValueStore<AnswerState | null> => {
  const key = questionKey(question);
  const known = held.get(key) ?? createStore<AnswerState | null>(null);
  held.set(key, known);
  return known;
};

/** Makes the call even when an answer is cached: the caller has shown the price. A running call is not repeated. */
export const requestAnswer = async (question: ToolQuestion, catalog_version: string): Promise<ToolAnswer | null> => {
  const store = answerStore(question);
  const now = store.get();
  if (now?.kind === "asking") return null;
  const control = new AbortController();
  const by = credential.get();
  store.set({ kind: "asking", since_ms: Date.now(), stop: () => control.abort(), earlier: now?.answer ?? null });
  const { tool, args, path = null } = question;
  const answer = await call(tool, args, { signal: control.signal, catalog_version, path });
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
