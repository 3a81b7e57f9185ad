import { expect, onTestFinished, test } from "vitest";
import { serveSite } from "../../../test/local_site.ts";
import type { RequestTracer, TraceStep } from "../../lib/trace.ts";
import { TronEndpoint } from "../tron/endpoint.ts";
import { POOL_DEFAULTS } from "./endpoints.ts";
import { JsonRpcEndpoint } from "./json_rpc.ts";

/** Reads from a node that sends `answers` to everything, and returns the traced steps. */
const readNode = async (answer: unknown) => {
  const site = await serveSite((_, response) => response.end(JSON.stringify(answer)));
  onTestFinished(() => site.close());
  const steps: TraceStep[] = [];
  const tracing: RequestTracer = {
    request: () => null,
    step: (step, work) => {
      steps.push(step);
      return work({ note: () => undefined });
    },
  };
  return {
    url: `http://user:secret@127.0.0.1:${site.port}/v2/secret?key=secret`,
    steps,
    options: { ...POOL_DEFAULTS, tracing },
  };
};

const stepOf = (method: string): TraceStep => ({
  name: `node ${method}`,
  kind: "client",
  facts: { "server.address": "127.0.0.1", "rpc.method": method },
});

test("a read over JSON-RPC is a step named by its method, and without a method for a batch of several", async () => {
  const { url, steps, options } = await readNode([
    { jsonrpc: "2.0", id: 1, result: "0x1" },
    { jsonrpc: "2.0", id: 2, result: "0x2" },
  ]);
  const endpoint = new JsonRpcEndpoint(url, options);
  onTestFinished(() => endpoint.close());
  const calls = ["eth_getBalance", "eth_getCode"].map((method) => ({ method, params: ["secret"] }));
  await endpoint.ask(calls, AbortSignal.timeout(5_000));
  expect(steps).toEqual([stepOf("several")]);
});

test("a read of a Tron node is a step named by its path", async () => {
  const { url, steps, options } = await readNode({ block_header: {} });
  const endpoint = new TronEndpoint(url, options);
  onTestFinished(() => endpoint.close());
  await endpoint.ask("/wallet/getblock", { id_or_num: "secret" }, AbortSignal.timeout(5_000));
  expect(steps).toEqual([stepOf("/wallet/getblock")]);
});
