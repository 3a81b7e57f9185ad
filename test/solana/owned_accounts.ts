/** Acts on the real token programs around the wallet of Alice: accounts that name her, that do not, and that she no longer has. */
import { actor, create, pay, type SolanaActor, tokenProgram, WRAPPED_MINT } from "../../src/demo/solana/acts.ts";
import { associatedAddress, openAssociated } from "../../src/demo/solana/associated.ts";
import { SolanaFacade } from "../../src/demo/solana/facade.ts";
import { TOKEN } from "../../src/demo/solana/made_transaction.ts";

export const SOL = 1_000_000_000n;
const classic = tokenProgram(TOKEN);
/** Slots above the newest act, so that all acts are final. */
const QUIET_SLOTS = 40;

interface ListEntry {
  readonly slot: number;
  readonly signature: string;
}

export interface OwnedAccounts {
  readonly facade: SolanaFacade;
  readonly alice: SolanaActor;
  readonly bob: SolanaActor;
  readonly mint: SolanaActor;
  /** Slot of each act. */
  readonly at: Readonly<Record<string, number>>;
  /** Acts that concern Alice. */
  readonly hers: readonly string[];
  /** The façade's own lists of her accounts. */
  readonly lists: ReadonlyMap<string, readonly ListEntry[]>;
  /** Asks the façade itself. */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
}

export const openOwnedAccounts = async (): Promise<OwnedAccounts> => {
  const [alice, bob, mint] = await Promise.all([actor(1), actor(2), actor(3)]);
  const [silent, closed, given] = await Promise.all([actor(4), actor(5), actor(6)]);
  const [a, b, m] = [alice.address, bob.address, mint.address];
  const facade = new SolanaFacade((await actor(99)).address);
  const at: Record<string, number> = {};
  const hers: string[] = [];
  const act = async (
    name: string,
    does: readonly Parameters<SolanaFacade["send"]>[0][number][],
    [payer, ...others]: readonly [SolanaActor, ...SolanaActor[]],
  ): Promise<void> => {
    const error = await facade.send(does, [payer.keys, ...others.map(({ keys }) => keys)], payer.address);
    if (error !== null) throw new Error(`${name}: ${error}`);
    // A slot is skipped after each act.
    at[name] = facade.seal(1);
  };
  const ofHers = async (...[name, does, by]: Parameters<typeof act>): Promise<void> => {
    await act(name, does, by);
    hers.push(name);
  };
  facade.credit(b, 100n * SOL);
  facade.seal();
  const rent = (space: number) => facade.svm.minimumBalanceForRentExemption(BigInt(space));
  const account = (one: SolanaActor, payer = b) =>
    create({ payer, account: one.address, lamports: rent(165), space: 165, program: TOKEN });
  const made = create({ payer: b, account: m, lamports: rent(82), space: 82, program: TOKEN });
  const tokens = (to: SolanaActor, amount: bigint) => classic.mintTo({ mint: m, to: to.address, authority: b, amount });
  const move = (from: SolanaActor, to: SolanaActor, by: typeof a) =>
    classic.transfer({ from: from.address, mint: m, to: to.address, by, amount: 10n });

  await act("makes a mint", [made, classic.initializeMint(m, b)], [bob, mint]);
  await ofHers("pays her", [pay(b, a, 10n * SOL)], [bob]);
  // Her name is in the data of the instruction alone.
  await ofHers("opens an account for her", [account(silent), classic.open(silent.address, m, a)], [bob, silent]);
  await ofHers("mints to it", [tokens(silent, 500n)], [bob]);
  await ofHers("opens her second", [account(closed, a), classic.open(closed.address, m, a)], [alice, closed]);
  await ofHers("mints to the second", [tokens(closed, 70n)], [bob]);
  await ofHers(
    "moves all out and closes",
    [...Array.from({ length: 7 }, () => move(closed, silent, a)), classic.close(closed.address, a, a)],
    [alice],
  );
  await ofHers(
    "gives her his account",
    [account(given), classic.open(given.address, m, b), classic.giveAway(given.address, b, a)],
    [bob, given],
  );
  await ofHers("mints to the given one", [tokens(given, 30n)], [bob]);
  await ofHers("returns it", [classic.giveAway(given.address, a, b)], [alice]);
  // It is Bob's now: the block is read, though nothing of hers is in it.
  await ofHers("mints to his own", [tokens(given, 1n)], [bob]);
  const wrappedOf = (owner: typeof a) => ({ owner, mint: WRAPPED_MINT, program: TOKEN }) as const;
  const wrapped = associatedAddress(wrappedOf(a));
  const his = wrappedOf(b);
  await act("opens a wrapped account", [openAssociated(b, his)], [bob]);
  await ofHers(
    "wraps, pays and unwraps at once",
    [
      openAssociated(a, wrappedOf(a)),
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
  await act("pays himself", [pay(b, m, SOL)], [bob]);
  for (let slot = 0; slot < QUIET_SLOTS; slot += 1) facade.seal();
  await facade.start();
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(facade.url, { method: "POST", body });
    return Object(await response.json()).result;
  };
  const lists = new Map<string, readonly ListEntry[]>();
  for (const address of [a, silent.address, closed.address, given.address, wrapped])
    lists.set(address, (await ask("getSignaturesForAddress", [address, {}])) as readonly ListEntry[]); // as the façade answers
  return { facade, alice, bob, mint, at, hers, lists, ask };
};
