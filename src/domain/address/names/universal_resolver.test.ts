/** Names through a Universal Resolver on a real node (anvil), with a gateway on this machine. */
import { labelhash, namehash } from "viem/ens";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEvmChain } from "../../../chains/evm/chain.ts";
import { networkFromConfig } from "../../../chains/networks/from_config.ts";
import type { OpenChain } from "../../../chains/open_chain.ts";
import { type Anvil, startAnvil } from "../../../demo/evm/anvil.ts";
import { projectCode } from "../../../demo/evm/artifacts.ts";
import { ADDRESSES } from "../../../demo/evm/characters.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../../demo/evm/scenario_chain.ts";
import { claim, names, register } from "../../../demo/evm/scenarios/names.ts";
import { services } from "../../../demo/evm/scenarios/services.ts";
import { type DemoSite, startSite } from "../../../demo/evm/site.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { silentLog } from "../../../lib/log.ts";
import { guardedWeb } from "../../../web/guarded.ts";
import { readEns, readPrimary, readRegistration, registrationOf } from "./ens.ts";
import { gatewaysOver } from "./gateways.ts";
import { primaryNames } from "./primary_names.ts";
import { probeUniversal } from "./probe_universal.ts";
import type { EnsReader } from "./records.ts";

const START = Date.UTC(2026, 7, 1) / 1000;
const signal = new AbortController().signal;
const SUBNODE = "setSubnodeOwner(bytes32,bytes32,address) returns (bytes32)";

let anvil: Anvil;
let stage: EvmScenarioChain;
let site: DemoSite;
let chain: OpenChain;
let plain: OpenChain;
const plainHex = (name: string): Hex => hex(stage.address(name).slice(2).toLowerCase());

/** Names of the demo, then a Universal Resolver and the name that tells whether it was used. */
const build = async (): Promise<void> => {
  const acts = [...names(stage), ...services(stage)].sort((a, b) => a.at - b.at);
  for (const { at, run } of acts) {
    stage.at(START + at);
    await run();
  }
  const args = ["address,string", ["@ens_registry", "https://batch.example/"]] as const;
  await stage.create("universal_resolver", { from: "oscar", code: projectCode("UniversalResolver"), args });
  await stage.create("caller_resolver", {
    ...{ from: "oscar", code: projectCode("CallerResolver") },
    args: ["address", ["@universal_resolver"]],
  });
  await register(stage, { owner: "oscar", label: "gtest", days: 365n, target: "oscar" });
  const under = [SUBNODE, [namehash("gtest.eth"), labelhash("ur"), "@oscar"]] as const;
  await stage.act({ from: "oscar", to: "ens_registry", call: under });
  const point = ["setResolver(bytes32,address)", [namehash("ur.gtest.eth"), "@caller_resolver"]] as const;
  await stage.act({ from: "oscar", to: "ens_registry", call: point });
  // A primary name in capitals: its forward record belongs to no name that a user can write.
  await claim(stage, "dave", "DAVE.eth");
};

const open = (universal_resolver: string | null): Promise<OpenChain> =>
  openEvmChain(
    networkFromConfig({ id: "demo", ens: { registry: stage.address("ens_registry"), universal_resolver } }),
    { rpc: [anvil.url], log: silentLog },
    signal,
  );

beforeAll(async () => {
  const genesis = Object.fromEntries(Object.values(ADDRESSES).map((address) => [address, 10n ** 21n]));
  anvil = await startAnvil({ chain_id: 31_337, timestamp: START, genesis, impersonate_all: true });
  stage = openScenarioChain(anvil.rpc, "demo", START);
  site = await startSite();
  await build();
  chain = await open(stage.address("universal_resolver"));
  plain = await open(null);
});
afterAll(async () => {
  await chain.close();
  await plain.close();
  await site.close();
  await anvil.stop();
});

const readerOf = (of: OpenChain, gateway: EnsReader["gateway"] = null): EnsReader => {
  const { ens } = of.network;
  if (ens === null) throw new Error("the network has no names");
  return { chain: of, ...ens, signal, gateway };
};
const throughSite = () => gatewaysOver(guardedWeb({ own_origins: site.own_origins, own_only: true }), signal);

test("a name that tells callers apart is read through the Universal Resolver, and not where there is none", async () => {
  expect(await readEns(readerOf(chain), "ur.gtest.eth")).toMatchObject({ kind: "found", address: "ee".repeat(20) });
  expect(await readEns(readerOf(plain), "ur.gtest.eth")).toMatchObject({ kind: "found", address: "11".repeat(20) });
  expect(await probeUniversal(chain, signal)).toEqual({ resolver: plainHex("universal_resolver"), status: "works" });
  expect(await probeUniversal(plain, signal)).toBeNull();
});

test("records, wildcard names and missing names are what the registry says", async () => {
  for (const name of ["alice.eth", "dave.eth", "deep.er.glow.nora.eth", "nobody.eth", "deep.alice.eth"]) {
    const [one, other] = await Promise.all([readEns(readerOf(chain), name), readEns(readerOf(plain), name)]);
    expect([name, one]).toEqual([name, other]);
  }
  expect(await readEns(readerOf(chain), "alice.eth")).toMatchObject({
    ...{ kind: "found", address: plainHex("alice"), resolver: plainHex("ens_resolver"), via_ccip: false },
  });
  expect(await readEns(readerOf(chain), "nobody.eth")).toEqual({ kind: "none" });
});

test("a name outside the chain comes through its own gateway; the batch gateway of the contract is not called", async () => {
  const asked: string[] = [];
  const gateway = throughSite();
  const seen: EnsReader["gateway"] = async (url, json) => {
    asked.push(new URL(url).origin);
    return gateway === null ? { kind: "disabled" } : gateway(url, json);
  };
  expect(await readEns(readerOf(chain, seen), "porch.lamps.nora.eth")).toMatchObject({
    ...{ kind: "found", address: plainHex("nora"), resolver: plainHex("offchain_resolver"), via_ccip: true },
  });
  expect(new Set(asked)).toEqual(new Set(["http://lantern.example"]));
  expect(await readEns(readerOf(chain, seen), "cellar.lamps.nora.eth")).toMatchObject({ kind: "found", address: null });
});

test("without gateways the name is unread, not missing, and a silent gateway is no missing name", async () => {
  expect(await readEns(readerOf(chain), "porch.lamps.nora.eth")).toMatchObject({ kind: "disabled" });
  const silent: EnsReader["gateway"] = async () => ({ kind: "silent" });
  expect(await readEns(readerOf(chain, silent), "porch.lamps.nora.eth")).toMatchObject({ kind: "silent" });
  // A gateway that signs nothing: the resolver rejects the answer.
  const liar: EnsReader["gateway"] = async () => ({
    kind: "answer",
    status: 200,
    text: `{"data":"0x${"00".repeat(96)}"}`,
  });
  expect(await readEns(readerOf(chain, liar), "porch.lamps.nora.eth")).toMatchObject({ kind: "silent" });
});

test("a primary name counts when it leads back and is in its normal form", async () => {
  const primary = (who: string) => readPrimary(readerOf(chain), plainHex(who), null);
  expect(await primary("alice")).toEqual({ name: "alice.eth", fault: null });
  expect(await primary("nora")).toEqual({ name: "nora.eth", fault: null });
  // mallory claims alice.eth; bob claims nothing; dave claims a name in capitals.
  for (const who of ["mallory", "bob", "dave"])
    expect([who, await primary(who)]).toEqual([who, { name: null, fault: null }]);
  const shown = await primaryNames({ chain, signal }, [plainHex("alice"), plainHex("mallory"), plainHex("nora")]);
  expect([...shown]).toEqual([
    [plainHex("alice"), { name: "alice.eth", source: "ens" }],
    [plainHex("nora"), { name: "nora.eth", source: "ens" }],
  ]);
});

test("owner and expiry belong to the registry's resolver; a name kept elsewhere has neither", async () => {
  const reader = readerOf(chain);
  const [records, registration] = await Promise.all([
    readEns(reader, "alice.eth"),
    readRegistration(reader, "alice.eth"),
  ]);
  expect(registrationOf(reader, records, registration)).toEqual({ registration, is_elsewhere: false });
  expect(registration).toMatchObject({ owner: plainHex("alice"), resolver: plainHex("ens_resolver") });
  const moved = { ...registration, resolver: plainHex("wildcard_resolver") };
  expect(registrationOf(reader, records, moved)).toEqual({
    registration: { owner: null, expires_at: null, resolver: null },
    is_elsewhere: true,
  });
});

test("an address without the contract is a broken resolver, never a missing name", async () => {
  const nothing = await open(`0x${"ab".repeat(20)}`);
  try {
    await expect(readEns(readerOf(nothing), "alice.eth")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(await probeUniversal(nothing, signal)).toEqual({ resolver: "ab".repeat(20), status: "unanswered" });
  } finally {
    await nothing.close();
  }
});
