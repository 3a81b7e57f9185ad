import { afterAll, beforeAll, expect, test } from "vitest";
import { openChain } from "../../chains/families.ts";
import { solana } from "../../chains/networks/known.gen.ts";
import { silentLog } from "../../lib/log.ts";
import { actor, create, pay, type SolanaActor, tokenProgram, WRAPPED_MINT } from "./acts.ts";
import { associatedAddress, openAssociated } from "./associated.ts";
import { SolanaFacade } from "./facade.ts";
import { TOKEN } from "./made_transaction.ts";
import { installPools, makePool, type TestPool } from "./pool_program.ts";

const SOL = 10n ** 9n;
const UNIT = 10n ** 6n;
const classic = tokenProgram(TOKEN);

let facade: SolanaFacade;
let [alice, coin]: SolanaActor[] = [];
let pool: TestPool;

const act = async (does: Parameters<SolanaFacade["send"]>[0], others: readonly SolanaActor[] = []) => {
  if (alice === undefined) throw new Error("nobody acts");
  const error = await facade.send(does, [alice.keys, ...others.map(({ keys }) => keys)], alice.address);
  facade.seal();
  return error;
};

beforeAll(async () => {
  [alice, coin] = await Promise.all([actor(1), actor(100)]);
  if (alice === undefined || coin === undefined) throw new Error("no actors");
  facade = new SolanaFacade((await actor(99)).address);
  installPools(facade.svm);
  facade.credit(alice.address, 1_000n * SOL);
  const lamports = facade.svm.minimumBalanceForRentExemption(82n);
  const made = create({ payer: alice.address, account: coin.address, lamports, space: 82, program: TOKEN });
  expect(await act([made, classic.initializeMint(coin.address, alice.address)], [coin])).toBeNull();
  const [coins, wrapped] = [coin.address, WRAPPED_MINT].map(
    (mint) => ({ owner: alice?.address ?? mint, mint, program: TOKEN }) as const,
  );
  if (coins === undefined || wrapped === undefined) throw new Error("no tokens");
  const opened = [coins, wrapped].map((of) => openAssociated(coins.owner, of));
  const account = associatedAddress(wrapped);
  const filled = [
    classic.mintTo({
      mint: coin.address,
      to: associatedAddress(coins),
      authority: coins.owner,
      amount: 1_000_000n * UNIT,
    }),
    pay(coins.owner, account, 500n * SOL),
    classic.sync(account),
  ];
  expect(await act([...opened, ...filled])).toBeNull();
  pool = await makePool(120, { mint: coin.address, program: TOKEN }, { mint: WRAPPED_MINT, program: TOKEN });
  expect(await act(pool.create(facade.svm, alice), pool.keys)).toBeNull();
});
afterAll(() => facade.close());

const actsOfLast = async (signal: AbortSignal) => {
  const network = { ...solana, caip2: `solana:${facade.genesis.slice(0, 32)}` };
  const chain = await openChain(network, { rpc: [facade.url], log: silentLog }, signal);
  try {
    const blocks = await chain.blocks(0, facade.head, signal);
    return blocks.flatMap(({ transactions }) => transactions.flatMap(({ pool_acts }) => pool_acts ?? []));
  } finally {
    await chain.close();
  }
};

test("a pool is created, traded in both directions and emptied by the rules of its source", async () => {
  if (alice === undefined || coin === undefined) throw new Error("no actors");
  const amounts = new Map([
    [coin.address, 100_000n * UNIT],
    [WRAPPED_MINT, 100n * SOL],
  ]);
  expect(await act(pool.initialize(alice.address, amounts))).toBeNull();
  expect(await act([pool.swap(alice.address, { sold: WRAPPED_MINT, amount: SOL })])).toBeNull();
  expect(await act([pool.swap(alice.address, { sold: coin.address, amount: 1_000n * UNIT })])).toBeNull();
  // More than the output: nothing happens.
  expect(await act([pool.swap(alice.address, { sold: coin.address, amount: UNIT, least: SOL })])).not.toBeNull();
  // A third of the shares: root(100,000 * 10^6 * 100 * 10^9) = 10^11, a third rounded down.
  expect(await act([pool.withdraw(alice.address, 33_333_333_333n)])).toBeNull();
  await facade.start();
  const acts = await actsOfLast(AbortSignal.timeout(20_000));
  // The mint of wrapped SOL has the lower bytes. One SOL pays 2,500,000 lamports: 100,000 * 10^6 * 997,500,000 /
  // (100 * 10^9 + 997,500,000) = 987648209.1…
  // Then 1,000 coins pay 2.5: 101 * 10^9 * 997,500,000 / (99,012,351,791 + 997,500,000) = 1007375755.4…
  // Then 33,333,333,333 / 10^11 of 99,992,624,245 and of 100,012,351,791.
  expect(
    acts.map(({ is_new, swap, state }) => [is_new, swap?.amount0, swap?.amount1, state?.reserve0, state?.reserve1]),
  ).toEqual([
    [true, undefined, undefined, 100n * SOL, 100_000n * UNIT],
    [false, SOL, -987_648_209n, 101n * SOL, 99_012_351_791n],
    [false, -1_007_375_755n, 1_000n * UNIT, 99_992_624_245n, 100_012_351_791n],
    [false, undefined, undefined, 99_992_624_245n - 33_330_874_748n, 100_012_351_791n - 33_337_450_596n],
  ]);
  expect(acts.map(({ shares }) => shares?.amount ?? null)).toEqual([10n ** 11n, null, null, -33_333_333_333n]);
  expect(new Set(acts.map(({ pool: key }) => Buffer.from(key ?? []).toString("hex"))).size).toBe(1);
});
