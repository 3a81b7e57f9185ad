/** The blocks of wallets on the real token programs, against the list of what the test did. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Hook, type HookedCall, type HookedNode, hookedNode, rpcError } from "../../../../test/hooked_node.ts";
import { type OwnedAccounts, openOwnedAccounts, SOL } from "../../../../test/solana/owned_accounts.ts";
import { actor } from "../../../demo/solana/acts.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { silentLog } from "../../../lib/log.ts";
import type { HistorySearch } from "../../account_history.ts";
import { solana } from "../../networks/known.gen.ts";
import type { OpenChain } from "../../open_chain.ts";
import { parseAddress } from "../address.ts";
import { openSolanaChain } from "../chain.ts";

const signal = new AbortController().signal;
const nodes: HookedNode[] = [];
let world: OwnedAccounts;
beforeAll(async () => {
  world = await openOwnedAccounts();
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await world.facade.close();
});

/** `getSignaturesForAddress` with these entries alone, in one page. */
const listing = (
  { method, params }: Parameters<Hook>[0],
  isKept: (one: { readonly slot: number }) => boolean,
): ReturnType<Hook> => {
  if (method !== "getSignaturesForAddress") return undefined;
  const listed = world.lists.get(String(params[0])) ?? [];
  return { result: Reflect.get(Object(params[1]), "before") === undefined ? listed.filter(isKept) : [] };
};

const withChain = async <T>(
  hook: Hook,
  work: (chain: OpenChain, node: HookedNode) => Promise<T>,
  rewrite = (call: HookedCall) => call,
): Promise<T> => {
  const node = await hookedNode(world.facade.url, hook, { rewrite });
  nodes.push(node);
  const network = { ...solana, caip2: `solana:${world.facade.genesis.slice(0, 32)}` };
  const chain = await openSolanaChain(network, { rpc: [node.url], log: silentLog, open_wait_ms: 20_000 }, signal);
  try {
    return await work(chain, node);
  } finally {
    await chain.close();
  }
};

const historyOf = (hook: Hook, search: Partial<HistorySearch> = {}, rewrite?: (call: HookedCall) => HookedCall) =>
  withChain(
    hook,
    async ({ past }, node) => {
      if (past === undefined) throw new Error("the chain has no past");
      const before = node.stats.calls;
      const address = parseAddress(world.alice.address) ?? "";
      const asked = { address, after: 0, to: world.facade.head - 32, is_followed: false };
      const found = await past.find({ ...asked, ...search }, signal);
      return { found, calls: node.stats.calls - before };
    },
    rewrite,
  );

const slotsOf = (names: readonly string[]): readonly number[] => names.map((name) => world.at[name] ?? -1);
const mintHex = (): Hex => parseAddress(world.mint.address) ?? "";

/** Her present coins, read from the machine itself. */
const lamports = (): bigint => world.facade.svm.getBalance(world.alice.address) ?? 0n;

test("finds every block that concerns her, also those that do not name her", async () => {
  const { found, calls } = await historyOf(() => undefined);
  expect(found.blocks).toEqual(slotsOf(world.hers));
  expect(found).toMatchObject({ lost_before: null, is_proven: true });
  expect(found.openings.filter(({ amount }) => amount > 0n)).toEqual([]);
  // 500 minted, 70 moved in from the second; the given account is Bob's again.
  expect(new Map(found.ends.map(({ token, amount }) => [token, amount]))).toEqual(
    new Map([
      ["", lamports()],
      [mintHex(), 570n],
    ]),
  );
  // Counted as they were sent.
  expect(found.requests).toBe(calls);
  // Two pages for each of five accounts (the second is empty), a transaction for each act, the state, the first slot.
  expect(calls).toBe(2 * 5 + world.hers.length + 3 + 1);
});

test("a search with a limit ends when she has more blocks", async () => {
  const error = await historyOf(() => undefined, { blocks_max: 2 }).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: "TOO_MANY_BLOCKS", message: "it has more than 2 blocks" });
  const all = await historyOf(() => undefined, { blocks_max: world.hers.length });
  expect(all.found.blocks).toEqual(slotsOf(world.hers));
});

test("a node with short pages gives the same", async () => {
  const { found } = await historyOf(
    () => undefined,
    {},
    (call) =>
      call.method === "getSignaturesForAddress"
        ? { ...call, params: [call.params[0], { ...Object(call.params[1]), limit: 2 }] }
        : call,
  );
  expect(found.blocks).toEqual(slotsOf(world.hers));
  expect(found.is_proven).toBe(true);
});

/** Every third answer is that of a member that is behind. */
const lagging = (): Hook => {
  let calls = 0;
  return ({ method }) => {
    if (!["getSignaturesForAddress", "getTransaction", "getBlock", "getMultipleAccounts"].includes(method))
      return undefined;
    calls += 1;
    if (calls % 3 !== 0) return undefined;
    if (method === "getTransaction") return { result: null };
    if (method === "getBlock") return rpcError("Block not available for slot", -32_004);
    return rpcError("Minimum context slot has not been reached", -32_016);
  };
};

test("a node whose members are behind at times gives the same, and soon", async () => {
  const began = performance.now();
  const { found } = await historyOf(lagging());
  expect([found.blocks, found.is_proven]).toEqual([slotsOf(world.hers), true]);
  // No endpoint rests, which takes a second and more.
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("a block that a member does not have yet is requested again, alone", async () => {
  const slots: number[] = [];
  const slot = world.at["pays her"] ?? 0;
  const hook = lagging();
  const blocks = await withChain(
    (call) => {
      if (call.method === "getBlock" && Reflect.get(Object(call.params[1]), "transactionDetails") === "full")
        slots.push(Number(call.params[0]));
      return hook(call);
    },
    (chain) => chain.blocks(slot, slot + 4, signal),
  );
  expect(blocks.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4].map((more) => slot + more));
  // Three blocks and two skipped slots: of at least three calls, one was refused.
  expect(new Set(slots).size).toBe(3);
  expect(slots.length).toBeLessThanOrEqual(6);
});

test("a search goes on where the last one ended", async () => {
  const { found, calls } = await historyOf(() => undefined, { after: world.at["returns it"] ?? 0, is_followed: true });
  // Only her own transaction shows that the given account was world.hers, and that one is older.
  expect(found.blocks).toEqual(slotsOf(["wraps, pays and unwraps at once"]));
  expect(found.is_proven).toBe(true);
  // The state, the first slot; a page for her and for the account that is world.hers, two for the wrapped one; one transaction.
  expect(calls).toBe(3 + 1 + 1 + 1 + 2 + 1);
});

test("up to an earlier slot, later transactions only prove the state", async () => {
  const to = world.at["mints to the second"] ?? 0;
  const { found } = await historyOf(() => undefined, { to });
  expect(found.blocks).toEqual(slotsOf(world.hers.slice(0, world.hers.indexOf("mints to the second") + 1)));
  expect(found.ends.find(({ token }) => token === mintHex())?.amount).toBe(570n);
  expect(found.is_proven).toBe(true);
});

test("a node that omits a transaction proves nothing", async () => {
  const left_out = ["mints to it", "pays her", "returns it", "mints to the second"];
  for (const name of left_out) {
    const { found } = await historyOf((call) => listing(call, ({ slot }) => slot !== world.at[name]));
    expect(found.is_proven, name).toBe(false);
    expect(found.blocks).not.toContain(world.at[name]);
  }
});

test("a node without the oldest slots says from where on it knows", async () => {
  const first = (world.at["mints to the second"] ?? 0) - 1;
  const { found } = await historyOf((call) =>
    call.method === "getFirstAvailableBlock" ? { result: first } : listing(call, ({ slot }) => slot >= first),
  );
  const rest = world.hers.slice(world.hers.indexOf("mints to the second"));
  expect(found).toMatchObject({ lost_before: first, blocks: slotsOf(rest), is_proven: true });
  // 10 SOL were paid; opening the second account cost its fee and rent.
  const spent = world.facade.svm.minimumBalanceForRentExemption(165n) + 10_000n;
  expect(new Map(found.openings.map(({ token, amount }) => [token, amount]))).toEqual(
    new Map([
      ["", 10n * SOL - spent],
      [mintHex(), 500n],
    ]),
  );
});

test("a transaction whose owners were not kept ends what is known", async () => {
  const slot = world.at["mints to it"] ?? 0;
  const [listed] = [...world.lists.values()].flat().filter((one) => one.slot === slot);
  const config = { encoding: "base64", maxSupportedTransactionVersion: 0 };
  const bare = withoutOwners(Object(await world.ask("getTransaction", [listed?.signature, config])));
  const { found } = await historyOf(({ method, params }) =>
    method === "getTransaction" && params[0] === listed?.signature ? { result: bare } : undefined,
  );
  expect(found.lost_before).toBe(slot + 1);
  expect(found.blocks).toEqual(slotsOf(world.hers.slice(world.hers.indexOf("mints to it") + 1)));
});

const withoutOwners = (transaction: object): object => {
  const meta: object = Object(Reflect.get(transaction, "meta"));
  const list = (name: string) =>
    (Reflect.get(meta, name) as readonly object[]).map((one) => ({ ...one, owner: undefined }));
  const bare = { preTokenBalances: list("preTokenBalances"), postTokenBalances: list("postTokenBalances") };
  return { ...transaction, meta: { ...meta, ...bare } };
};

test("an account without transactions is empty", async () => {
  const stranger = parseAddress((await actor(77)).address) ?? "";
  const { found, calls } = await historyOf(() => undefined, { address: stranger });
  expect(found).toMatchObject({ blocks: [], lost_before: null, is_proven: true, ends: [{ token: "", amount: 0n }] });
  expect(calls).toBe(1 + 3 + 1);
});

test("coins that came without a transaction are a doubt", async () => {
  // Bob's first coins are a reward of the first block.
  const { found } = await historyOf(() => undefined, { address: parseAddress(world.bob.address) ?? "" });
  expect(found.is_proven).toBe(false);
  expect(found.openings[0]).toEqual({ token: "", amount: 100n * SOL });
});
