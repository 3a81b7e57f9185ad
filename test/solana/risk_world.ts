/** A scenario of freezes, delegates and powerful mints on the façade. Amounts have six decimals. */
import { type Address, address, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import { actor, create, pay, type SolanaActor, tokenProgram } from "../../src/demo/solana/acts.ts";
import { SolanaFacade } from "../../src/demo/solana/facade.ts";
import { TOKEN, TOKEN_2022 } from "../../src/demo/solana/made_transaction.ts";
import { approve, approveChecked, EXTENSIONS, mintSpace, revoke } from "./token_powers.ts";

const UNIT = 1_000_000n;
const METADATA = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s";
const ACCOUNT_SPACE = 165;
const MINT_SPACE = 82;
/** Fees of a mint, and an account with its withheld amount (token-2022 extension/transfer_fee). */
const FEE_BYTES = 108;
const FEE_ACCOUNT_SPACE = ACCOUNT_SPACE + 1 + 4 + 8;
const classic = tokenProgram(TOKEN);
const newer = tokenProgram(TOKEN_2022);

const NAMES = ["issuer", "frank", "thea", "clea", "zed", "dora", "spy", "gus", "hal"] as const;
export type RiskName = (typeof NAMES)[number];

/** Token accounts by name: `frank` and `frank2` are both Frank's. */
type HoldingName = RiskName | "frank2" | "dora2";

export interface RiskWorld {
  readonly facade: SolanaFacade;
  readonly people: Readonly<Record<RiskName, SolanaActor>>;
  /** A dollar coin whose issuer can freeze. */
  readonly dollar: Address;
  /** Token-2022: its accounts begin frozen, and its issuer can take from all of them. */
  readonly strict: Address;
  /** Token-2022: 2.5 % of every transfer are withheld. Clea has 900, Dora 100. */
  readonly taxed: Address;
  /** An address that a program derives, so that it has no key. */
  readonly vault: Address;
  readonly holdings: ReadonlyMap<HoldingName, Address>;
  /** Slot of each act. */
  readonly slots: ReadonlyMap<string, number>;
}

class RiskScript {
  readonly facade: SolanaFacade;
  readonly people: Readonly<Record<RiskName, SolanaActor>>;
  readonly holdings = new Map<HoldingName, Address>();
  readonly slots = new Map<string, number>();
  #made = 0;

  constructor(facade: SolanaFacade, people: Readonly<Record<RiskName, SolanaActor>>) {
    this.facade = facade;
    this.people = people;
  }

  /** One transaction in a block of its own. */
  async act(
    name: string,
    instructions: readonly Instruction[],
    signers: readonly [SolanaActor, ...SolanaActor[]],
  ): Promise<void> {
    const [payer, ...more] = signers;
    const error = await this.facade.send(instructions, [payer.keys, ...more.map(({ keys }) => keys)], payer.address);
    if (error !== null) throw new Error(`${name}: ${error}`);
    this.slots.set(name, this.facade.seal());
  }

  async make(space: number, program: string): Promise<[SolanaActor, Instruction]> {
    this.#made += 1;
    const made = await actor(100 + this.#made);
    const rent = this.facade.svm.minimumBalanceForRentExemption(BigInt(space));
    const { issuer } = this.people;
    return [made, create({ payer: issuer.address, account: made.address, lamports: rent, space, program })];
  }

  /** Opens a token account of the classic mint and mints to it. */
  async open(
    name: HoldingName,
    owner: RiskName,
    { mint, amount }: { readonly mint: Address; readonly amount: bigint },
  ) {
    const { issuer } = this.people;
    const [account, creation] = await this.make(ACCOUNT_SPACE, TOKEN);
    const filled =
      amount === 0n ? [] : [classic.mintTo({ mint, to: account.address, authority: issuer.address, amount })];
    const opened = classic.open(account.address, mint, this.people[owner].address);
    await this.act(`open ${name}`, [creation, opened, ...filled], [issuer, account]);
    this.holdings.set(name, account.address);
    return account.address;
  }
}

const openDollar = async (teller: RiskScript): Promise<Address> => {
  const { issuer } = teller.people;
  const [mint, creation] = await teller.make(MINT_SPACE, TOKEN);
  await teller.act("dollar", [creation, classic.initializeMint(mint.address, issuer.address)], [issuer, mint]);
  return mint.address;
};

/** Gus opens an account and can do nothing with it; Hal opens one and is thawed. */
const strictScenario = async (teller: RiskScript): Promise<Address> => {
  const { issuer, gus, hal } = teller.people;
  const { frozenAtFirst, permanentDelegate } = EXTENSIONS;
  const [mint, creation] = await teller.make(mintSpace(frozenAtFirst.space, permanentDelegate.space), TOKEN_2022);
  const powers = [frozenAtFirst.of(mint.address), permanentDelegate.of(mint.address, issuer.address)];
  const begun = newer.initializeMint(mint.address, issuer.address);
  await teller.act("strict", [creation, ...powers, begun], [issuer, mint]);
  for (const [name, owner] of [
    ["gus", gus],
    ["hal", hal],
  ] as const) {
    const [account, opening] = await teller.make(ACCOUNT_SPACE, TOKEN_2022);
    const opened = newer.open(account.address, mint.address, owner.address);
    await teller.act(`open ${name}`, [opening, opened], [issuer, account]);
    teller.holdings.set(name, account.address);
    if (name === "hal")
      await teller.act("thaw hal", [newer.thaw(account.address, mint.address, issuer.address)], [issuer]);
  }
  return mint.address;
};

/**
 * Two of Frank's accounts are frozen and one is thawed; Thea's is thawed in the same block; Zed closes his frozen one.
 */
const freezeScenario = async (teller: RiskScript, dollar: Address): Promise<void> => {
  const { issuer, frank, zed } = teller.people;
  const first = await teller.open("frank", "frank", { mint: dollar, amount: 700n * UNIT });
  const second = await teller.open("frank2", "frank", { mint: dollar, amount: 40n * UNIT });
  const thea = await teller.open("thea", "thea", { mint: dollar, amount: 20n * UNIT });
  const clea = await teller.open("clea", "clea", { mint: dollar, amount: 100n * UNIT });
  const empty = await teller.open("zed", "zed", { mint: dollar, amount: 0n });
  await teller.act(
    "frank pays",
    [classic.transfer({ from: first, mint: dollar, to: clea, by: frank.address, amount: 50n * UNIT })],
    [frank],
  );
  // Four empty seconds: a payment in the second of a freeze counts as one after it.
  teller.facade.seal(10);
  await teller.act("freeze frank", [classic.freeze(first, dollar, issuer.address)], [issuer]);
  await teller.act("freeze frank2", [classic.freeze(second, dollar, issuer.address)], [issuer]);
  await teller.act("thaw frank2", [classic.thaw(second, dollar, issuer.address)], [issuer]);
  // Two transactions of one block: their order is that of the block.
  await teller.facade.send([classic.freeze(thea, dollar, issuer.address)], [issuer.keys], issuer.address);
  await teller.act("thaw thea", [classic.thaw(thea, dollar, issuer.address)], [issuer]);
  await teller.act("freeze zed", [classic.freeze(empty, dollar, issuer.address)], [issuer]);
  await teller.act("zed closes", [classic.close(empty, zed.address, zed.address)], [zed]);
};

/** Spy may take 300 and takes 100; another delegate is revoked; Clea lets a vault take 7. */
const delegateScenario = async (teller: RiskScript, dollar: Address): Promise<Address> => {
  const { clea, dora, spy, hal } = teller.people;
  const purse = await teller.open("dora", "dora", { mint: dollar, amount: 500n * UNIT });
  const other = await teller.open("dora2", "dora", { mint: dollar, amount: 5n * UNIT });
  const loot = await teller.open("spy", "spy", { mint: dollar, amount: 0n });
  const named = { account: purse, mint: dollar, delegate: spy.address };
  await teller.act("approve", [approveChecked(named, dora.address, 300n * UNIT)], [dora]);
  await teller.act(
    "take",
    [classic.transfer({ from: purse, mint: dollar, to: loot, by: spy.address, amount: 100n * UNIT })],
    [spy],
  );
  await teller.act("approve hal", [approve(other, hal.address, dora.address, 5n * UNIT)], [dora]);
  await teller.act("revoke hal", [revoke(other, dora.address)], [dora]);
  const purse_of_clea = teller.holdings.get("clea");
  const [vault] = await getProgramDerivedAddress({ programAddress: address(METADATA), seeds: ["vault"] });
  if (purse_of_clea === undefined) throw new Error("Clea has no account");
  await teller.act("approve vault", [approve(purse_of_clea, vault, clea.address, 7n * UNIT)], [clea]);
  // It holds coins: an address that was never used has no owner.
  await teller.act("fund vault", [pay(clea.address, vault, 1_000_000n)], [clea]);
  return vault;
};

const taxedScenario = async (teller: RiskScript): Promise<Address> => {
  const { issuer, clea, dora } = teller.people;
  const [mint, creation] = await teller.make(mintSpace(FEE_BYTES, EXTENSIONS.closable.space), TOKEN_2022);
  const powers = [
    newer.initializeFee(mint.address, issuer.address, 250),
    EXTENSIONS.closable.of(mint.address, issuer.address),
  ];
  const begun = newer.initializeMint(mint.address, issuer.address);
  await teller.act("taxed", [creation, ...powers, begun], [issuer, mint]);
  for (const [owner, amount] of [
    [clea, 900n],
    [dora, 100n],
  ] as const) {
    const [account, opening] = await teller.make(FEE_ACCOUNT_SPACE, TOKEN_2022);
    const opened = newer.open(account.address, mint.address, owner.address);
    const filled = newer.mintTo({
      mint: mint.address,
      to: account.address,
      authority: issuer.address,
      amount: amount * UNIT,
    });
    await teller.act("open taxed", [opening, opened, filled], [issuer, account]);
  }
  return mint.address;
};

export const makeRiskWorld = async (): Promise<RiskWorld> => {
  const actors = await Promise.all(NAMES.map((_, i) => actor(i + 1)));
  // As many actors as names, in their order.
  const people = Object.fromEntries(NAMES.map((name, i) => [name, actors[i]])) as Record<RiskName, SolanaActor>;
  const facade = new SolanaFacade((await actor(99)).address);
  for (const one of actors) facade.credit(one.address, 20_000_000_000n);
  facade.seal();
  const teller = new RiskScript(facade, people);
  const dollar = await openDollar(teller);
  await freezeScenario(teller, dollar);
  const vault = await delegateScenario(teller, dollar);
  const strict = await strictScenario(teller);
  const taxed = await taxedScenario(teller);
  const { holdings, slots } = teller;
  return { facade, people, dollar, strict, taxed, vault, holdings, slots };
};
