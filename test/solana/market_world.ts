/** A market on the façade: SOL against dollars, a token against SOL, and two users who trade it over three days. */
import type { Address, Instruction } from "@solana/kit";
import { actor, create, pay, type SolanaActor, tokenProgram, WRAPPED_MINT } from "../../src/demo/solana/acts.ts";
import { type AssociatedAccount, associatedAddress, openAssociated } from "../../src/demo/solana/associated.ts";
import { SolanaFacade } from "../../src/demo/solana/facade.ts";
import { TOKEN } from "../../src/demo/solana/made_transaction.ts";
import { installPools, makePool, type TestPool } from "../../src/demo/solana/pool_program.ts";
import { writeMetadata } from "../../src/demo/solana/token_texts.ts";

const SOL = 10n ** 9n;
const UNIT = 10n ** 6n;
/** 2023-11-15 00:00:00 UTC. */
const MIDNIGHT = 1_700_006_400;
const HOUR = 3_600;
const MINT_BYTES = 82;
const SLOTS_TO_FINAL = 32;

/** Initial balances of the two pools. */
const DOLLAR_POOL = { sol: 1_000n * SOL, dollars: 200_000n * UNIT } as const;
const TOKEN_POOL = { sol: 500n * SOL, tokens: 1_000_000n * UNIT } as const;
const TOKEN_SUPPLY = 1_200_000n * UNIT;

export interface MarketWorld {
  readonly facade: SolanaFacade;
  readonly maker: SolanaActor;
  readonly bob: SolanaActor;
  readonly carol: SolanaActor;
  readonly dollar: Address;
  readonly token: Address;
  readonly dollar_pool: TestPool;
  readonly token_pool: TestPool;
}

const classic = tokenProgram(TOKEN);
const of = (owner: Address, mint: Address): AssociatedAccount => ({ owner, mint, program: TOKEN });

interface MarketContext {
  readonly facade: SolanaFacade;
  readonly act: (
    by: SolanaActor,
    at: number,
    does: readonly Instruction[],
    others?: readonly SolanaActor[],
  ) => Promise<void>;
}

const marketContext = (facade: SolanaFacade): MarketContext => ({
  facade,
  async act(by, at, does, others = []) {
    const error = await facade.send(does, [by.keys, ...others.map(({ keys }) => keys)], by.address);
    if (error !== null) throw new Error(`The story broke: ${error}`);
    facade.seal(0, MIDNIGHT + at);
  },
});

const wrapping = (owner: Address, amount: bigint): Instruction[] => {
  const account = associatedAddress(of(owner, WRAPPED_MINT));
  return [openAssociated(owner, of(owner, WRAPPED_MINT)), pay(owner, account, amount), classic.sync(account)];
};

const issue = async (
  { act, facade }: MarketContext,
  maker: SolanaActor,
  coin: SolanaActor,
  supply: bigint,
): Promise<void> => {
  const lamports = facade.svm.minimumBalanceForRentExemption(BigInt(MINT_BYTES));
  const made = { payer: maker.address, account: coin.address, lamports, space: MINT_BYTES, program: TOKEN };
  const held = of(maker.address, coin.address);
  await act(maker, 60, [create(made), classic.initializeMint(coin.address, maker.address)], [coin]);
  const minted = classic.mintTo({
    mint: coin.address,
    to: associatedAddress(held),
    authority: maker.address,
    amount: supply,
  });
  await act(maker, 120, [openAssociated(maker.address, held), minted]);
};

const openPools = async (
  { act, facade }: MarketContext,
  maker: SolanaActor,
  [dollar, token]: readonly [Address, Address],
) => {
  const wrapped = { mint: WRAPPED_MINT, program: TOKEN } as const;
  const dollar_pool = await makePool(120, { mint: dollar, program: TOKEN }, wrapped);
  const token_pool = await makePool(130, { mint: token, program: TOKEN }, wrapped);
  await act(maker, 180, wrapping(maker.address, DOLLAR_POOL.sol + TOKEN_POOL.sol));
  for (const [pool, mint, sol, amount] of [
    [dollar_pool, dollar, DOLLAR_POOL.sol, DOLLAR_POOL.dollars],
    [token_pool, token, TOKEN_POOL.sol, TOKEN_POOL.tokens],
  ] as const) {
    await act(maker, 240, pool.create(facade.svm, maker), pool.keys);
    const amounts = new Map([
      [WRAPPED_MINT, sol],
      [mint, amount],
    ]);
    await act(maker, 300, pool.initialize(maker.address, amounts));
  }
  return { dollar_pool, token_pool };
};

/** Bob buys with 10 SOL, carol with 25, bob sells all of his; on the next day carol sells some. */
const TRADES = { bob: 10n * SOL, carol: 25n * SOL, carol_sells: 20_000n * UNIT } as const;

export const makeMarket = async (): Promise<MarketWorld> => {
  const [maker, bob, carol, coin, coin2, producer] = (await Promise.all([1, 2, 3, 100, 101, 99].map(actor))) as [
    SolanaActor,
    SolanaActor,
    SolanaActor,
    SolanaActor,
    SolanaActor,
    SolanaActor,
  ]; // one for each seed
  const facade = new SolanaFacade(producer.address);
  installPools(facade.svm);
  const desk = marketContext(facade);
  const { act } = desk;
  facade.credit(maker.address, 10_000n * SOL);
  facade.seal(0, MIDNIGHT);
  await issue(desk, maker, coin, 1_000_000n * UNIT);
  await issue(desk, maker, coin2, TOKEN_SUPPLY);
  writeMetadata(facade.svm, { mint: coin.address, texts: { name: "USD Coin", symbol: "USDC", uri: "" } });
  writeMetadata(facade.svm, { mint: coin2.address, texts: { name: "Beacon", symbol: "BCN", uri: "" } });
  const token = coin2.address;
  const pools = await openPools(desk, maker, [coin.address, token]);
  await act(maker, HOUR, [pay(maker.address, bob.address, 100n * SOL), pay(maker.address, carol.address, 200n * SOL)]);
  const buying = (who: SolanaActor, amount: bigint) => [
    ...wrapping(who.address, amount),
    openAssociated(who.address, of(who.address, token)),
    pools.token_pool.swap(who.address, { sold: WRAPPED_MINT, amount }),
  ];
  const selling = (who: SolanaActor, amount: bigint) => pools.token_pool.swap(who.address, { sold: token, amount });
  await act(bob, 2 * HOUR, buying(bob, TRADES.bob));
  await act(carol, 4 * HOUR, buying(carol, TRADES.carol));
  const bought = (TOKEN_POOL.tokens * 9_975n * SOL) / 1_000n / (TOKEN_POOL.sol + (9_975n * SOL) / 1_000n);
  await act(bob, 6 * HOUR, [
    selling(bob, bought),
    classic.close(associatedAddress(of(bob.address, WRAPPED_MINT)), bob.address, bob.address),
  ]);
  await act(carol, 30 * HOUR, [selling(carol, TRADES.carol_sells)]);
  // Two days are over, and final: the index moves final blocks in runs of 32 slots.
  facade.seal(2 * SLOTS_TO_FINAL, MIDNIGHT + 49 * HOUR);
  facade.seal(SLOTS_TO_FINAL, MIDNIGHT + 50 * HOUR);
  return { facade, maker, bob, carol, dollar: coin.address, token, ...pools };
};
