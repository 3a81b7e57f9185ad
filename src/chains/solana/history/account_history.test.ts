/** The blocks of wallets on the real token programs, against the list of what the test did. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Hook, type HookedCall, type HookedNode, hookedNode } from "../../../../test/hooked_node.ts";
import { actor, create, pay, type SolanaActor, tokenProgram, WRAPPED_MINT } from "../../../demo/solana/acts.ts";
import { associatedAddress, openAssociated } from "../../../demo/solana/associated.ts";
import { SolanaFacade } from "../../../demo/solana/facade.ts";
import { TOKEN } from "../../../demo/solana/made_transaction.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { silentLog } from "../../../lib/log.ts";
import type { HistorySearch } from "../../account_history.ts";
import { solana } from "../../networks/known.gen.ts";
import { parseAddress } from "../address.ts";
import { openSolanaChain } from "../chain.ts";

const signal = new AbortController().signal;
const SOL = 1_000_000_000n;
const classic = tokenProgram(TOKEN);
/** Slots above the newest act, so that all acts are final. */
const QUIET_SLOTS = 40;

let facade: SolanaFacade;
let [alice, bob, mint, silent, closed, given]: SolanaActor[] = [];
let wrapped: ReturnType<typeof associatedAddress>;
/** Slot of each act. */
const at: Record<string, number> = {};
/** Acts that concern Alice. */
const hers: string[] = [];
const nodes: HookedNode[] = [];

interface ListEntry {
  readonly slot: number;
  readonly signature: string;
}
/** The façade's own lists of her accounts. */
const lists = new Map<string, readonly ListEntry[]>();

const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(facade.url, { method: "POST", body });
  return Object(await response.json()).result;
};

/** `getSignaturesForAddress` with these entries alone, in one page. */
const listing = ({ method, params }: Parameters<Hook>[0], isKept: (one: ListEntry) => boolean): ReturnType<Hook> => {
  if (method !== "getSignaturesForAddress") return undefined;
  const listed = lists.get(String(params[0])) ?? [];
  return { result: Reflect.get(Object(params[1]), "before") === undefined ? listed.filter(isKept) : [] };
};

const known = (one: SolanaActor | undefined): SolanaActor => {
  if (one === undefined) throw new Error("not made yet");
  return one;
};

const act = async (
  name: string,
  of: "alice" | "other",
  does: readonly Parameters<SolanaFacade["send"]>[0][number][],
  by: readonly (SolanaActor | undefined)[],
): Promise<void> => {
  const [payer, ...others] = by.map(known);
  if (payer === undefined) throw new Error("a payer is missing");
  const error = await facade.send(does, [payer.keys, ...others.map(({ keys }) => keys)], payer.address);
  if (error !== null) throw new Error(`${name}: ${error}`);
  // A slot is skipped after each act.
  at[name] = facade.seal(1);
  if (of === "alice") hers.push(name);
};

beforeAll(async () => {
  [alice, bob, mint, silent, closed, given] = await Promise.all([1, 2, 3, 4, 5, 6].map(actor));
  const [a, b, m] = [known(alice).address, known(bob).address, known(mint).address];
  facade = new SolanaFacade((await actor(99)).address);
  facade.credit(b, 100n * SOL);
  facade.seal();
  const rent = (space: number) => facade.svm.minimumBalanceForRentExemption(BigInt(space));
  const account = (one: SolanaActor | undefined, payer = b) =>
    create({ payer, account: known(one).address, lamports: rent(165), space: 165, program: TOKEN });
  const made = create({ payer: b, account: m, lamports: rent(82), space: 82, program: TOKEN });
  const tokens = (to: SolanaActor | undefined, amount: bigint) =>
    classic.mintTo({ mint: m, to: known(to).address, authority: b, amount });
  const move = (from: SolanaActor | undefined, to: SolanaActor | undefined, by: typeof a) =>
    classic.transfer({ from: known(from).address, mint: m, to: known(to).address, by, amount: 10n });

  await act("makes a mint", "other", [made, classic.initializeMint(m, b)], [bob, mint]);
  await act("pays her", "alice", [pay(b, a, 10n * SOL)], [bob]);
  // Her name is in the data of the instruction alone.
  await act(
    "opens an account for her",
    "alice",
    [account(silent), classic.open(known(silent).address, m, a)],
    [bob, silent],
  );
  await act("mints to it", "alice", [tokens(silent, 500n)], [bob]);
  await act(
    "opens her second",
    "alice",
    [account(closed, a), classic.open(known(closed).address, m, a)],
    [alice, closed],
  );
  await act("mints to the second", "alice", [tokens(closed, 70n)], [bob]);
  await act(
    "moves all out and closes",
    "alice",
    [...Array.from({ length: 7 }, () => move(closed, silent, a)), classic.close(known(closed).address, a, a)],
    [alice],
  );
  await act(
    "gives her his account",
    "alice",
    [account(given), classic.open(known(given).address, m, b), classic.giveAway(known(given).address, b, a)],
    [bob, given],
  );
  await act("mints to the given one", "alice", [tokens(given, 30n)], [bob]);
  await act("returns it", "alice", [classic.giveAway(known(given).address, a, b)], [alice]);
  // It is Bob's now: the block is read, though nothing of hers is in it.
  await act("mints to his own", "alice", [tokens(given, 1n)], [bob]);
  wrapped = associatedAddress({ owner: known(alice).address, mint: WRAPPED_MINT, program: TOKEN });
  const ofHers = { owner: known(alice).address, mint: WRAPPED_MINT, program: TOKEN } as const;
  const his = { ...ofHers, owner: b };
  await act("opens a wrapped account", "other", [openAssociated(b, his)], [bob]);
  await act(
    "wraps, pays and unwraps at once",
    "alice",
    [
      openAssociated(a, ofHers),
      pay(a, wrapped, SOL),
      classic.sync(wrapped),
      classic.transfer({
        from: wrapped,
        mint: WRAPPED_MINT,
        to: associatedAddress(his),
        by: a,
        amount: SOL / 2n,
        decimals: 9,
      }),
      classic.close(wrapped, a, a),
    ],
    [alice],
  );
  await act("pays himself", "other", [pay(b, m, SOL)], [bob]);
  for (let slot = 0; slot < QUIET_SLOTS; slot += 1) facade.seal();
  await facade.start();
  for (const account of [a, silent, closed, given, wrapped]) {
    const address = typeof account === "string" ? account : known(account).address;
    lists.set(address, (await ask("getSignaturesForAddress", [address, {}])) as readonly ListEntry[]); // as the façade answers
  }
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await facade.close();
});

const historyOf = async (hook: Hook, search: Partial<HistorySearch> = {}, rewrite = (call: HookedCall) => call) => {
  const node = await hookedNode(facade.url, hook, rewrite);
  nodes.push(node);
  const network = { ...solana, caip2: `solana:${facade.genesis.slice(0, 32)}` };
  const chain = await openSolanaChain(network, { rpc: [node.url], log: silentLog, open_wait_ms: 20_000 }, signal);
  try {
    if (chain.past === undefined) throw new Error("the chain has no past");
    const before = node.stats.calls;
    const asked = {
      address: parseAddress(known(alice).address) ?? "",
      after: 0,
      to: facade.head - 32,
      is_followed: false,
    };
    const found = await chain.past.find({ ...asked, ...search }, signal);
    return { found, calls: node.stats.calls - before };
  } finally {
    await chain.close();
  }
};

const slotsOf = (names: readonly string[]): readonly number[] => names.map((name) => at[name] ?? -1);
const mintHex = (): Hex => parseAddress(known(mint).address) ?? "";

/** Her present coins, read from the machine itself. */
const lamportsOf = (one: SolanaActor | undefined): bigint => facade.svm.getBalance(known(one).address) ?? 0n;

test("finds every block that concerns her, also those that do not name her", async () => {
  const { found, calls } = await historyOf(() => undefined);
  expect(found.blocks).toEqual(slotsOf(hers));
  expect(found).toMatchObject({ lost_before: null, is_proven: true });
  expect(found.openings.filter(({ amount }) => amount > 0n)).toEqual([]);
  // 500 minted, 70 moved in from the second; the given account is Bob's again.
  expect(new Map(found.ends.map(({ token, amount }) => [token, amount]))).toEqual(
    new Map([
      ["", lamportsOf(alice)],
      [mintHex(), 570n],
    ]),
  );
  // Counted as they were sent.
  expect(found.requests).toBe(calls);
  // Two pages for each of five accounts (the second is empty), a transaction for each act, the state, the first slot.
  expect(calls).toBe(2 * 5 + hers.length + 3 + 1);
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
  expect(found.blocks).toEqual(slotsOf(hers));
  expect(found.is_proven).toBe(true);
});

test("a search goes on where the last one ended", async () => {
  const { found, calls } = await historyOf(() => undefined, { after: at["returns it"] ?? 0, is_followed: true });
  // Only her own transaction shows that the given account was hers, and that one is older.
  expect(found.blocks).toEqual(slotsOf(["wraps, pays and unwraps at once"]));
  expect(found.is_proven).toBe(true);
  // The state, the first slot; a page for her and for the account that is hers, two for the wrapped one; one transaction.
  expect(calls).toBe(3 + 1 + 1 + 1 + 2 + 1);
});

test("up to an earlier slot, later transactions only prove the state", async () => {
  const to = at["mints to the second"] ?? 0;
  const { found } = await historyOf(() => undefined, { to });
  expect(found.blocks).toEqual(slotsOf(hers.slice(0, hers.indexOf("mints to the second") + 1)));
  expect(found.ends.find(({ token }) => token === mintHex())?.amount).toBe(570n);
  expect(found.is_proven).toBe(true);
});

test("a node that omits a transaction proves nothing", async () => {
  const left_out = ["mints to it", "pays her", "returns it", "mints to the second"];
  for (const name of left_out) {
    const { found } = await historyOf((call) => listing(call, ({ slot }) => slot !== at[name]));
    expect(found.is_proven, name).toBe(false);
    expect(found.blocks).not.toContain(at[name]);
  }
});

test("a node without the oldest slots says from where on it knows", async () => {
  const first = (at["mints to the second"] ?? 0) - 1;
  const { found } = await historyOf((call) =>
    call.method === "getFirstAvailableBlock" ? { result: first } : listing(call, ({ slot }) => slot >= first),
  );
  const rest = hers.slice(hers.indexOf("mints to the second"));
  expect(found).toMatchObject({ lost_before: first, blocks: slotsOf(rest), is_proven: true });
  // 10 SOL were paid; opening the second account cost its fee and rent.
  const spent = facade.svm.minimumBalanceForRentExemption(165n) + 10_000n;
  expect(new Map(found.openings.map(({ token, amount }) => [token, amount]))).toEqual(
    new Map([
      ["", 10n * SOL - spent],
      [mintHex(), 500n],
    ]),
  );
});

test("a transaction whose owners were not kept ends what is known", async () => {
  const slot = at["mints to it"] ?? 0;
  const [listed] = [...lists.values()].flat().filter((one) => one.slot === slot);
  const config = { encoding: "base64", maxSupportedTransactionVersion: 0 };
  const bare = withoutOwners(Object(await ask("getTransaction", [listed?.signature, config])));
  const { found } = await historyOf(({ method, params }) =>
    method === "getTransaction" && params[0] === listed?.signature ? { result: bare } : undefined,
  );
  expect(found.lost_before).toBe(slot + 1);
  expect(found.blocks).toEqual(slotsOf(hers.slice(hers.indexOf("mints to it") + 1)));
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
  const { found } = await historyOf(() => undefined, { address: parseAddress(known(bob).address) ?? "" });
  expect(found.is_proven).toBe(false);
  expect(found.openings[0]).toEqual({ token: "", amount: 100n * SOL });
});
