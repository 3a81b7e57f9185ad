/** The action of a wallet in each of its transactions, by the rule that makes the headline of a transaction. */
import { DERIVED } from "../../../../labels/derived_labels.ts";
import { EMPTY, fromHex, type Hex } from "../../../../lib/bytes.ts";
import { hourOf } from "../../../../lib/time.ts";
import { labelRowsOf, partiesIn } from "../../../address/identity/parties.ts";
import { IS_COLLECTIBLE, IS_COST, KINDS, type MovementRange } from "../../../address/movements/movements.ts";
import type { TransactionMovement } from "../../../transaction/decoding/movements.ts";
import { dollarsOf } from "../../../transaction/headline/case.ts";
import { eventScore, type HeadlineEvidence } from "../../../transaction/headline/evidence.ts";
import { actOf } from "../../../transaction/headline/headline.ts";
import { type NameOf, protocolAt } from "../../../transaction/headline/names.ts";
import type { HeadlineType } from "../../../transaction/headline/types.ts";
import { usdOf } from "../../../valuation/worth.ts";
import type { ValuedHistory } from "../history.ts";
import { readTransactionFacts, transactionKey } from "./read_transaction_facts.ts";
import type { ObservedPositionEvent, TransactionCall, TransactionFacts } from "./transaction_facts_cache.ts";

/** Facts about the wallet's transactions beyond its movements. */
export interface Acts {
  readonly told: TransactionFacts;
  readonly name: NameOf;
  /** Called contracts with an exchange label, which are routers. Pools that the index found itself are left out. */
  readonly exchanges: ReadonlySet<Hex>;
}

/** Acts without any facts but the movements. */
export const NO_ACTS: Acts = {
  told: { calls: new Map(), said: new Map(), traded: new Set() },
  name: () => null,
  exchanges: new Set(),
};

/**
 * Reads the facts that tell a history's transactions apart: calls, protocol events, pool trades, and names of the
 * called contracts.
 */
export const readActs = async (history: ValuedHistory): Promise<Acts> => {
  const { facts, snapshot, chain } = history.scope;
  const told = await readTransactionFacts(history);
  const called = [...told.calls.values(), ...(told.above?.calls.values() ?? [])].map(({ recipient }) => recipient);
  const rows = await labelRowsOf(facts, snapshot, called);
  const labels = partiesIn(rows);
  const exchanges = rows.filter(({ category, source }) => category === "dex" && source !== DERIVED.pools);
  const known = new Map<Hex, ReturnType<NameOf>>();
  const name: NameOf = (address) => {
    const found = known.get(address);
    if (found !== undefined) return found;
    const made = protocolAt(chain.network.id, address, labels.get(address) ?? null);
    known.set(address, made);
    return made;
  };
  return { told, name, exchanges: new Set(exchanges.map(({ address }) => address)) };
};

const callAt = ({ told }: Acts, key: string): TransactionCall | null =>
  told.calls.get(key) ?? told.above?.calls.get(key) ?? null;
const eventsAt = ({ told }: Acts, key: string): readonly ObservedPositionEvent[] =>
  told.said.get(key) ?? told.above?.said.get(key) ?? [];
const isTraded = ({ told }: Acts, key: string): boolean => told.traded.has(key) || told.above?.traded.has(key) === true;

interface ActMeaning {
  readonly type: HeadlineType;
  readonly weight: 2 | 3;
}

/** Actions that position events express. Any contract may emit the events of vaults, so these weigh less. */
const MEANINGS: Readonly<Record<string, ActMeaning>> = {
  vault_deposit: { type: "deposit", weight: 2 },
  vault_withdraw: { type: "withdraw", weight: 2 },
  lend: { type: "supply", weight: 3 },
  unlend: { type: "withdraw", weight: 3 },
  borrow: { type: "borrow", weight: 3 },
  repay: { type: "repay", weight: 3 },
  increase: { type: "add_liquidity", weight: 3 },
  decrease: { type: "remove_liquidity", weight: 3 },
  collect: { type: "collect_fees", weight: 3 },
  stake: { type: "stake", weight: 3 },
  unstake: { type: "unstake", weight: 3 },
};

/** Pool shares are minted and burned with the events of vaults, but mean liquidity. */
const meaningOf = ({ kind, has_pool }: ObservedPositionEvent): ActMeaning | null => {
  if (has_pool && kind === "vault_deposit") return { type: "add_liquidity", weight: 3 };
  if (has_pool && kind === "vault_withdraw") return { type: "remove_liquidity", weight: 3 };
  return MEANINGS[kind] ?? null;
};

const factOf = (
  wallet: Hex,
  said: ObservedPositionEvent,
  call: TransactionCall | null,
): readonly HeadlineEvidence[] => {
  const meaning = meaningOf(said);
  if (meaning === null) return [];
  const { type, weight } = meaning;
  const score = eventScore(type, weight, call?.recipient === said.contract);
  const is_vault = weight === 2;
  return [
    {
      ...{ type, actor: wallet, score, protocol: null, contract: said.contract, says: said.kind },
      ...{ basis: is_vault ? "standard" : "protocol", names: [], needs: null, is_vault },
    },
  ];
};

/** The network itself did it, so no other evidence outweighs this. */
const OWN_SCORE = 100;

/** On networks that hold staked coins themselves, coins paid without a recipient are staked. */
const stakesOf = (
  { scope, wallet }: ValuedHistory,
  movements: readonly TransactionMovement[],
): readonly HeadlineEvidence[] => {
  const is_stake =
    scope.chain.stakedCoins !== undefined &&
    movements.length > 0 &&
    movements.every(({ token, source, destination }) => token === "" && source === wallet && destination === "");
  if (!is_stake) return [];
  const about = { actor: wallet, protocol: null, contract: null, says: "staked coins", names: [], needs: null };
  return [{ ...about, type: "stake", score: OWN_SCORE, basis: "protocol" }];
};

/** Movements of the wallet in the form of a reading. Rows of `isLeftOut` do not count. */
const movementsIn = (
  { movements, wallet }: ValuedHistory,
  { first, end }: MovementRange,
  isLeftOut: (row: number) => boolean,
): readonly TransactionMovement[] => {
  const found: TransactionMovement[] = [];
  for (let row = first; row < end; row += 1) {
    const kind = KINDS[movements.kind[row] ?? 0] ?? "native";
    if (IS_COST[movements.kind[row] ?? 0] === 1 || isLeftOut(row)) continue;
    if (kind === "fee" || kind === "tip") continue;
    const peer = movements.peerAt(row);
    const is_in = movements.direction[row] === 1;
    const is_piece = IS_COLLECTIBLE[movements.kind[row] ?? 0] === 1;
    // No spread copies here and below: they cost as much as the rest of the function, which runs for every transaction
    // of a wallet.
    found.push({
      kind,
      token: movements.tokenAt(row),
      token_id: is_piece ? movements.tokenIdAt(row) : null,
      source: is_in ? peer : wallet,
      destination: is_in ? wallet : peer,
      amount: movements.amountAt(row),
      log_index: null,
    });
  }
  return found;
};

/** A wallet's action in one transaction. */
export interface WalletAct {
  readonly call: TransactionCall | null;
  /** Null when no fact decides it. */
  readonly type: HeadlineType | null;
}

/** Shared constant, so that transactions without facts allocate nothing. */
const NOTHING_KNOWN: WalletAct = { call: null, type: null };

/** The labelled exchange that the wallet called in the transaction of a row; null for none. */
export const exchangeAt = ({ movements, wallet }: ValuedHistory, acts: Acts, row: number): Hex | null => {
  const call = callAt(acts, transactionKey(movements.block_number[row] ?? 0, movements.tx_index[row] ?? 0));
  return call !== null && call.sender === wallet && acts.exchanges.has(call.recipient) ? call.recipient : null;
};

/** Calldata without a function: the call of another sender expresses that sender's intention, not the wallet's. */
const OTHERS_CALL = Uint8Array.of(0);

/** The wallet's action in the transaction of these rows. `isLeftOut`: rows that do not count. */
export const actAt = (
  history: ValuedHistory,
  acts: Acts,
  { rows, isLeftOut }: { readonly rows: MovementRange; readonly isLeftOut: (row: number) => boolean },
): WalletAct => {
  if (acts === NO_ACTS) return NOTHING_KNOWN;
  const { movements: all, wallet } = history;
  const { network } = history.scope.chain;
  const key = transactionKey(all.block_number[rows.first] ?? 0, all.tx_index[rows.first] ?? 0);
  const call = callAt(acts, key);
  const said = eventsAt(acts, key);
  // A wallet that only receives in another sender's transaction does nothing.
  if (call === null && said.length === 0) return { call, type: null };
  const movements = movementsIn(history, rows, isLeftOut);
  const facts = [...said.flatMap((one) => factOf(wallet, one, call)), ...stakesOf(history, movements)];
  const [unmoved] = movements.length === 0 ? facts : [];
  if (unmoved !== undefined) return { call, type: unmoved.type };
  const act = actOf(
    {
      transaction: {
        input: call?.sender === wallet ? (fromHex(call.selector) ?? EMPTY) : OTHERS_CALL,
        logs: [],
        succeeded: call?.succeeded ?? true,
      },
      sender: call?.sender ?? "",
      recipient: call?.is_creation === true ? null : (call?.recipient ?? ""),
      movements,
      name: acts.name,
      is_dollar: dollarsOf(network),
      wrapped_native: network.wrapped_native,
      usd: (token, amount) => {
        const price = history.priceOf(token, hourOf(all.time[rows.first] ?? 0));
        return price === null ? null : usdOf(amount, price.decimals, price);
      },
      decimals: (token) => (token === "" ? network.native.decimals : (history.tokens.get(token)?.decimals ?? null)),
      actions: isTraded(acts, key) ? [{ type: "swap", protocol: null }] : [],
    },
    wallet,
    facts,
  );
  return { call, type: act?.type ?? null };
};
