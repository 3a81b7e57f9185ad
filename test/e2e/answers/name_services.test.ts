import { rm } from "node:fs/promises";
import { namehash } from "viem/ens";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../../src/commands/demo.ts";
import { on } from "../../../src/demo/evm/act.ts";
import {
  caughtUp,
  openTestService,
  type SharedWorldService,
  sharedWorld,
  T0,
  type TestService,
  type ToolReply,
  worldIndex,
} from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
/** The same world, whose operator allows no gateways. */
let closed: TestService;
let data_dir: string;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
  data_dir = await worldIndex();
  closed = await openTestService({ networks: [{ ...demoNetwork(stage.world), poll_ms: 200 }], data_dir });
  await caughtUp(closed.service);
});
afterAll(async () => {
  await closed.close();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const charged = ({ headers }: ToolReply): number => Number(headers.get("x-credits-charged"));
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");
const ens = (ens_name: string) => stage.ask("resolve_ens", { ens_name });
const resolve = (name: string, network?: string) =>
  stage.ask("resolve_name", { name, ...(network === undefined ? {} : { network }) });

test("resolves a name through its gateway, with an answer that its resolver has checked", async () => {
  const name = "porch.lamps.nora.eth";
  // On the chain itself the resolver refuses and refers to the gateway.
  const read = truth.read("offchain_resolver", "resolve(bytes,bytes) view returns (bytes)", {
    args: ["0x00", "0x3b3b57de"],
  });
  await expect(read).rejects.toThrow();
  const answer = await ens(name);
  expect(answer.body).toMatchObject({
    ...{ address: truth.addressOf("nora"), resolver: truth.addressOf("offchain_resolver"), via_ccip: true },
    ...{ namehash: namehash(name), owner: null, expires_at: null, avatar: null, contenthash: null },
    // nora's primary name is nora.eth.
    ...{ reverse_name: "nora.eth", reverse_verified: false },
  });
  expect([answer.body.metadata.warnings, charged(answer)]).toEqual([[], 1]);
  expect((await resolve(name)).body).toMatchObject({
    ...{ address: truth.addressOf("nora"), service: "ens", network: "demo", via_ccip: true },
    alternatives: [{ name: "nora.eth", service: "ens", network: "demo" }],
  });
});

test("has no data for a name that the gateway does not know", async () => {
  for (const tool of [ens, resolve]) {
    expect((await tool("cellar.lamps.nora.eth")).body).toMatchObject({ status: "no_data" });
  }
});

test("fails without a charge if gateways are not allowed, and never reports the name as missing", async () => {
  for (const args of [
    ["resolve_ens", { ens_name: "porch.lamps.nora.eth" }],
    ["resolve_name", { name: "porch.lamps.nora.eth" }],
  ] as const) {
    const answer = await closed.ask(args[0], args[1]);
    expect([answer.body.status, answer.body.code, charged(answer)]).toEqual(["error", "OFFCHAIN_DISABLED", 0]);
  }
  // On-chain names need no gateway.
  const answer = await closed.ask("resolve_ens", { ens_name: "alice.eth" });
  expect(answer.body).toMatchObject({ address: truth.addressOf("alice"), via_ccip: false });
});

test("resolves every name below a wildcard resolver to its address, on the chain", async () => {
  for (const name of ["a.glow.nora.eth", "deep.er.glow.nora.eth"]) {
    expect((await ens(name)).body).toMatchObject({
      ...{ address: truth.addressOf("nora"), resolver: truth.addressOf("wildcard_resolver"), via_ccip: false },
    });
  }
});

test("answers alice.eth by its name and by her address alike", async () => {
  const known = {
    ...{ type: "name_resolution", normalized_name: "alice.eth", service: "ens", network: "demo", alternatives: [] },
    ...{ address: truth.addressOf("alice"), owner: truth.addressOf("alice"), reverse_verified: true, via_ccip: false },
    // Registered for a year on the second day at two.
    ...{ expires_at: iso(on(1, 2) + 365 * 86_400), addresses: { 60: truth.addressOf("alice") } },
  };
  const [byName, byAddress] = [await resolve("Alice.eth", "demo"), await resolve(truth.addressOf("alice"))];
  expect(byName.body).toMatchObject({ ...known, name: "Alice.eth" });
  expect(byAddress.body).toMatchObject({ ...known, name: truth.addressOf("alice") });
  expect([charged(byName), charged(byAddress)]).toEqual([1, 1]);
});

test("has no data for an expired name, an unregistered name and an address without one, and charges them", async () => {
  // mallory's primary name claims to be alice.eth; dave.eth has no reverse record.
  for (const name of ["grace.eth", "nobody.eth", truth.addressOf("mallory"), truth.addressOf("dave")]) {
    const answer = await resolve(name);
    expect([name, answer.body.status, charged(answer)]).toEqual([name, "no_data", 1]);
  }
  expect((await resolve("dave.eth")).body).toMatchObject({ address: truth.addressOf("dave"), reverse_verified: false });
});

test("rejects names of other services without a charge", async () => {
  for (const name of ["alice.sol", "alice.bnb", "alice.xyz", "alice", "al ice.eth", "0x12"]) {
    const answer = await resolve(name);
    expect([name, answer.status, charged(answer)]).toEqual([name, 422, 0]);
  }
  expect((await resolve("alice.eth", "ethereum")).status).toBe(422);
});

test("returns the same bytes for the same call", async () => {
  expect((await resolve("porch.lamps.nora.eth")).text).toBe((await resolve("porch.lamps.nora.eth")).text);
});
