import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { BadAnswer } from "./answer.ts";
import { CallBatcher, type CallBatcherOptions } from "./call_batcher.ts";
import type { RpcAnswer, RpcCall } from "./json_rpc.ts";
import { NodeRefusal, Slow } from "./refusal.ts";

const never = new AbortController().signal;
const callsOf = (...names: readonly string[]): readonly RpcCall[] => names.map((method) => ({ method, params: [] }));
const said = (calls: readonly RpcCall[]): readonly RpcAnswer[] =>
  calls.map(({ method }) => ({ ok: true, result: `${method}!` }));
const resultsOf = (answers: readonly RpcAnswer[]) => answers.map((answer) => (answer.ok ? answer.result : null));
const namesOf = (calls: readonly RpcCall[]) => calls.map(({ method }) => method).join("");

const open = (parts: Partial<CallBatcherOptions> = {}) => {
  const requests: string[] = [];
  const gathered = new CallBatcher({
    batch: () => 4,
    together: async (calls) => {
      requests.push(namesOf(calls));
      return said(calls);
    },
    alone: async (calls) => {
      requests.push(`alone ${namesOf(calls)}`);
      return said(calls);
    },
    step: (_, work) => work(),
    ...parts,
  });
  return { gathered, requests };
};

test("calls of one moment travel together, in order, up to the limit of a request", async () => {
  const { gathered, requests } = open();
  const asked = [["a"], ["b", "c"], ["d", "e"], ["f", "g", "h", "i", "j"], []].map((names) => callsOf(...names));
  const answers = await Promise.all(asked.map((calls) => gathered.ask(calls, never)));
  expect(answers.map(resultsOf)).toEqual(asked.map((calls) => calls.map(({ method }) => `${method}!`)));
  // A list longer than a request may be is cut, a shorter one is not.
  expect(requests).toEqual(["abc", "alone de", "alone fghi", "alone j"]);
});

test("a single call is a request of its own, as before", async () => {
  const { gathered, requests } = open();
  expect(resultsOf(await gathered.ask(callsOf("a", "b"), never))).toEqual(["a!", "b!"]);
  await gathered.ask(callsOf("c"), never);
  expect(requests).toEqual(["alone ab", "alone c"]);
});

test("many callers at one moment cause no warning about listeners", async () => {
  const heard: string[] = [];
  const hear = ({ name, message }: Error): void => void heard.push(`${name}: ${message}`);
  process.on("warning", hear);
  const { gathered, requests } = open({ batch: () => 40 });
  const callers = Array.from({ length: 30 }, () => new AbortController().signal);
  await Promise.all(callers.map((signal) => gathered.ask(callsOf("a"), signal)));
  // Warnings come after the present work.
  await new Promise(setImmediate);
  process.off("warning", hear);
  expect(requests).toEqual(["a".repeat(30)]);
  expect(heard).toEqual([]);
});

test("a caller that gives up does not affect the answers of the others", async () => {
  let signal = never;
  let answer = (): void => undefined;
  const together: CallBatcherOptions["together"] = async (calls, given_up) => {
    signal = given_up;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return said(calls);
  };
  const { gathered } = open({ together });
  const [one, other] = [new AbortController(), new AbortController()];
  const asked = [gathered.ask(callsOf("a"), one.signal), gathered.ask(callsOf("b"), other.signal)];
  const ended = Promise.allSettled(asked);
  await new Promise((resolve) => setImmediate(resolve));
  one.abort(new Error("enough"));
  await expect(asked[0]).rejects.toThrow("enough");
  expect(signal.aborted).toBe(false);
  answer();
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("aborts a request when all its callers have aborted", async () => {
  let signal = never;
  const together: CallBatcherOptions["together"] = (_, given_up) => {
    signal = given_up;
    return new Promise(() => undefined);
  };
  const { gathered } = open({ together });
  const [one, other] = [new AbortController(), new AbortController()];
  const ended = Promise.allSettled([
    gathered.ask(callsOf("a"), one.signal),
    gathered.ask(callsOf("b"), other.signal),
    gathered.ask(callsOf("c"), other.signal),
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  one.abort();
  expect(signal.aborted).toBe(false);
  other.abort();
  expect(signal.aborted).toBe(true);
  await ended;
});

test.each([
  ["no answer", new BadAnswer("a call has no answer")],
  ["an answer that is too large", new NodeRefusal("size", "too large")],
])("%s affects one call only: each is sent alone", async (_, fault) => {
  const { gathered, requests } = open({ together: () => Promise.reject(fault) });
  const answers = await Promise.all([gathered.ask(callsOf("a"), never), gathered.ask(callsOf("b"), never)]);
  expect([answers.map(resultsOf), requests]).toEqual([
    [["a!"], ["b!"]],
    ["alone a", "alone b"],
  ]);
});

test.each([
  ["asked too often", new NodeRefusal("rate", "too many requests")],
  ["slow", new Slow("no answer within 5 ms")],
  ["gone", new Error("connection refused")],
])("%s affects the whole node: every call fails, without a retry", async (_, fault) => {
  const { gathered, requests } = open({ together: () => Promise.reject(fault) });
  const ended = await Promise.allSettled([gathered.ask(callsOf("a"), never), gathered.ask(callsOf("b"), never)]);
  expect(ended).toEqual([fault, fault].map((reason) => ({ status: "rejected", reason })));
  expect(requests).toEqual([]);
});

test("each call is a step of its caller", async () => {
  const asker = new AsyncLocalStorage<string>();
  const steps: string[] = [];
  const step: CallBatcherOptions["step"] = (calls, work) => {
    steps.push(`${asker.getStore()}: ${namesOf(calls)}`);
    return work();
  };
  const { gathered } = open({ step });
  const ask = (who: string, name: string) => asker.run(who, () => gathered.ask(callsOf(name), never));
  await Promise.all([ask("alice", "a"), ask("bob", "b")]);
  expect(steps).toEqual(["alice: a", "bob: b"]);
});
