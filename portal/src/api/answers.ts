/** Paid answers: each is requested once and cached until the page closes or the user requests it again at its price. */
import { createStore, type ValueStore } from "../store.ts";
import { fieldsOf, isFields, type JsonObject, type ToolAnswer, textOf } from "./answer.ts";
import { call, request } from "./client.ts";
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

/** An answer of an earlier call, as the account keeps it. */
const keptAnswer = (row: unknown): ToolAnswer | null => {
  const { request_id, credits, kept_at, body } = fieldsOf(row);
  const at_ms = typeof kept_at === "string" ? Date.parse(kept_at) : Number.NaN;
  if (!isFields(body) || Number.isNaN(at_ms)) return null;
  return {
    ...{ status: body.status === "no_data" ? "no_data" : "data", http_status: 200, body, at_ms, is_kept: true },
    ...{ charged: typeof credits === "number" ? credits : null, remaining: null, request_id: textOf(request_id) },
  };
};

/** Most questions of one request for kept answers. */
const RECALLED_MAX = 30;

/** Fills open questions with the answers that the account keeps, free of charge. */
export const recallAnswers = async (questions: readonly ToolQuestion[]): Promise<void> => {
  const by = credential.get();
  const open = questions.filter((question) => answerStore(question).get() === null).slice(0, RECALLED_MAX);
  if (by === null || open.length === 0) return;
  const found = await request("/api/account/answers/find", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ questions: open.map(({ tool, args }) => ({ tool, arguments: args })) }),
  });
  const rows = found.status !== "error" && Array.isArray(found.body.answers) ? found.body.answers : [];
  if (credential.get() !== by) return;
  for (const [i, question] of open.entries()) {
    const answer = keptAnswer(rows[i]);
    const store = answerStore(question);
    // A call that was made meanwhile is newer.
    if (answer !== null && store.get() === null) store.set({ kind: "answered", answer });
  }
};

credential.subscribe(() => {
  for (const store of held.values()) {
    const now = store.get();
    if (now?.kind === "asking") now.stop();
    store.set(null);
  }
});
