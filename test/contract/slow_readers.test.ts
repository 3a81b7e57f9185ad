import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { openCustomer } from "../../src/accounts/testing/store.ts";
import { data } from "../../src/lib/outcome.ts";
import * as fields from "../../src/tools/fields.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { type Bench, benchHere, GOOD } from "./bench.ts";
import { benchTools, WALLET } from "./bench_tools.ts";
import { rawPost } from "./raw.ts";

const WIDE = { monthly_credits: 1e9, keys_max: 9, calls_per_minute: 1e6 };
const PATIENT = { timeout: 60_000 };
/** More than the socket buffers of this machine hold. */
const ANSWER_BYTES = 16 << 20;

/** A tool whose answer is larger than the socket buffers of a connection. */
const long = defineTool({
  name: "answer_long",
  title: "Long answers",
  description: "Exists only in tests of the contract.",
  credits: 3,
  families: ["evm"],
  input: z.strictObject({ address: fields.address("The wallet."), network: fields.networks() }),
  output: z.strictObject({ type: z.literal("long"), text: z.string() }),
  example: { address: WALLET, network: "demo" },
  run: async () => data({ type: "long" as const, text: "x".repeat(ANSWER_BYTES) }),
});

/** Requests a long answer and does not read it. */
const deaf = async (service: Bench): Promise<Socket> => {
  const socket = connect(service.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.pause();
  socket.write(rawPost("/api/tools/answer_long", service.customer.key.secret, JSON.stringify(GOOD)));
  return socket;
};

const gauge = async (service: Bench, name: string): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
};

const open = (limits: object) =>
  benchHere({ accounts: { plans: { business: WIDE } }, tools: [...benchTools, long], limits });

test("a client that does not read its answer holds no slot, and memory only of its own account", async () => {
  // A quarter of 48 MiB are 12 MiB: one such answer fills it.
  const service = await open({ calls_max: 4, waiting_bytes_max: 48 << 20, answer_timeout_ms: 600_000 });
  const neighbour = await openCustomer(service.store);
  const as = { key: neighbour.key.secret };
  const socket = await deaf(service);
  await expect.poll(() => gauge(service, "assay_waiting_bytes"), PATIENT).toBeGreaterThan(ANSWER_BYTES);
  expect(await gauge(service, "assay_slots_used")).toBe(0);
  expect((await service.post("show")).body.detail).toMatch(/^This account's requests and answers/);
  expect((await service.post("show", GOOD, as)).status).toBe(200);
  // The answer was ready and written in time, so a slow client gets no refund.
  expect((await service.store.accounts.show(service.customer.account.id)).credits_used).toBe(3);
  socket.resume();
  await once(socket, "close");
  await expect.poll(() => gauge(service, "assay_waiting_bytes"), PATIENT).toBe(0);
  expect((await service.post("show")).status).toBe(200);
});

test("a client that takes too long over its answer loses its connection, and the memory is free again", async () => {
  const service = await open({ answer_timeout_ms: 200 });
  const socket = await deaf(service);
  await expect.poll(() => gauge(service, "assay_waiting_bytes"), PATIENT).toBeGreaterThan(ANSWER_BYTES);
  await expect.poll(() => gauge(service, "assay_waiting_bytes"), PATIENT).toBe(0);
  let heard = 0;
  socket.on("data", (chunk) => {
    heard += chunk.length;
  });
  socket.resume();
  await once(socket, "close");
  expect(heard).toBeLessThan(ANSWER_BYTES);
  expect(await service.store.ledger.verify()).toEqual([]);
});
