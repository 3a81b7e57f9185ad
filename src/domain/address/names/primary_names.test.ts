import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { answerOwnNames, OWN_NAMES_REGISTRY } from "../../../../test/own_names.ts";
import type { ContractCall } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { primaryNames } from "./primary_names.ts";

const [ANN, BEN, CAT, DAN] = ["a1", "b2", "c3", "d4"].map((byte) => hex(byte.repeat(20))) as [Hex, Hex, Hex, Hex];

/** Names that addresses claim, and the addresses of names. */
const SAID: Readonly<Record<string, string>> = { [ANN]: "ann.eth", [BEN]: "ann.eth", [CAT]: "vit\u0430lik.eth" };
const LEADS: Readonly<Record<string, Hex>> = { "ann.eth": ANN, "vit\u0430lik.eth": CAT };

const answer = answerOwnNames(SAID, LEADS);

const opened = (asked: ContractCall[][], fails = false) => {
  const chain = fixedChain({ network: { ens: { registry: OWN_NAMES_REGISTRY, universal_resolver: null } }, answer });
  const call: typeof chain.call = (calls, ...rest) => {
    asked.push([...calls]);
    if (fails) throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "away", retryable: true });
    return chain.call(calls, ...rest);
  };
  return { ...chain, call };
};
const signal = AbortSignal.timeout(20_000);

test("shows a name that resolves back and looks like no other, of all addresses in four rounds of calls", async () => {
  const asked: ContractCall[][] = [];
  const scope = { chain: opened(asked), signal };
  // ben claims ann.eth too, which resolves to ann; cat's name has a Cyrillic letter; dan claims none.
  const names = await primaryNames(scope, [ANN, BEN, CAT, DAN]);
  expect([...names]).toEqual([[ANN, { name: "ann.eth", source: "ens" }]]);
  expect(asked.map((calls) => calls.length)).toEqual([4, 3, 2, 2]);
  // Names are cached, and so are addresses without one.
  expect([...(await primaryNames(scope, [DAN, ANN]))]).toEqual([[ANN, { name: "ann.eth", source: "ens" }]]);
  expect(asked).toHaveLength(4);
});

test("reads names of at most fifty addresses, and shows none while the node is unavailable", async () => {
  const asked: ContractCall[][] = [];
  const many = Array.from({ length: 80 }, (_, n) => hex((0x1000 + n).toString(16).padStart(40, "0")));
  await primaryNames({ chain: opened(asked), signal }, many);
  expect(asked[0]).toHaveLength(50);
  const away = { chain: opened([], true), signal };
  expect(await primaryNames(away, [ANN])).toEqual(new Map());
  const plain = { ...fixedChain({ answer }), signal };
  expect(await primaryNames({ chain: plain, signal }, [ANN])).toEqual(new Map());
});
