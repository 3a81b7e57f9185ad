/** A small scenario on the façade: three users, one mint, a payment, a transfer, a failure, an approval, a name. */
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { actor, create, pay, type SolanaActor, tokenProgram } from "../../src/demo/solana/acts.ts";
import { SolanaFacade } from "../../src/demo/solana/facade.ts";
import { packed, TOKEN } from "../../src/demo/solana/made_transaction.ts";
import { registerName } from "../../src/demo/solana/name_accounts.ts";

/** Beyond the last transaction, so that all of them are final. */
export const QUIET_SLOTS = 40;
const SOL = 1_000_000_000n;
const token = tokenProgram(TOKEN);
const BUDGET = address("ComputeBudget111111111111111111111111111111");

export interface ActsScenario {
  readonly facade: SolanaFacade;
  readonly alice: SolanaActor;
  readonly bob: SolanaActor;
  readonly mint: SolanaActor;
  readonly wallets: { readonly alice: Address; readonly bob: Address };
  readonly hashes: {
    readonly minted: string;
    readonly paid: string;
    readonly sent: string;
    readonly failed: string;
    readonly allowed: string;
  };
}

const budget = (data: Uint8Array): Instruction => ({ programAddress: BUDGET, accounts: [], data });

export const runScenario = async (): Promise<ActsScenario> => {
  const [alice, bob, producer, mint, first, second] = (await Promise.all([1, 2, 99, 10, 11, 12].map(actor))) as [
    SolanaActor,
    SolanaActor,
    SolanaActor,
    SolanaActor,
    SolanaActor,
    SolanaActor,
  ]; // six seeds, six actors
  const facade = new SolanaFacade(producer.address);
  for (const { address: to } of [alice, bob]) facade.credit(to, 50n * SOL);
  facade.seal();
  const rent = (space: number) => facade.svm.minimumBalanceForRentExemption(BigInt(space));
  const open = (account: SolanaActor, space: number): Instruction =>
    create({ payer: alice.address, account: account.address, lamports: rent(space), space, program: TOKEN });
  const run = async (
    instructions: readonly Instruction[],
    signers: readonly [SolanaActor, ...SolanaActor[]],
    fails = false,
  ) => {
    const [payer, ...more] = signers;
    const error = await facade.send(instructions, [payer.keys, ...more.map(({ keys }) => keys)], payer.address);
    if ((error !== null) !== fails) throw new Error(error ?? "a transaction that must fail did not");
    facade.seal();
    return facade.newest;
  };
  const minted = await run(
    [
      open(mint, 82),
      token.initializeMint(mint.address, alice.address),
      open(first, 165),
      token.open(first.address, mint.address, alice.address),
      open(second, 165),
      token.open(second.address, mint.address, bob.address),
      token.mintTo({ mint: mint.address, to: first.address, authority: alice.address, amount: 5_000_000n }),
    ],
    [alice, mint, first, second],
  );
  // A limit of 10,000 units at 1,000,000 millionths of a lamport each: a priority fee of 10,000 lamports.
  const paid = await run(
    [
      budget(packed(["u8", 2], ["u32", 10_000])),
      budget(packed(["u8", 3], ["u64", 1_000_000])),
      pay(alice.address, bob.address, 2n * SOL),
    ],
    [alice],
  );
  const sent = await run(
    [
      token.transfer({
        from: first.address,
        mint: mint.address,
        to: second.address,
        by: alice.address,
        amount: 1_500_000n,
      }),
    ],
    [alice],
  );
  const failed = await run(
    [
      pay(bob.address, alice.address, 7n),
      token.transfer({
        from: second.address,
        mint: mint.address,
        to: first.address,
        by: bob.address,
        amount: 9_000_000n,
      }),
    ],
    [bob],
    true,
  );
  const allowed = await run(
    [
      {
        programAddress: address(TOKEN),
        accounts: [
          { address: second.address, role: AccountRole.WRITABLE },
          { address: alice.address, role: AccountRole.READONLY },
          { address: bob.address, role: AccountRole.READONLY_SIGNER },
        ],
        data: packed(["u8", 4], ["u64", 250_000n]),
      },
    ],
    [bob],
  );
  facade.seal(QUIET_SLOTS);
  registerName(facade, "alice", alice.address);
  const wallets = { alice: first.address, bob: second.address };
  return { facade, alice, bob, mint, wallets, hashes: { minted, paid, sent, failed, allowed } };
};
