/** Traffic on the façade: every kind of movement once for certain, then a generated mix. */
import type { Address, Instruction } from "@solana/kit";
import { actor, create, pay, type SolanaActor, tokenProgram, WRAPPED_MINT } from "../../src/demo/solana/acts.ts";
import { SolanaFacade } from "../../src/demo/solana/facade.ts";
import { TOKEN, TOKEN_2022 } from "../../src/demo/solana/made_transaction.ts";

const MINT_SPACE = 82;
const ACCOUNT_SPACE = 165;
/** Type of the account, type and length of the extension, then 108 bytes of fees (mint) or 8 (account). */
const FEE_MINT_SPACE = ACCOUNT_SPACE + 1 + 4 + 108;
const FEE_ACCOUNT_SPACE = ACCOUNT_SPACE + 1 + 4 + 8;

const classic = tokenProgram(TOKEN);
const newer = tokenProgram(TOKEN_2022);

export interface Traffic {
  readonly facade: SolanaFacade;
  readonly people: readonly SolanaActor[];
  readonly mints: readonly Address[];
  /** Every account of the transactions. */
  readonly addresses: readonly Address[];
  /** Transactions that were meant to fail and did. */
  readonly failed: number;
}

interface TrafficWorld extends Omit<Traffic, "failed" | "addresses"> {
  readonly accounts: SolanaActor[];
  /** [classic, with a fee, wrapped SOL] token account of each of the users. */
  readonly wallets: Address[][];
  failed: number;
}

/**
 * `random` returns numbers of 0 to 1; `rounds` transactions of the generated mix, some in one block, some slots
 * skipped.
 */
export const makeTraffic = async (random: () => number, rounds: number): Promise<Traffic> => {
  const people = await Promise.all([1, 2, 3].map(actor));
  const producer = await actor(99);
  const facade = new SolanaFacade(producer.address);
  for (const { address } of people) facade.credit(address, 50_000_000_000n);
  facade.seal();
  const world: TrafficWorld = { facade, people, mints: [], accounts: [...people, producer], wallets: [], failed: 0 };
  const mints = await openMints(world);
  await openWallets(world, mints);
  await certain(world);
  for (let i = 0; i < rounds; i += 1) {
    await generated(world, random);
    if (random() < 0.5) facade.seal(random() < 0.3 ? 1 + Math.floor(random() * 3) : 0);
  }
  facade.seal(2);
  const addresses = world.accounts.map(({ address }) => address);
  return { facade, people, mints: [...mints, WRAPPED_MINT], addresses, failed: world.failed };
};

const newAccount = async (world: TrafficWorld, space: number, program: string): Promise<[SolanaActor, Instruction]> => {
  const account = await actor(100 + world.accounts.length);
  world.accounts.push(account);
  const lamports = world.facade.svm.minimumBalanceForRentExemption(BigInt(space));
  const payer = world.people[0]?.address ?? account.address;
  return [account, create({ payer, account: account.address, lamports, space, program })];
};

const must = async (
  world: TrafficWorld,
  instructions: readonly Instruction[],
  signers: readonly SolanaActor[],
): Promise<void> => {
  const [payer, ...more] = signers;
  if (payer === undefined) throw new Error("nobody pays");
  const error = await world.facade.send(instructions, [payer.keys, ...more.map(({ keys }) => keys)], payer.address);
  if (error !== null) throw new Error(`a transaction that must succeed failed: ${error}`);
};

const openMints = async (world: TrafficWorld): Promise<Address[]> => {
  const [alice] = world.people as [SolanaActor]; // there are three
  const [plain, create_plain] = await newAccount(world, MINT_SPACE, TOKEN);
  await must(world, [create_plain, classic.initializeMint(plain.address, alice.address)], [alice, plain]);
  const [taxed, create_taxed] = await newAccount(world, FEE_MINT_SPACE, TOKEN_2022);
  const fee = newer.initializeFee(taxed.address, alice.address, 250);
  await must(world, [create_taxed, fee, newer.initializeMint(taxed.address, alice.address)], [alice, taxed]);
  world.facade.seal();
  return [plain.address, taxed.address];
};

const openWallets = async (world: TrafficWorld, [plain, taxed]: readonly Address[]): Promise<void> => {
  const [alice] = world.people as [SolanaActor]; // there are three
  if (plain === undefined || taxed === undefined) throw new Error("no mints");
  for (const { address } of world.people) {
    const [first, create_first] = await newAccount(world, ACCOUNT_SPACE, TOKEN);
    const [second, create_second] = await newAccount(world, FEE_ACCOUNT_SPACE, TOKEN_2022);
    const [third, create_third] = await newAccount(world, ACCOUNT_SPACE, TOKEN);
    await must(
      world,
      [
        create_first,
        classic.open(first.address, plain, address),
        classic.mintTo({ mint: plain, to: first.address, authority: alice.address, amount: 10n ** 12n }),
      ],
      [alice, first],
    );
    await must(
      world,
      [
        create_second,
        newer.open(second.address, taxed, address),
        newer.mintTo({ mint: taxed, to: second.address, authority: alice.address, amount: 10n ** 12n }),
      ],
      [alice, second],
    );
    await must(world, [create_third, classic.open(third.address, WRAPPED_MINT, address)], [alice, third]);
    world.wallets.push([first.address, second.address, third.address]);
    world.facade.seal(1);
  }
  Object.assign(world, { mints: [plain, taxed] });
};

/** Wraps, sends wrapped SOL, closes and opens again, transfers an account, freezes, fails: each once. */
const certain = async (world: TrafficWorld): Promise<void> => {
  const [alice, bob] = world.people as [SolanaActor, SolanaActor]; // there are three
  const [[, , wrapped_a] = [], [plain_b, , wrapped_b] = []] = world.wallets;
  const [plain] = world.mints;
  if (!(wrapped_a && wrapped_b && plain_b && plain)) throw new Error("no wallets");
  await must(world, [pay(alice.address, wrapped_a, 5_000_000_000n), classic.sync(wrapped_a)], [alice]);
  await must(
    world,
    [
      classic.transfer({
        from: wrapped_a,
        mint: WRAPPED_MINT,
        to: wrapped_b,
        by: alice.address,
        amount: 1_234_567_890n,
        decimals: 9,
      }),
    ],
    [alice],
  );
  await must(world, [classic.close(wrapped_b, bob.address, bob.address)], [bob]);
  world.facade.seal();
  // The address of a closed account is opened again; it had keys of its own.
  const again = world.accounts.find(({ address }) => address === wrapped_b);
  if (again === undefined) throw new Error("no account");
  const lamports = world.facade.svm.minimumBalanceForRentExemption(BigInt(ACCOUNT_SPACE)) + 77n;
  const reopened = { payer: alice.address, account: wrapped_b, lamports, space: ACCOUNT_SPACE, program: TOKEN };
  await must(world, [create(reopened), classic.open(wrapped_b, WRAPPED_MINT, bob.address)], [alice, again]);
  await must(world, [classic.freeze(plain_b, plain, alice.address)], [alice]);
  world.failed += Number((await failing(world, plain_b)) !== null);
  await must(
    world,
    [
      classic.thaw(plain_b, plain, alice.address),
      classic.burn({ account: plain_b, mint: plain, by: bob.address, amount: 5n }),
    ],
    [alice, bob],
  );
  const [given, create_given] = await newAccount(world, ACCOUNT_SPACE, TOKEN);
  await must(
    world,
    [
      create_given,
      classic.open(given.address, plain, alice.address),
      classic.mintTo({ mint: plain, to: given.address, authority: alice.address, amount: 42n }),
      classic.giveAway(given.address, alice.address, bob.address),
    ],
    [alice, given],
  );
  world.facade.seal();
};

/** Bob sends from his frozen account. */
const failing = (world: TrafficWorld, frozen: Address): Promise<string | null> => {
  const [, bob] = world.people as [SolanaActor, SolanaActor]; // there are three
  const [plain] = world.mints;
  const [[to] = []] = world.wallets;
  if (plain === undefined || to === undefined) throw new Error("no wallets");
  return world.facade.send(
    [classic.transfer({ from: frozen, mint: plain, to, by: bob.address, amount: 1n })],
    [bob.keys],
    bob.address,
  );
};

const generated = async (world: TrafficWorld, random: () => number): Promise<void> => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T; // never empty here
  const amount = (most: number): bigint => BigInt(1 + Math.floor(random() * most));
  const from = pick([0, 1, 2]);
  const to = pick([0, 1, 2]);
  const [sender, receiver] = [world.people[from], world.people[to]];
  const [source, target] = [world.wallets[from] ?? [], world.wallets[to] ?? []];
  const [plain, taxed] = world.mints;
  if (!(sender && receiver && plain && taxed && source[0] && source[1] && source[2] && target[0] && target[1])) return;
  const acts: readonly (() => Instruction[])[] = [
    () => [pay(sender.address, receiver.address, amount(1e9))],
    () => [
      classic.transfer({
        from: source[0] as Address,
        mint: plain,
        to: target[0] as Address,
        by: sender.address,
        amount: amount(1e9),
      }),
    ],
    () => [
      newer.transfer({
        from: source[1] as Address,
        mint: taxed,
        to: target[1] as Address,
        by: sender.address,
        amount: amount(1e9),
      }),
    ],
    () => [pay(sender.address, source[2] as Address, amount(1e9)), classic.sync(source[2] as Address)],
    () => [classic.burn({ account: source[0] as Address, mint: plain, by: sender.address, amount: amount(1e6) })],
    // More than any account has: the whole transaction fails, its first transfer too.
    () => [pay(sender.address, receiver.address, 3n), pay(sender.address, receiver.address, 10n ** 15n)],
  ];
  const instructions = [...pick(acts)(), ...(random() < 0.4 ? pick(acts)() : [])];
  const error = await world.facade.send(instructions, [sender.keys], sender.address);
  if (error !== null) world.failed += 1;
};
