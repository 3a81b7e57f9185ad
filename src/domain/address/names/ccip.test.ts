import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, encodeFunctionResult, parseAbi } from "viem";
import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import type { CallResult, ContractCall } from "../../../chains/chain.ts";
import { fromHex, hex, toHex } from "../../../lib/bytes.ts";
import { followLookup, type GatewayAnswer, type GatewayClient, isOffchainLookup } from "./ccip.ts";

const CONTRACT = hex("a1".repeat(20));
// EIP-3668, "Specification", and a callback as its example has it.
const ABI = parseAbi([
  "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
  "function callback(bytes response, bytes extraData) view returns (bytes)",
]);
const CALLBACK = encodeFunctionData({ abi: ABI, functionName: "callback", args: ["0x", "0x"] }).slice(0, 10);

const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array(0);

/** The revert of a contract that requests these gateways for 0xbeef. */
const lookup = (urls: readonly string[], sender = CONTRACT): CallResult => {
  // viem wants the literal forms of addresses and selectors.
  const args = [`0x${sender}`, urls, "0xbeef", CALLBACK as "0x00000000", "0xcafe"] as const;
  return { ok: false, data: bytes(encodeErrorResult({ abi: ABI, errorName: "OffchainLookup", args })) };
};

interface GatewayScenario {
  readonly gateway?: GatewayClient | null;
  /** The callback's answer, by its call data. */
  readonly answer?: (call: ContractCall) => CallResult;
}

const follow = (first: CallResult, { gateway = null, answer }: GatewayScenario) => {
  const chain = fixedChain({
    answer: (call) => {
      const result = answer?.(call);
      return result === undefined ? null : { ok: result.ok, data: toHex(result.data) };
    },
  });
  return followLookup({ chain, at: 7, signal: AbortSignal.timeout(5_000), gateway }, CONTRACT, first);
};

/** A gateway that records its requests and answers in turn. */
const gatewayOf = (...answers: readonly GatewayAnswer[]) => {
  const asked: (readonly [string, string | null])[] = [];
  const ask: GatewayClient = async (url, json) => {
    asked.push([url, json]);
    return answers[asked.length - 1] ?? { kind: "silent" };
  };
  return { asked, ask };
};
const said = (data: string, status = 200): GatewayAnswer => ({
  kind: "answer",
  status,
  text: JSON.stringify({ data }),
});

test("the gateway's answer goes to the callback with the extra data, and its return value is the result", async () => {
  const calls: ContractCall[] = [];
  const { asked, ask } = gatewayOf(said("0x1234"));
  const outcome = await follow(lookup(["https://g.test/{sender}/{data}.json"]), {
    gateway: ask,
    answer: (call) => {
      calls.push(call);
      return { ok: true, data: bytes("99") };
    },
  });
  expect(outcome).toEqual({ kind: "data", data: bytes("99"), via_gateway: true });
  expect(asked).toEqual([[`https://g.test/0x${CONTRACT}/0xbeef.json`, null]]);
  const want = encodeFunctionData({ abi: ABI, functionName: "callback", args: ["0x1234", "0xcafe"] });
  expect(calls).toEqual([{ to: CONTRACT, data: want.slice(2) }]);
});

test("without a place for the data it is posted", async () => {
  const { asked, ask } = gatewayOf(said("0x"));
  await follow(lookup(["https://g.test/{sender}"]), { gateway: ask, answer: () => ({ ok: true, data: bytes("") }) });
  expect(asked).toEqual([[`https://g.test/0x${CONTRACT}`, `{"data":"0xbeef","sender":"0x${CONTRACT}"}`]]);
});

test("a server error moves on to the next gateway, a refusal ends the search", async () => {
  const urls = ["https://a.test/{data}", "https://b.test/{data}", "https://c.test/{data}", "https://d.test/{data}"];
  const broken = gatewayOf(
    said("0x", 502),
    { kind: "silent" },
    { kind: "answer", status: 200, text: "{" },
    said("0x01"),
  );
  const answer = () => ({ ok: true, data: bytes("07") });
  expect(await follow(lookup(urls), { gateway: broken.ask, answer })).toMatchObject({ kind: "data" });
  expect(broken.asked).toHaveLength(4);
  const refusing = gatewayOf(said("0x", 404), said("0x01"));
  expect(await follow(lookup(urls), { gateway: refusing.ask, answer })).toEqual({ kind: "silent" });
  expect(refusing.asked).toHaveLength(1);
});

test("another contract's lookup is not followed", async () => {
  const { asked, ask } = gatewayOf(said("0x01"));
  expect(await follow(lookup(["https://g.test/{data}"], hex("b2".repeat(20))), { gateway: ask })).toEqual({
    kind: "silent",
  });
  expect(asked).toEqual([]);
});

test("four rounds are followed, a fifth is not; a callback that reverts ends as a revert", async () => {
  const endless = { asked: 0 };
  const gateway: GatewayClient = async () => {
    endless.asked += 1;
    return said("0x01");
  };
  const again = lookup(["https://g.test/{data}"]);
  expect(await follow(again, { gateway, answer: () => again })).toEqual({ kind: "silent" });
  expect(endless.asked).toBe(4);
  let left = 3;
  const fourth = () => {
    left -= 1;
    return left > 0 ? again : { ok: true, data: bytes("05") };
  };
  expect(await follow(again, { gateway, answer: fourth })).toEqual({
    kind: "data",
    data: bytes("05"),
    via_gateway: true,
  });
  expect(await follow(again, { gateway, answer: () => ({ ok: false, data: bytes("aa") }) })).toEqual({
    kind: "revert",
    data: bytes("aa"),
    via_gateway: true,
  });
});

test("without outbound access no gateway is called, and an ordinary answer or revert is unchanged", async () => {
  expect(await follow(lookup(["https://g.test/{data}"]), {})).toEqual({ kind: "disabled" });
  expect(await follow(lookup(["https://g.test/"]), { gateway: async () => ({ kind: "disabled" }) })).toEqual({
    kind: "disabled",
  });
  const plain = { ok: true, data: bytes("0102") };
  expect(await follow(plain, {})).toEqual({ kind: "data", data: bytes("0102"), via_gateway: false });
  expect(await follow({ ok: false, data: bytes("08c379a0") }, {})).toEqual({
    kind: "revert",
    data: bytes("08c379a0"),
    via_gateway: false,
  });
});

/** IBatchGateway of ensdomains/ens-contracts. */
const BATCH = parseAbi([
  "struct Request { address sender; string[] urls; bytes data; }",
  "function query(Request[] requests) view returns (bool[] failures, bytes[] responses)",
]);
const batchLookup = (requests: readonly { readonly urls: readonly string[]; readonly data: `0x${string}` }[]) => {
  const sender: `0x${string}` = `0x${"b2".repeat(20)}`;
  const callData = encodeFunctionData({
    abi: BATCH,
    functionName: "query",
    args: [requests.map((one) => ({ ...one, sender }))],
  });
  // viem wants the literal forms of addresses and selectors.
  const args = [`0x${CONTRACT}`, ["https://batch.test/"], callData, CALLBACK as "0x00000000", "0xcafe"] as const;
  return { ok: false, data: bytes(encodeErrorResult({ abi: ABI, errorName: "OffchainLookup", args })) };
};

test("a batch is split here: its own gateway hears nothing, and each request goes to its gateways", async () => {
  const asked: string[] = [];
  const gateway: GatewayClient = async (url) => {
    asked.push(url);
    return url.includes("down") ? { kind: "silent" } : said("0x1234");
  };
  const calls: ContractCall[] = [];
  const lookups = batchLookup([
    { urls: ["https://a.test/{sender}/{data}"], data: "0x01" },
    { urls: ["https://down.test/{data}"], data: "0x02" },
  ]);
  const answer = (call: ContractCall) => {
    calls.push(call);
    return { ok: true, data: bytes("07") };
  };
  expect(await follow(lookups, { gateway, answer })).toEqual({ kind: "data", data: bytes("07"), via_gateway: true });
  expect(asked).toEqual([`https://a.test/0x${"b2".repeat(20)}/0x01`, "https://down.test/0x02"]);
  const error = encodeErrorResult({
    abi: parseAbi(["error HttpError(uint16 status, string message)"]),
    errorName: "HttpError",
    args: [502, ""],
  });
  const response = encodeFunctionResult({
    abi: BATCH,
    functionName: "query",
    result: [
      [false, true],
      ["0x1234", error],
    ],
  });
  const want = encodeFunctionData({ abi: ABI, functionName: "callback", args: [response, "0xcafe"] });
  expect(calls).toEqual([{ to: CONTRACT, data: want.slice(2) }]);
});

test("a batch of which nothing is answered is no answer, and no contract makes more than 20 requests", async () => {
  let asked = 0;
  const gateway: GatewayClient = async () => {
    asked += 1;
    return { kind: "silent" };
  };
  // 8 requests of 5 gateways would be 40.
  const urls = ["https://a.test/", "https://b.test/", "https://c.test/", "https://d.test/", "https://e.test/"];
  const many = batchLookup(Array.from({ length: 8 }, () => ({ urls, data: "0x01" as const })));
  expect(await follow(many, { gateway })).toEqual({ kind: "silent" });
  expect(asked).toBe(20);
  expect(await follow(many, { gateway: async () => ({ kind: "disabled" }) })).toEqual({ kind: "disabled" });
});

test("malformed lookups are no lookups to follow and never throw", async () => {
  const whole = lookup(["https://g.test/{data}"]).data;
  const { ask } = gatewayOf();
  for (let length = 4; length < whole.length; length += 7) {
    const cut = { ok: false, data: whole.subarray(0, length) };
    expect(isOffchainLookup(cut)).toBe(true);
    expect(await follow(cut, { gateway: ask })).toEqual({ kind: "silent" });
  }
  const huge = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [2n ** 255n, 2n ** 255n]);
  expect(await follow({ ok: false, data: bytes(`556f1830${huge.slice(2)}`) }, { gateway: ask })).toEqual({
    kind: "silent",
  });
});
