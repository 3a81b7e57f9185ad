/** Outcome of unsigned transfers by a node's `simulateTransaction`; nothing is sent. */
import type { Hex } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import type { SimulatedTransfer, TransferTrial, Trials } from "../transfer_trials.ts";
import { readTokenAccount } from "./account_data.ts";
import { formatBase58 } from "./address.ts";
import { resultOf } from "./endpoint.ts";
import { failureOf } from "./failure.ts";
import type { SolanaRpcPool } from "./probe.ts";
import { SYSTEM_PROGRAM } from "./programs.ts";
import { type LiveAccount, mintIn, type OwnedAccount, type SolanaStateReader } from "./state.ts";
import { unsignedTransaction } from "./unsigned.ts";
import { base64Of, indexOf } from "./wire.ts";

/** spl-token `TransferChecked`: moves an amount of a mint and checks its decimals. */
const TRANSFER_CHECKED = 12;
/** Least lamports of a payer: the fee, and the rent-exempt minimum of its account. */
const PAYER_LAMPORTS_MIN = 2_000_000n;
/** Each account moves this part of its balance. */
const PART = 10n;

const CONFIG = { encoding: "base64", commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: true };

/** Errors of the payer or of the node, which show nothing about the token. */
const NOT_OF_THE_TOKEN: readonly string[] = [
  ...["AccountNotFound", "InsufficientFundsForFee", "InvalidAccountForFee", "BlockhashNotFound", "AlreadyProcessed"],
  ...["AccountInUse", "SanitizeFailure", "SignatureFailure", "ClusterMaintenance"],
];

interface PreparedTransfer extends TransferTrial {
  readonly source: OwnedAccount;
  readonly target: OwnedAccount;
  readonly amount: bigint;
  readonly payer: Hex;
}

const largest = (accounts: readonly OwnedAccount[] | null): OwnedAccount | null =>
  [...(accounts ?? [])].sort((a, b) => Number(b.data.amount - a.data.amount) || (a.account < b.account ? -1 : 1))[0] ??
  null;

const isOpen = ({ data }: OwnedAccount): boolean => data.state !== "frozen";

/** A mint, and its token program. */
interface MintProgram {
  readonly token: Hex;
  readonly program: Hex;
  readonly decimals: number;
}

const wireOf = (
  { token, program, decimals }: MintProgram,
  { source, target, amount, payer, from }: PreparedTransfer,
): string => {
  const data = Buffer.alloc(10);
  data.writeUInt8(TRANSFER_CHECKED, 0);
  data.writeBigUInt64LE(amount, 1);
  data.writeUInt8(decimals, 9);
  const used = (key: Hex, is_writable: boolean, is_signer = false) => ({ key, is_writable, is_signer });
  const accounts = [
    used(source.account, true),
    used(token, false),
    used(target.account, true),
    used(from, false, true),
  ];
  return Buffer.from(unsignedTransaction(payer, { program, accounts, data })).toString("base64");
};

export class TransferSimulator {
  readonly #pool: SolanaRpcPool;
  readonly #state: SolanaStateReader;

  constructor(pool: SolanaRpcPool, state: SolanaStateReader) {
    this.#pool = pool;
    this.#state = state;
  }

  /**
   * In the order of the trials; null if there is no result: nothing to send, no account to pay the fee, a node that
   * does not simulate.
   */
  async transfers({ token, trials }: Trials, signal: AbortSignal, at?: number): Promise<(SimulatedTransfer | null)[]> {
    const owners = [...new Set(trials.flatMap(({ from, to }) => [from, to]))];
    const pairs = owners.map((holder) => ({ token, holder }));
    const [held, [mint_account = null, ...wallets]] = await Promise.all([
      this.#state.tokenAccounts(pairs, signal, at),
      this.#state.accounts([token, ...owners], signal, at),
    ]);
    const mint = mintIn(mint_account);
    if (mint === null || mint_account === null) return trials.map(() => null);
    const accountOf = new Map(owners.map((owner, i) => [owner, largest(held[i] ?? null)]));
    const targetOf = new Map(owners.map((owner, i) => [owner, largest((held[i] ?? []).filter(isOpen))]));
    const payerFor = payersAmong(owners, wallets);
    const prepared = trials.map((trial): PreparedTransfer | null => {
      const source = accountOf.get(trial.from) ?? null;
      // A frozen account cannot receive, whatever the payer: that would show nothing about the sender.
      const target = targetOf.get(trial.to) ?? null;
      const payer = payerFor(trial.from);
      const amount = (source?.data.amount ?? 0n) / PART;
      return source === null || target === null || payer === null || amount === 0n || source.account === target.account
        ? null
        : { ...trial, source, target, payer, amount };
    });
    const asked = prepared.flatMap((one) => (one === null ? [] : [one]));
    const of = { token, program: mint_account.owner, decimals: mint.decimals };
    const wires = asked.map((one) => wireOf(of, one));
    const said = await this.#simulate(asked, wires, signal);
    const ends = new Map(asked.map((one, i) => [one, said[i] ?? null]));
    return prepared.map((one) => (one === null ? null : (ends.get(one) ?? null)));
  }

  /** Reads the state before in the same batch; it counts if the node was at the same slot. */
  #simulate(
    asked: readonly PreparedTransfer[],
    wires: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (SimulatedTransfer | null)[]> {
    if (asked.length === 0) return Promise.resolve([]);
    const targets = asked.map(({ target }) => formatBase58(target.account));
    const simulations = wires.map((wire, i) => ({
      method: "simulateTransaction",
      params: [wire, { ...CONFIG, accounts: { encoding: "base64", addresses: [targets[i]] } }],
    }));
    const before = {
      method: "getMultipleAccounts",
      params: [targets, { encoding: "base64", commitment: "confirmed" }],
    };
    return this.#pool.run({ what: "simulateTransaction" }, signal, async ({ endpoint }) => {
      const { answers } = await endpoint.ask([before, ...simulations], signal);
      const [state, ...ends] = answers;
      const held = state === undefined ? null : fieldsOf(resultOf(state), "accounts");
      const accounts = held === null ? [] : listOf(held.value, "accounts");
      return asked.map((one, i) => {
        const answer = ends[i];
        // A node that offers no simulation, or finds the transaction malformed, shows nothing about the token.
        if (answer === undefined || !answer.ok) return null;
        const { context, value } = fieldsOf(answer.result, "simulation");
        const is_same = slotIn(context) === slotIn(held?.context);
        return simulationResult(one, value, is_same ? (accounts[i] ?? null) : null);
      });
    });
  }
}

const slotIn = (context: unknown): number => indexOf(fieldsOf(context, "context").slot, "slot of the state");

/** Without signatures any account may pay: the owner if it can, else the first of the others that can. */
const payersAmong = (
  owners: readonly Hex[],
  wallets: readonly (LiveAccount | null)[],
): ((owner: Hex) => Hex | null) => {
  const able = owners.filter((_, i) => {
    const wallet = wallets[i] ?? null;
    return (
      wallet !== null &&
      wallet.owner === SYSTEM_PROGRAM &&
      wallet.data.length === 0 &&
      wallet.lamports >= PAYER_LAMPORTS_MIN
    );
  });
  return (owner) => (able.includes(owner) ? owner : (able[0] ?? null));
};

const nameOf = (error: unknown): string =>
  typeof error === "string" ? error : (Object.keys(Object(error))[0] ?? "unknown");

/** `before`: the target's account at the same slot; null: unknown. */
const simulationResult = (
  { from, to, amount }: PreparedTransfer,
  value: unknown,
  before: unknown,
): SimulatedTransfer | null => {
  const { err = null, logs, accounts } = fieldsOf(value, "simulation");
  const told = { from, to, sent: amount };
  if (err !== null && NOT_OF_THE_TOKEN.includes(nameOf(err))) return null;
  const failure = failureOf({ err, logMessages: logs });
  if (failure !== null) return { ...told, arrived: null, failure: failure.words };
  const [after] = listOf(accounts, "simulated accounts");
  if (before === null) return { ...told, arrived: null, failure: null };
  const arrived = amountIn(after) - amountIn(before);
  if (arrived < 0n || arrived > amount) throw new BadAnswer("a simulated transfer does not add up");
  return { ...told, arrived, failure: null };
};

const amountIn = (account: unknown): bigint => {
  const data = base64Of(listOf(fieldsOf(account, "token account").data, "data")[0], "data");
  const read = readTokenAccount(data);
  if (read === null) throw new BadAnswer("an invalid token account");
  return read.amount;
};
