import { join } from "node:path";
import { expect, test } from "vitest";
import { type ProxyVector, readProxyFile } from "../../../../scripts/gen_proxies.ts";
import { type FixedState, fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, bytesOf } from "../../../../test/value_rows.ts";
import { PROXY_SHAPES } from "../../../knowledge/proxies.gen.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { selectorOf, wordOf } from "../../abi.ts";
import { readProxy, readProxyAdmin } from "./proxies.ts";

const CONTRACT = addressOf(0xc0);
const TARGET = addressOf(0x7a);
const OTHER = addressOf(0x07);
/** DELEGATECALL. */
const DELEGATING = hex("5b5af4");

/** Slots as written in their standards. */
const EIP1967 = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const BEACON = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
const EIP1822 = "c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7";
const EARLY = "7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3";

const answering = (answers: Readonly<Record<string, Hex>>): FixedState => ({
  answer: ({ data }) => {
    const found = Object.entries(answers).find(([signature]) => selectorOf(signature) === data);
    return found === undefined ? null : { ok: true, data: found[1] };
  },
});
const stored = (slot: string, address: Hex): FixedState => ({ storage: { [`${CONTRACT}:${slot}`]: wordOf(address) } });

const accountOf = (code: Hex, state: FixedState) => ({
  chain: fixedChain(state),
  address: CONTRACT,
  code: bytesOf(code),
  at: undefined,
  signal: AbortSignal.timeout(5_000),
});

const proxyOf = async (code: Hex, state: FixedState = {}) => {
  const proxy = await readProxy(accountOf(code, state));
  return proxy === null ? null : { kind: proxy.kind, implementations: proxy.implementations };
};

test("recognises each kind by its standard", async () => {
  const list = hex(wordOf(32n) + wordOf(3n) + [TARGET, OTHER, CONTRACT].map(wordOf).join(""));
  const safe = { ...stored(wordOf(0n), TARGET), ...answering({ "masterCopy()": wordOf(TARGET) }) };
  const cases: readonly (readonly [string | null, Hex, FixedState, readonly Hex[]])[] = [
    ["minimal", hex(`363d3d373d3d3d363d73${TARGET}5af43d82803e903d91602b57fd5bf3`), {}, [TARGET]],
    ["eip1967", DELEGATING, stored(EIP1967, TARGET), [TARGET]],
    [
      "beacon",
      DELEGATING,
      { ...stored(BEACON, OTHER), ...answering({ "implementation()": wordOf(TARGET) }) },
      [TARGET],
    ],
    ["eip1822", DELEGATING, stored(EIP1822, TARGET), [TARGET]],
    [null, DELEGATING, stored(EARLY, TARGET), [TARGET]],
    ["safe", DELEGATING, safe, [TARGET]],
    // A diamond's own address among its facets is itself, not an implementation.
    ["diamond", DELEGATING, answering({ "facetAddresses()": list }), [TARGET, OTHER]],
  ];
  for (const [kind, code, state, implementations] of cases) {
    expect(await proxyOf(code, state)).toEqual({ kind, implementations });
  }
});

test("code that cannot delegate is no proxy, whatever its slots hold", async () => {
  expect(await proxyOf(hex("60f45b"), stored(EIP1967, TARGET))).toBeNull();
});

test("delegating code without any mark is no proxy", async () => {
  expect(await proxyOf(DELEGATING)).toBeNull();
});

test("a contract that contradicts itself about its master copy is no Safe", async () => {
  const said = answering({ "masterCopy()": wordOf(TARGET) });
  expect(await proxyOf(DELEGATING, { ...stored(wordOf(0n), OTHER), ...said })).toBeNull();
  // A long contract with such a function is no Safe proxy either.
  const long = hex(DELEGATING + "5b".repeat(600));
  expect(await proxyOf(long, { ...stored(wordOf(0n), TARGET), ...said })).toBeNull();
});

const { shapes } = readProxyFile(join(import.meta.dirname, "../../../.."));

const compact = (code: string): Hex => hex(code.replaceAll(" ", ""));

const answerOf = (answer: string | number | readonly string[]): Hex => {
  if (typeof answer === "number") return wordOf(BigInt(answer));
  if (typeof answer === "string") return wordOf(hex(answer));
  return hex([wordOf(32n), wordOf(BigInt(answer.length)), ...answer.map((one) => wordOf(hex(one)))].join(""));
};

/** The state that a vector describes. */
const stateOf = ({ storage = {}, calls = {} }: ProxyVector): FixedState => ({
  storage: Object.fromEntries(
    Object.entries(storage).map(([slot, address]) => [`${CONTRACT}:${slot.padStart(64, "0")}`, wordOf(hex(address))]),
  ),
  answer: ({ to, data }) => {
    const found = Object.entries(calls).find(([call]) => {
      const [first = "", second] = call.split(" ");
      const [target, signature] = second === undefined ? [CONTRACT, first] : [first, second];
      return target === to && selectorOf(signature) === data;
    });
    return found === undefined ? null : { ok: true, data: answerOf(found[1]) };
  },
});

test.each(shapes.flatMap(({ id, vectors }) => vectors.map((vector, i) => ({ id, i, vector }))))(
  "reads the implementation and the administrator of $id, vector $i",
  async ({ id, vector }) => {
    const account = accountOf(compact(vector.code), stateOf(vector));
    const proxy = await readProxy(account);
    const { implementation, admin = null } = vector;
    const found = proxy === null ? null : { id: proxy.shape.id, implementations: proxy.implementations };
    expect(found).toEqual({ id, implementations: [implementation].flat() });
    expect(proxy === null ? null : await readProxyAdmin(account, proxy)).toBe(admin);
  },
);

test("the program reads every shape of the file, in its order", () => {
  expect(PROXY_SHAPES.map(({ id }) => id)).toEqual(shapes.map(({ id }) => id));
});

test("code that differs from a shape in one byte is not of that shape", async () => {
  const by_code = shapes.filter(({ found_by }) => "code" in found_by && found_by.implementation_slot === undefined);
  for (const { id, vectors } of by_code) {
    const code = compact(vectors[0]?.code ?? "");
    // Byte 0 precedes the address in every shape; it becomes JUMPDEST.
    expect([id, await proxyOf(hex(`5b${code.slice(2)}`))]).toEqual([id, null]);
    // The code ends early.
    expect([id, await proxyOf(hex(code.slice(0, 60)))]).toEqual([id, null]);
  }
});

test("a shortened PUSH with the jump target of the full one is no minimal proxy: it would jump beside its target", async () => {
  const code = hex(`363d3d373d3d3d363d6f${"be".repeat(16)}5af43d82803e903d91602b57fd5bf3`);
  expect(await proxyOf(code)).toBeNull();
});

test("a Unitroller is rejected when its storage contradicts its answer or it answers through other code", async () => {
  const said = answering({ "comptrollerImplementation()": wordOf(TARGET) });
  const own = hex("63bb82aa5e5b5af4");
  expect(await proxyOf(own, { ...stored(wordOf(2n), OTHER), ...said })).toBeNull();
  expect(await proxyOf(DELEGATING, { ...stored(wordOf(2n), TARGET), ...said })).toBeNull();
  expect(await proxyOf(own, { ...stored(wordOf(2n), TARGET), ...said })).toEqual({
    kind: null,
    implementations: [TARGET],
  });
});

test("implementation() alone does not make a DelegateProxy: its type must be 1 or 2", async () => {
  const own = hex("634555d5c9635c60da1b5b5af4");
  const said = (type: bigint) => answering({ "implementation()": wordOf(TARGET), "proxyType()": wordOf(type) });
  expect(await proxyOf(own, said(2n))).toEqual({ kind: null, implementations: [TARGET] });
  expect(await proxyOf(own, said(3n))).toBeNull();
  expect(await proxyOf(own, answering({ "implementation()": wordOf(TARGET) }))).toBeNull();
});
