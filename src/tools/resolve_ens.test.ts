import { expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import type { ContractCall } from "../chains/chain.ts";
import { selectorOf, tailOf, wordOf } from "../domain/abi.ts";
import { namehash } from "../domain/address/names/ens_name.ts";
import type { CallContext } from "../domain/context.ts";
import { SILENT_OPERATOR } from "../domain/operator.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { bindArguments } from "../surfaces/call/arguments/bind.ts";
import { resolveEns } from "./resolve_ens.ts";

const REGISTRY = hex("e0".repeat(20));
const RESOLVER = hex("e1".repeat(20));
const REGISTRAR = hex("e2".repeat(20));
const WRAPPER = hex("e3".repeat(20));
const ALICE = hex("11".repeat(20));
const BOB = hex("22".repeat(20));
const NOW = 1_800_000_000;

const string = (text: string): Hex => hex(wordOf(32n) + tailOf(new TextEncoder().encode(text)));

/** Answers by `contract` and call data; what is missing answers empty, like an account without code. */
type EnsTestAnswers = Readonly<Record<string, { ok: boolean; data: Hex }>>;

const yes = (data: Hex) => ({ ok: true, data });
const key = (to: Hex, signature: string, node: Hex) => `${to}:${selectorOf(signature)}${node}`;

const registered = (name: string): EnsTestAnswers => ({
  [key(REGISTRY, "resolver(bytes32)", namehash(name))]: yes(wordOf(RESOLVER)),
  [key(REGISTRY, "owner(bytes32)", namehash(name))]: yes(wordOf(ALICE)),
  [key(REGISTRY, "owner(bytes32)", namehash("eth"))]: yes(wordOf(REGISTRAR)),
});

const alice: EnsTestAnswers = {
  ...registered("alice.eth"),
  [key(RESOLVER, "addr(bytes32)", namehash("alice.eth"))]: yes(wordOf(ALICE)),
};

const contextOf = (answers: EnsTestAnswers, facts: { down?: boolean; ens?: boolean } = {}): CallContext => {
  const chain = fixedChain({
    network: { ens: facts.ens === false ? null : { registry: REGISTRY, universal_resolver: null } },
    blocks: [{ number: 7, hash: hex("07".repeat(32)), parent_hash: hex("06".repeat(32)), time: NOW }],
    answer: ({ to, data }: ContractCall) => answers[`${to}:${data}`] ?? null,
    down: facts.down === true,
  });
  return {
    // This tool asks no facts: reaching for them would throw.
    get facts(): never {
      throw new Error("resolve_ens needs no facts");
    },
    chain: () => chain,
    networks: ["demo"],
    operator: SILENT_OPERATOR,
    signal: AbortSignal.timeout(5000),
  };
};

const run = (answers: EnsTestAnswers, ens_name = "alice.eth") => runTool(resolveEns, { ens_name }, contextOf(answers));

test("a name resolves through the registry and its resolver, with owner and expiry", async () => {
  const label = hex("9c0257114eb9399a2985f8e75dad7600c5d89fe3824ffa99ec1c3eb8bf3b0501"); // keccak-256 of "alice"
  const outcome = await run(
    { ...alice, [key(REGISTRAR, "nameExpires(uint256)", label)]: yes(wordOf(BigInt(NOW + 60))) },
    "Alice.ETH",
  );
  expect(outcome).toMatchObject({
    kind: "data",
    data: {
      ens_name: "Alice.ETH",
      normalized_name: "alice.eth",
      address: `0x${ALICE}`,
      reverse_name: null,
      reverse_verified: false,
      expires_at: "2027-01-15T08:01:00Z",
      via_ccip: false,
      metadata: { as_of: { block_number: 7 }, coverage: null, warnings: [] },
    },
  });
  if (outcome.kind === "data") resolveEns.output.parse(outcome.data);
});

test("a primary name counts only when it resolves back to the same address", async () => {
  const reverse = namehash(`${ALICE}.addr.reverse`);
  const claims = (name: string): EnsTestAnswers => ({
    ...alice,
    [key(REGISTRY, "resolver(bytes32)", reverse)]: yes(wordOf(RESOLVER)),
    [key(RESOLVER, "name(bytes32)", reverse)]: yes(string(name)),
  });
  const own = await run(claims("alice.eth"));
  expect(own).toMatchObject({ data: { reverse_name: "alice.eth", reverse_verified: true } });
  const stolen = {
    ...registered("bob.eth"),
    ...claims("bob.eth"),
    [key(RESOLVER, "addr(bytes32)", namehash("bob.eth"))]: yes(wordOf(BOB)),
  };
  expect(await run(stolen)).toMatchObject({ data: { reverse_name: null, reverse_verified: false } });
  const second = { ...stolen, [key(RESOLVER, "addr(bytes32)", namehash("bob.eth"))]: yes(wordOf(ALICE)) };
  expect(await run(second)).toMatchObject({ data: { reverse_name: "bob.eth", reverse_verified: false } });
});

test("the holder of a wrapped name is its owner", async () => {
  const node = namehash("alice.eth");
  const wrapped = {
    ...alice,
    [key(REGISTRY, "owner(bytes32)", node)]: yes(wordOf(WRAPPER)),
    [key(WRAPPER, "ownerOf(uint256)", node)]: yes(wordOf(BOB)),
  };
  expect(await run(wrapped)).toMatchObject({ data: { owner: `0x${BOB}` } });
});

test("records come out cleaned and absent ones as null", async () => {
  const node = namehash("alice.eth");
  const text = `${RESOLVER}:${selectorOf("text(bytes32,string)")}${node}${wordOf(64n)}${tailOf(new TextEncoder().encode("avatar"))}`;
  const outcome = await run({ ...alice, [text]: yes(string("ipfs://x\u202e\u0000y")) });
  expect(outcome).toMatchObject({ data: { avatar: "ipfs://xy", contenthash: null } });
});

test("a name without resolver or without address is no data", async () => {
  expect(await run({})).toMatchObject({ kind: "no_data", type: "ens_resolution" });
  expect(await run(registered("alice.eth"))).toMatchObject({ kind: "no_data" });
});

test("where nothing was found it says what it looked up", async () => {
  expect(await run({}, "AliCe.ETH")).toMatchObject({
    kind: "no_data",
    metadata: { ens_name: "AliCe.ETH", normalized_name: "alice.eth" },
  });
});

test("a child of a plain resolver does not inherit, a child of a wildcard resolver does", async () => {
  expect(await run(alice, "sub.alice.eth")).toMatchObject({ kind: "no_data" });
  const supports = `${RESOLVER}:${selectorOf("supportsInterface(bytes4)")}${selectorOf("resolve(bytes,bytes)").padEnd(64, "0")}`;
  const name = "03737562" + "05616c696365" + "03657468" + "00"; // 3"sub" 5"alice" 3"eth" 0: fifteen bytes, one word
  const inner = tailOf(Buffer.from(selectorOf("addr(bytes32)") + namehash("sub.alice.eth"), "hex"));
  const asked =
    selectorOf("resolve(bytes,bytes)") + wordOf(64n) + wordOf(128n) + wordOf(15n) + name.padEnd(64, "0") + inner;
  const wildcard = {
    ...alice,
    [supports]: yes(wordOf(1n)),
    [`${RESOLVER}:${asked}`]: yes(hex(wordOf(32n) + tailOf(Buffer.from(wordOf(BOB), "hex")))),
  };
  expect(await run(wildcard, "sub.alice.eth")).toMatchObject({
    kind: "data",
    data: { address: `0x${BOB}` },
  });
});

test("a resolver that sends the caller to a gateway is a refunded error, not an absence", async () => {
  const lookup = { ok: false, data: hex(`556f1830${wordOf(0n)}`) };
  const outcome = await run({ ...alice, [key(RESOLVER, "addr(bytes32)", namehash("alice.eth"))]: lookup });
  expect(outcome).toMatchObject({ kind: "error", code: "OFFCHAIN_DISABLED" });
});

test("without a network that has ENS, and without a node, there is no answer", async () => {
  const none = await runTool(resolveEns, { ens_name: "alice.eth" }, contextOf(alice, { ens: false }));
  expect(none).toMatchObject({ kind: "error", code: "UPSTREAM_UNAVAILABLE" });
  await expect(runTool(resolveEns, { ens_name: "alice.eth" }, contextOf(alice, { down: true }))).rejects.toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
  });
});

test("an expired or confusable name answers with a warning", async () => {
  const label = hex("9c0257114eb9399a2985f8e75dad7600c5d89fe3824ffa99ec1c3eb8bf3b0501");
  const expired = await run({ ...alice, [key(REGISTRAR, "nameExpires(uint256)", label)]: yes(wordOf(1n)) });
  expect(expired).toMatchObject({ data: { metadata: { warnings: [{ code: "NAME_EXPIRED" }] } } });
  const accented = {
    ...registered("álice.eth"),
    [key(RESOLVER, "addr(bytes32)", namehash("álice.eth"))]: yes(wordOf(BOB)),
  };
  expect(await run(accented, "álice.eth")).toMatchObject({
    data: { metadata: { warnings: [{ code: "CONFUSABLE_NAME" }] } },
  });
});

test("a name that cannot be normalised is refused before the charge", () => {
  const bind = (ens_name: string) => bindArguments(resolveEns, { ens_name }, { chains: [], now_ms: 0 });
  expect(bind("b\u0430d.eth")).toEqual({
    kind: "refused",
    detail: "ens_name: not a valid ENS name (ENSIP-15 normalization rejects it).",
  });
  expect(bind("Bad.eth")).toMatchObject({ asked: { ens_name: { text: "Bad.eth", normalized: "bad.eth" } } });
});

test("the same name at the same block gives the same bytes", async () => {
  expect(JSON.stringify(await run(alice))).toBe(JSON.stringify(await run(alice)));
});
