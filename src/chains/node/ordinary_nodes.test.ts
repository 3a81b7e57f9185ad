/** Endpoints as providers sell them: each is readable, or one sentence explains why it is not. */
import { expect, onTestFinished, test } from "vitest";
import { type BadNode, startBadNode } from "../../../test/bad_node.ts";
import { is_long } from "../../../test/long.ts";
import { silentLog } from "../../lib/log.ts";
import { openEvmChain } from "../evm/chain.ts";
import { networkFromConfig } from "../networks/from_config.ts";
import type { ChainOptions, OpenChain } from "../open_chain.ts";
import { openTronChain } from "../tron/chain.ts";
import type { RpcAddress } from "./rpc_address.ts";

const signal = new AbortController().signal;
const mine = networkFromConfig({ id: "mine", family: "evm", chain_id: 31337, native: { symbol: "ETH", decimals: 18 } });
const tron = networkFromConfig({ id: "tron" });

const serve = async (mode: string): Promise<BadNode> => {
  const node = await startBadNode(mode);
  onTestFinished(() => node.close());
  return node;
};

const open = async (rpc: readonly RpcAddress[], more: Partial<ChainOptions> = {}): Promise<OpenChain> => {
  const chain = await openEvmChain(mine, { rpc, log: silentLog, attempts_max: 2, timeout_ms: 2_000, ...more }, signal);
  onTestFinished(() => chain.close());
  return chain;
};

const problemOf = async (rpc: readonly RpcAddress[]): Promise<string | null> => {
  const [report] = await (await open(rpc)).probe(signal);
  return report?.problem ?? null;
};

test("a node that answers five requests a second gets no more, and every question is answered", async () => {
  const node = await serve("r429");
  const chain = await open([node.url]);
  const heads = await Promise.all(Array.from({ length: 12 }, () => chain.head(signal)));
  expect(heads.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, () => 1));
  const [counts] = chain.endpoints;
  const { requests = 0, errors, pace } = counts ?? {};
  // Learned from refusals: of calls or of requests, as the answers before them suggested.
  expect(pace?.requests_per_second).not.toBeNull();
  expect(counts?.rate_waits).toBeGreaterThan(0);
  // Those in flight at the first refusal, and few after it.
  expect(node.refused).toBeLessThanOrEqual(Math.max(5, requests * 0.3));
  expect(errors?.rate).toBe(node.refused);
  expect(counts?.endpoint).toBe(node.url);
}, 30_000);

test.skipIf(!is_long)(
  "a node that refuses everything because of its rate has failed, and the error says why",
  async () => {
    const node = await serve("quota");
    expect(await problemOf([node.url])).toMatch(/HTTP 429.*daily quota exhausted/);
    // 1, 2, 4, 8 and 16 seconds between them; one more request may probe for another family.
    expect(node.refused).toBeLessThanOrEqual(8);
  },
  120_000,
);

test("a password in the address, a key in a header and a bearer token authenticate", async () => {
  const [basic, header, bearer] = [await serve("basic"), await serve("header"), await serve("bearer")];
  expect(await problemOf([basic.url.replace("http://", "http://user:pw@")])).toBeNull();
  expect(await problemOf([{ url: header.url, headers: { "x-api-key": "secret" } }])).toBeNull();
  expect(await problemOf([{ url: bearer.url, headers: { Authorization: "Bearer secret" } }])).toBeNull();
});

test.each([
  ["header", /^it refuses with HTTP 401 \(a key is missing in its address or headers, or wrong\): API key missing$/],
  ["r403", /^it refuses with HTTP 403 \(.*\): Your plan does not include this network$/],
  ["html", /^the address answers with a web page, not with JSON-RPC$/],
  ["redirect", /^the node redirects to http:\/\/127\.0\.0\.1:9; Assay does not follow/],
  ["bad_gateway", /^a proxy answers that the node behind it does not \(HTTP 502\)$/],
  ["text_error", /^upstream connect error$/],
  ["solana", /^this is a Solana node; network mine is EVM$/],
])("%s: one sentence says why it cannot be read", async (mode, sentence) => {
  const node = await serve(mode);
  expect(await problemOf([node.url])).toMatch(sentence);
});

test("reports about an endpoint contain none of its keys, also if the node repeats them", async () => {
  const node = await serve("echo");
  const url = `${node.url.replace("http://", "http://user:pass-word@")}/v3/0123456789abcdef0123?key=fedcba9876543210`;
  const chain = await open([{ url, name: "main", headers: { "x-key": "header-secret-1" } }]);
  const [report] = await chain.probe(signal);
  expect(report?.endpoint).toMatch(/^main \(http:\/\/127\.0\.0\.1:\d+\/…\)$/);
  const told = JSON.stringify([report, chain.endpoints]);
  for (const secret of ["pass-word", "0123456789abcdef0123", "fedcba9876543210", "header-secret-1"])
    expect(told).not.toContain(secret);
  expect(told).toContain("[secret]");
});

test.each([
  ["nobatch", 1],
  ["nobatch400", 1],
  ["batch3", 3],
  ["empty_array", 1],
])("%s: arrays become as long as the node allows, and longer ones are not tried later", async (mode, batch) => {
  const node = await serve(mode);
  const chain = await open([node.url]);
  const [report] = await chain.probe(signal);
  expect(report).toMatchObject({ problem: null, traits: { batch } });
  const { refused } = node;
  for (let i = 0; i < 40; i += 1) await chain.head(signal);
  expect(node.refused).toBe(refused);
});

test("ids as text, answers out of order, no jsonrpc and a null error beside a result are read", async () => {
  const node = await serve("odd");
  expect(await problemOf([node.url])).toBeNull();
});

test("rejects a WebSocket address with a sentence", async () => {
  await expect(open(["wss://127.0.0.1:1/v3/key"])).rejects.toThrow(
    "Assay reads nodes over HTTP, not over WebSocket. Use the http(s) address of the same node instead of wss://127.0.0.1:1/….",
  );
});

test("waits out a penalty of TronGrid for as long as it states", async () => {
  const node = await serve("trongrid");
  const chain = await openTronChain(tron, { rpc: [node.url], log: silentLog, open_wait_ms: 10 }, signal);
  onTestFinished(() => chain.close());
  const [report] = await chain.probe(signal);
  // Suspended for two seconds, then it turns out to be another family's node behind the same address.
  expect(report?.problem).toBe("this is an EVM node; network tron is Tron");
  expect(chain.endpoints[0]?.errors.rate).toBeGreaterThan(0);
  expect(chain.endpoints[0]?.rate_wait_ms).toBeGreaterThan(1_500);
}, 20_000);
