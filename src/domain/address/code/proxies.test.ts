import { expect, test } from "vitest";
import { type FixedState, fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, bytesOf } from "../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { selectorOf, wordOf } from "../../abi.ts";
import { readProxy } from "./proxies.ts";

const CONTRACT = addressOf(0xc0);
const TARGET = addressOf(0x7a);
const OTHER = addressOf(0x07);
/** DELEGATECALL. */
const DELEGATING = hex("5b5af4");

/** Slots as their standards write them out. */
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

const proxyOf = (code: Hex, state: FixedState = {}) =>
  readProxy({
    chain: fixedChain(state),
    address: CONTRACT,
    code: bytesOf(code),
    at: undefined,
    signal: AbortSignal.timeout(5_000),
  });

test("each kind is told by what its standard says", async () => {
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

test("code that delegates without any of the marks is none", async () => {
  expect(await proxyOf(DELEGATING)).toBeNull();
});

test("a contract that contradicts itself about its master copy is no Safe", async () => {
  const said = answering({ "masterCopy()": wordOf(TARGET) });
  expect(await proxyOf(DELEGATING, { ...stored(wordOf(0n), OTHER), ...said })).toBeNull();
  // A long contract with such a function is no Safe proxy either.
  const long = hex(DELEGATING + "5b".repeat(600));
  expect(await proxyOf(long, { ...stored(wordOf(0n), TARGET), ...said })).toBeNull();
});
