import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { AccountContext } from "../account/operations.ts";
import { WatchStreams } from "./stream.ts";

// Streams of many accounts in one process, over connections that are streams in memory.

const closing = new AbortController();
const opened: PassThrough[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy();
});

/** A book whose account has so many events, and its queries. */
const bookOf = (newest: number) => {
  const asked = { newest: 0, after: 0 };
  const events = {
    newest: async () => {
      asked.newest += 1;
      return newest;
    },
    after: async (_account: string, seq: number, limit: number) => {
      asked.after += 1;
      const count = Math.max(0, Math.min(limit, newest - seq));
      return Array.from({ length: count }, (_, i) => ({ seq: seq + i + 1, id: `e${i}`, body: "x".repeat(4_096) }));
    },
  };
  return { asked, events };
};

const streams = () => new WatchStreams({ closing: closing.signal });

interface OpenStream {
  readonly events: unknown;
  readonly last?: string | null;
  readonly read?: boolean;
  readonly highWaterMark?: number;
}

/** A stream of an account; `read` = its reader receives all events. */
const begin = async (
  of: WatchStreams,
  account_id: string,
  { events, last = null, read = true, highWaterMark = 16_384 }: OpenStream,
) => {
  const response = new PassThrough({ highWaterMark });
  opened.push(response);
  if (read) response.resume();
  const watch = { streams_per_account: 100, book: { events } };
  const caller = { account_id, key_id: account_id, scopes: ["watch:read"] };
  const answer = await of.begin({
    ...{
      context: { watch, caller } as unknown as AccountContext,
      again: async () => caller as never,
      last,
      request_id: "r",
    },
    response: Object.assign(response, { writeHead: () => response }) as unknown as ServerResponse,
  });
  return { answer, response };
};

test("a thousand streams of some accounts leave another account its place", async () => {
  const of = streams();
  const { events } = bookOf(0);
  const answers = [];
  for (let hostile = 0; hostile < 12; hostile += 1)
    for (let stream = 0; stream < 100; stream += 1)
      answers.push((await begin(of, `hostile ${hostile}`, { events })).answer);
  // 12 first places and the 512 that all share.
  expect(answers.filter((answer) => answer === null)).toHaveLength(524);
  expect((await begin(of, "victim", { events })).answer).toBeNull();
});

test("the streams of an account share one read of new events", async () => {
  const of = streams();
  const { asked, events } = bookOf(7);
  for (let stream = 0; stream < 50; stream += 1) await begin(of, "a", { events });
  const before = asked.newest;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  // Two looks of 50 streams each; a look that is late begins a further one.
  expect(asked.newest - before).toBeGreaterThan(0);
  expect(asked.newest - before).toBeLessThan(12);
  expect(asked.after).toBe(0);
});

test("a reader that takes nothing holds a bounded part of its events, and slows no other stream of its account", async () => {
  const of = streams();
  const { events } = bookOf(1_000);
  const slow = await begin(of, "a", { events, last: "0", read: false });
  const quick = await begin(of, "a", { events, last: "0" });
  let got = 0;
  quick.response.on("data", (bytes: Buffer) => {
    got += bytes.length;
  });
  await expect.poll(() => got, { timeout: 5_000 }).toBeGreaterThan(1_000 * 4_096);
  // The events that fit its buffer, and one more.
  expect(slow.response.writableLength + slow.response.readableLength).toBeLessThan(2 * 16_384 + 2 * 4_200);
});

test("a reader that pauses again and again leaves no listener behind", async () => {
  const made = vi.spyOn(AbortSignal, "any");
  onTestFinished(() => made.mockRestore());
  // Each event is wider than the buffer: each waits until it is taken.
  const { events } = bookOf(100);
  const { response } = await begin(streams(), "a", { events, last: "0", highWaterMark: 1_024 });
  let got = 0;
  response.on("data", (bytes: Buffer) => {
    got += bytes.length;
  });
  await expect.poll(() => got, { timeout: 5_000 }).toBeGreaterThan(100 * 4_096);
  // The first one made is that of the whole stream, on which at most the pause until the next look listens.
  const [ends] = made.mock.results;
  if (ends?.type !== "return") throw new Error("the stream makes its signal first");
  expect(getEventListeners(ends.value, "abort").length).toBeLessThan(2);
});
