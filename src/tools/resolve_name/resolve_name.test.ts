import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, getAddress, labelhash, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { type FixedState, fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import type { ContractCall } from "../../chains/chain.ts";
import { selectorOf, tailOf, wordOf } from "../../domain/abi.ts";
import { namehash } from "../../domain/address/names/ens_name.ts";
import type { CallContext } from "../../domain/context.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { resolveName } from "./index.ts";

const ENS = hex("e0".repeat(20));
const RESOLVER = hex("e1".repeat(20));
const REGISTRAR = hex("e2".repeat(20));
const ALICE = hex("11".repeat(20));
const NOW = 1_800_000_000; // 2027-01-15T08:00:00Z
const BASE_REGISTRY = hex("b94704422c2a1e396835a571837aa5ae53285a95");
const POLYGON_READER = "91edd8708062bd4233f4dd0fce15a7cb4d500091";

type NameTestAnswers = Readonly<Record<string, { ok: boolean; data: Hex }>>;
const yes = (data: Hex) => ({ ok: true, data });
const key = (to: Hex, signature: string, node: Hex) => `${to}:${selectorOf(signature)}${node}`;
const string = (text: string): Hex => hex(wordOf(32n) + tailOf(new TextEncoder().encode(text)));

/** A name in a registry: resolver, owner, address, end. */
const named = (name: string, { registry = ENS, to = ALICE, ends = NOW + 60 } = {}): NameTestAnswers => {
  const [label = "", ...top] = name.split(".");
  return {
    [key(registry, "resolver(bytes32)", namehash(name))]: yes(wordOf(RESOLVER)),
    [key(registry, "owner(bytes32)", namehash(name))]: yes(wordOf(to)),
    [key(registry, "owner(bytes32)", namehash(top.join(".")))]: yes(wordOf(REGISTRAR)),
    [key(RESOLVER, "addr(bytes32)", namehash(name))]: yes(wordOf(to)),
    [key(REGISTRAR, "nameExpires(uint256)", hex(labelhash(label).slice(2)))]: yes(wordOf(BigInt(ends))),
  };
};

/** Primary names of an address. */
const claims = (name: string, { registry = ENS, suffix = "addr.reverse", of = ALICE } = {}): NameTestAnswers => ({
  [key(registry, "resolver(bytes32)", namehash(`${of}.${suffix}`))]: yes(wordOf(RESOLVER)),
  [key(RESOLVER, "name(bytes32)", namehash(`${of}.${suffix}`))]: yes(string(name)),
});

const coin = (name: string, type: bigint, bytes: Hex): NameTestAnswers => ({
  [`${RESOLVER}:${selectorOf("addr(bytes32,uint256)")}${namehash(name)}${wordOf(type)}`]: yes(
    hex(wordOf(32n) + tailOf(Buffer.from(bytes, "hex"))),
  ),
});

interface NameTestNetwork {
  readonly answers?: NameTestAnswers;
  readonly state?: Partial<FixedState>;
  readonly chain_id?: number;
}

const run = async (
  args: { name: string; network?: string; all?: boolean },
  nets: Readonly<Record<string, NameTestNetwork>>,
) => {
  const chains = new Map(
    Object.entries(nets).map(([id, { answers = {}, state = {}, chain_id = 1 }]) => [
      id,
      fixedChain({
        network: { id, chain_id, ens: id === "ethereum" ? { registry: ENS, universal_resolver: null } : null },
        blocks: [{ number: 7, hash: hex("07".repeat(32)), parent_hash: hex("06".repeat(32)), time: NOW }],
        answer: ({ to, data }: ContractCall) => answers[`${to}:${data}`] ?? null,
        ...state,
      }),
    ]),
  );
  const context: CallContext = {
    get facts(): never {
      throw new Error("resolve_name needs no facts");
    },
    chain: (id) => {
      const chain = chains.get(id);
      if (chain === undefined) throw new Error(`no network ${id}`);
      return chain;
    },
    networks: [...chains.keys()],
    operator: SILENT_OPERATOR,
    signal: AbortSignal.timeout(5_000),
  };
  const outcome = await runTool(resolveName, args, context);
  if (outcome.kind === "data") resolveName.output.parse(outcome.data);
  return outcome;
};

describe("a name", () => {
  test("of ENS comes with owner, end and verified reverse name", async () => {
    const answers = { ...named("alice.eth"), ...claims("alice.eth") };
    expect(await run({ name: "Alice.eth" }, { ethereum: { answers } })).toMatchObject({
      data: {
        ...{
          name: "Alice.eth",
          normalized_name: "alice.eth",
          service: "ens",
          network: "ethereum",
          address: `0x${ALICE}`,
        },
        ...{ owner: `0x${ALICE}`, expires_at: "2027-01-15T08:01:00Z", reverse_verified: true, via_ccip: false },
        ...{ addresses: { 60: `0x${ALICE}` }, alternatives: [] },
        metadata: { as_of: { block_number: 7 }, coverage: null, warnings: [] },
      },
    });
  });

  test("has an address for every coin that its owner noted, each as its people write it", async () => {
    const answers = {
      ...named("alice.eth"),
      ...coin("alice.eth", 501n, hex("00".repeat(32))),
      // 0x41 and the hash: TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t is USDT on Tron.
      ...coin("alice.eth", 195n, hex("41a614f803b6fd780986a42c78ec9c7f77e6ded13c")),
      // ENSIP-11: 0x80000000 | 8453.
      ...coin("alice.eth", 2_147_492_101n, hex("22".repeat(20))),
    };
    const outcome = await run({ name: "alice.eth" }, { ethereum: { answers }, base: { chain_id: 8_453 } });
    expect(outcome).toMatchObject({
      data: {
        addresses: {
          ...{ 60: `0x${ALICE}`, 501: "11111111111111111111111111111111", 2147492101: `0x${"22".repeat(20)}` },
          195: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        },
      },
    });
  });

  test("with all is listed in every service that keeps it, and with every primary name of its address", async () => {
    const answers = { ...named("al.base.eth"), ...claims("alice.eth"), ...named("alice.eth") };
    const other = hex("22".repeat(20));
    const base = named("al.base.eth", { registry: BASE_REGISTRY, to: other });
    const nets = { ethereum: { answers }, base: { answers: base, chain_id: 8_453 } };
    const plain = await run({ name: "al.base.eth" }, nets);
    expect(plain).toMatchObject({ data: { service: "basenames", address: `0x${other}`, all: null } });
    const outcome = await run({ name: "al.base.eth", all: true }, nets);
    // Base's registry leads elsewhere than the registry of ENS, and the address of Base's answer claims no name.
    expect(outcome).toMatchObject({
      data: {
        address: `0x${other}`,
        all: [
          { name: "al.base.eth", service: "basenames", network: "base", status: "found", address: `0x${other}` },
          { name: "al.base.eth", service: "ens", network: "ethereum", status: "found", address: `0x${ALICE}` },
        ],
        metadata: { warnings: [{ code: "SERVICES_DISAGREE" }] },
      },
    });
    const byAddress = await run({ name: `0x${ALICE}`, all: true }, nets);
    expect(byAddress).toMatchObject({
      data: {
        normalized_name: "alice.eth",
        all: [
          {
            ...{
              name: "alice.eth",
              service: "ens",
              status: "found",
              is_primary: true,
              resolver: getAddress(`0x${RESOLVER}`),
            },
            ...{ owner: `0x${ALICE}`, expires_at: "2027-01-15T08:01:00Z", avatar: null, via_ccip: false },
          },
        ],
      },
    });
  });

  test("that ran out, has no address or does not exist is no data", async () => {
    const over = { ethereum: { answers: named("alice.eth", { ends: NOW }) } };
    expect(await run({ name: "alice.eth" }, over)).toMatchObject({ kind: "no_data", type: "name_resolution" });
    expect(await run({ name: "Nobody.ETH" }, { ethereum: {} })).toMatchObject({
      kind: "no_data",
      metadata: { name: "Nobody.ETH", normalized_name: "nobody.eth" },
    });
    const { [key(RESOLVER, "addr(bytes32)", namehash("alice.eth"))]: _, ...pointless } = named("alice.eth");
    expect(await run({ name: "alice.eth" }, { ethereum: { answers: pointless } })).toMatchObject({ kind: "no_data" });
  });

  test("of Basenames is resolved on Base when enabled, with other names of the address", async () => {
    const base = {
      ...named("al.base.eth", { registry: BASE_REGISTRY }),
      ...claims("al.base.eth", { registry: BASE_REGISTRY, suffix: "80002105.reverse" }),
    };
    const ethereum = { answers: { ...named("alice.eth"), ...claims("alice.eth") } };
    expect(await run({ name: "al.base.eth" }, { ethereum, base: { answers: base } })).toMatchObject({
      data: {
        ...{ service: "basenames", network: "base", reverse_verified: true },
        alternatives: [{ name: "alice.eth", service: "ens", network: "ethereum" }],
      },
    });
  });

  test("of SPACE ID has its own registry", async () => {
    const answers = named("alice.bnb", { registry: hex("08ced32a7f3eec915ba84415e9c07a7286977956") });
    expect(await run({ name: "alice.bnb" }, { bsc: { answers } })).toMatchObject({
      data: { service: "space_id", network: "bsc", expires_at: "2027-01-15T08:01:00Z", reverse_verified: false },
    });
  });

  test("of Unstoppable Domains is read from its reader contract", async () => {
    const abi = parseAbi([
      "function getData(string[] keys, uint256 tokenId) view returns (address, address, string[])",
    ]);
    const asked: unknown[] = [];
    const answer = ({ to, data }: ContractCall) => {
      if (to !== POLYGON_READER || !data.startsWith(selectorOf("getData(string[],uint256)"))) return null;
      const { args } = decodeFunctionData({ abi, data: `0x${data}` });
      asked.push(args);
      const values = [`0x${ALICE}`, "bc1qxyz", "", ""];
      const result = encodeFunctionResult({ abi, result: [`0x${RESOLVER}`, `0x${ALICE}`, values] });
      return yes(hex(result.slice(2)));
    };
    expect(await run({ name: "alice.crypto" }, { polygon: { state: { answer } } })).toMatchObject({
      data: {
        ...{ service: "unstoppable", network: "polygon", address: `0x${ALICE}`, owner: `0x${ALICE}`, expires_at: null },
        addresses: { 0: "bc1qxyz", 60: `0x${ALICE}` },
      },
    });
    const keys = ["crypto.ETH.address", "crypto.BTC.address", "crypto.SOL.address", "crypto.TRX.address"];
    expect(asked[0]).toEqual([keys, BigInt(`0x${namehash("alice.crypto")}`)]);
    expect(await run({ name: "nobody.crypto" }, { polygon: {} })).toMatchObject({ kind: "no_data" });
  });
});

describe("an address", () => {
  test("leads to its primary name only when that leads back", async () => {
    const honest = { ...named("alice.eth"), ...claims("alice.eth") };
    expect(await run({ name: `0x${ALICE}` }, { ethereum: { answers: honest } })).toMatchObject({
      data: { name: `0x${ALICE}`, normalized_name: "alice.eth", address: `0x${ALICE}`, reverse_verified: true },
    });
    const thief = { ...named("alice.eth"), ...claims("alice.eth", { of: hex("66".repeat(20)) }) };
    expect(await run({ name: `0x${"66".repeat(20)}` }, { ethereum: { answers: thief } })).toMatchObject({
      kind: "no_data",
    });
    const over = { ...named("alice.eth", { ends: NOW - 1 }), ...claims("alice.eth") };
    expect(await run({ name: `0x${ALICE}` }, { ethereum: { answers: over } })).toMatchObject({ kind: "no_data" });
  });

  test("with a silent service has a warning beside a name, and no answer without one", async () => {
    const ethereum = { answers: { ...named("alice.eth"), ...claims("alice.eth") } };
    const down = { state: { down: true } };
    // Base holds two services: Basenames and Unstoppable Domains.
    const UNREAD = { code: "SERVICE_UNREAD" };
    expect(await run({ name: `0x${ALICE}` }, { ethereum, base: down })).toMatchObject({
      data: { normalized_name: "alice.eth", metadata: { warnings: [UNREAD, UNREAD] } },
    });
    expect(await run({ name: `0x${ALICE}` }, { ethereum: {}, base: down })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

describe("no answer", () => {
  test("a disabled gateway is an error, not an absence; so is a silent node or a missing registry", async () => {
    const lookup = { ok: false, data: hex(`556f1830${encodeAbiParameters([{ type: "uint256" }], [0n]).slice(2)}`) };
    const answers = { ...named("alice.eth"), [key(RESOLVER, "addr(bytes32)", namehash("alice.eth"))]: lookup };
    expect(await run({ name: "alice.eth" }, { ethereum: { answers } })).toMatchObject({ code: "OFFCHAIN_DISABLED" });
    await expect(run({ name: "alice.eth" }, { ethereum: { state: { down: true } } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await run({ name: "alice.eth" }, { polygon: {} })).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  test("what cannot be resolved here is refused before the charge, with the reason", () => {
    const check = (name: string, network?: string) =>
      resolveName.check?.(resolveName.input.parse({ name, ...(network === undefined ? {} : { network }) }), {
        networks: ["ethereum", "bsc"],
        today: "",
      });
    const bad = [
      ["alice", "no ending"],
      ["alice.xyz", "no name service"],
      ["alice.sol", "kept on solana"],
      ["alice.arb", "kept on arbitrum, which is not enabled"],
      ["al ice.eth", "not a valid name"],
      ["0x12", "40 hex digits"],
      ["0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "checksum"],
    ] as const;
    for (const [name, reason] of bad) expect([name, check(name)]).toEqual([name, expect.stringContaining(reason)]);
    expect(check("alice.bnb", "ethereum")).toContain("not kept on ethereum");
    for (const name of ["alice.eth", "a.base.eth", "alice.bnb", "alice.crypto", `0x${ALICE}`])
      expect(check(name)).toBeNull();
    expect(check("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")).toBeNull();
    expect(check("alice.bnb", "bsc")).toBeNull();
  });
});
