import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { enabledNetwork } from "../../src/wiring/enabled_network.ts";
import { openTestService, type TestService } from "./served_world.ts";

/** The whole service on a separate moving chain: a payment is signed, sent and charged once, and revoked with its block. */

const ROOT = join(import.meta.dirname, "../..");
/** The first two accounts that every anvil has. */
const [ALICE, BOB] = ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"];

interface ReceivedWebhook {
  readonly signature: string;
  readonly expected: string;
  // biome-ignore lint/suspicious/noExplicitAny: walked freely in assertions.
  readonly body: any;
}

let secret = "";
const taken: ReceivedWebhook[] = [];
const receiver = createServer((request, response) => {
  let text = "";
  request.on("data", (bytes) => {
    text += bytes;
  });
  request.on("end", () => {
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = request.headers;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const expected = `v1,${createHmac("sha256", key).update(`${id}.${time}.${text}`).digest("base64")}`;
    taken.push({ signature: String(signature), expected, body: JSON.parse(text) });
    response.writeHead(204).end();
  });
});

let anvil: ChildProcess;
let node: string;
let stage: TestService;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const port = await new Promise<string>((resolve, reject) => {
    // A separate process group: npm links a program that starts the node.
    const how = { stdio: ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"], detached: true };
    anvil = spawn(join(ROOT, "node_modules/.bin/anvil"), ["--port", "0"], how);
    anvil.once("error", reject);
    let said = "";
    anvil.stdout?.on("data", (bytes) => {
      said += bytes;
      const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  node = `http://127.0.0.1:${port}`;
  await rpc("anvil_mine", "0x4");
  // A server that listens on TCP has an address of this shape.
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const own = settings.parse({
    networks: {
      mychain: {
        ...{ rpc: [node], family: "evm", chain_id: 31337, native: { symbol: "ETH", decimals: 18 } },
        ...{ poll_ms: 200, openings: "skip" },
      },
    },
    watch: { enabled: true, credits: 3, local_origins: [origin] },
  });
  const entry = own.networks.mychain;
  if (entry === undefined) throw new Error("the network was configured");
  stage = await openTestService({ networks: [enabledNetwork("mychain", entry)], settings: { watch: own.watch } });
});
afterAll(async () => {
  await stage?.close();
  if (anvil?.pid !== undefined) process.kill(-anvil.pid, "SIGKILL");
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const rpc = async (method: string, ...params: unknown[]) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(node, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
};
const pay = (value: string) => rpc("eth_sendTransaction", { from: ALICE, to: BOB, value });
const soon = { timeout: 100_000, interval: 200 };
const types = () => taken.map(({ body }) => body.type);

test("signs, sends and charges a payment once, and revokes it when its block is dropped", async () => {
  const { service } = stage;
  const account = await service.accounts.accounts.create({ name: "watcher", plan: "wide" });
  const key = await service.accounts.keys.create({ account_id: account.id, scopes: ["watch:manage"] });
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  // Matching starts at the newest block: earlier events are not reported.
  await expect.poll(metrics, soon).toContain('assay_watch_lag_blocks{network="mychain"} 0');
  await expect.poll(() => service.progress().mychain?.indexed ?? null, soon).toBe(4);
  const response = await fetch(`${service.url}/api/watch/rules`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ network: "mychain", address: BOB },
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    }),
  });
  ({ secret } = (await response.json()) as { secret: string });
  await pay("0xde0b6b3a7640000");
  await expect.poll(types, soon).toEqual(["movement"]);
  const payment = taken[0]?.body;
  expect(payment).toMatchObject({
    ...{ network: "mychain", direction: "in", usd: null, block: { number: 5, state: "tail" } },
    movement: { amount_raw: "1000000000000000000", token: { address: "native", decimals: 18 }, source: ALICE },
    counterparties: [{ address: ALICE, label: null, category: null, source: null }],
  });
  await rpc("anvil_reorg", 1, []);
  await rpc("anvil_mine", "0x2");
  await expect.poll(types, soon).toContain("retracted");
  const retracted = taken.find(({ body }) => body.type === "retracted")?.body;
  expect(retracted).toMatchObject({ retracts: payment.id, block: payment.block });
  expect(taken.map(({ signature }) => signature)).toEqual(taken.map(({ expected }) => expected));
  const paid = types().filter((type) => type === "movement").length;
  expect((await service.accounts.accounts.show(account.id)).credits_used).toBe(3 * paid);
  expect(await service.accounts.ledger.verify()).toEqual([]);
});
