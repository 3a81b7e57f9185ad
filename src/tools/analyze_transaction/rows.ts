import type { Chain } from "../../chains/chain.ts";
import type {
  DecodedCall,
  MinedTransaction,
  TracedCall,
  TransactionDetails,
} from "../../chains/transaction_details.ts";
import { formatParty } from "../../domain/address/identity/parties.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import type { Action, TokenAmount } from "../../domain/transaction/actions/action.ts";
import { argumentsOf, entryIn } from "../../domain/transaction/decoding/abi_entries.ts";
import type { TokenApproval } from "../../domain/transaction/decoding/approvals.ts";
import { decodeArguments } from "../../domain/transaction/decoding/calldata.ts";
import { netChanges, type TransactionMovement } from "../../domain/transaction/decoding/movements.ts";
import { revertOf, revertOfFailure } from "../../domain/transaction/decoding/reverts.ts";
import { methodOf, nameOf, signatureOf } from "../../domain/transaction/headline/methods.ts";
import { fullName } from "../../domain/transaction/headline/types.ts";
import type { TransactionKnowledge } from "../../domain/transaction/reading/read.ts";
import { EMPTY, type Hex, toHex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { cleanText } from "../../lib/text.ts";
import { iso } from "../../lib/time.ts";
import type { TransactionOutput } from "./shape.ts";

export interface TransactionRowContext {
  readonly chain: Chain;
  readonly sender: Hex;
  readonly known: TransactionKnowledge;
}

const DEPTH_MAX = 8;
const CALLS_MAX = 500;
const GWEI_DECIMALS = 9;
const ERROR_BYTES_MAX = 200;
const shown = ({ chain, sender }: TransactionRowContext, address: Hex): string => formatParty(chain, address, sender);

const sideOf = ({ chain, known }: TransactionRowContext, { token, token_id, amount }: TokenAmount) => ({
  token: formatToken(chain, token),
  symbol: known.face(token).symbol,
  token_id: token_id === null ? null : token_id.toString(),
  amount: known.amount(token, amount, token_id !== null),
  amount_raw: amount.toString(),
  usd_value: token_id === null ? known.usd(token, amount) : null,
});

/** Value of the paid side, else of the received side; null when neither has a price throughout. */
const worthOf = (
  { known }: TransactionRowContext,
  { given, received }: Pick<Action, "given" | "received">,
): number | null => {
  for (const sides of [given, received]) {
    const values = sides.map(({ token, token_id, amount }) => (token_id === null ? known.usd(token, amount) : null));
    if (values.length > 0 && values.every((value) => value !== null)) {
      return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    }
  }
  return null;
};

export const actionRow = (writing: TransactionRowContext, action: Action): TransactionOutput["actions"][number] => ({
  type: action.type,
  protocol: action.protocol,
  actor: shown(writing, action.actor),
  tokens_in: action.received.map((side) => sideOf(writing, side)),
  tokens_out: action.given.map((side) => sideOf(writing, side)),
  usd_value: worthOf(writing, action),
  contract: action.contract === null ? null : shown(writing, action.contract),
  log_index: action.log_index,
});

export const headlineRow = (
  writing: TransactionRowContext,
  { hash, mined }: TransactionDetails,
): TransactionOutput["headline"] => {
  const { headline } = writing.known;
  if (headline === null || mined === null) return null;
  const sides = (amounts: readonly TokenAmount[]) => amounts.map((side) => sideOf(writing, side));
  return {
    type: headline.type,
    protocol: headline.protocol === null ? null : fullName(headline.protocol),
    version: headline.protocol?.version ?? null,
    actor: shown(writing, headline.actor),
    tokens_in: sides(headline.received),
    tokens_out: sides(headline.given),
    fee: sides(headline.fee),
    debt: sides(headline.debt),
    usd_value: worthOf(writing, headline),
    protocol_source: headline.protocol_source,
    confidence: headline.confidence,
    basis: headline.basis,
    identified_by: headline.evidence,
    evidence: [{ kind: "tx", ref: writing.chain.formatHash(toHex(hash)), observed_at: iso(mined.block.time) }],
  };
};

export const transferRow = (
  writing: TransactionRowContext,
  move: TransactionMovement,
  index: number,
): TransactionOutput["transfers"][number] => {
  const { known } = writing;
  return {
    index,
    kind: move.kind,
    from: shown(writing, move.source),
    to: shown(writing, move.destination),
    ...sideOf(writing, move),
    peer_labels: { from: known.party(move.source).label, to: known.party(move.destination).label },
  };
};

export const assetRows = (writing: TransactionRowContext): TransactionOutput["asset_changes"] =>
  netChanges(writing.known.reading.movements).map((change) => ({
    address: shown(writing, change.address),
    label: writing.known.party(change.address).label,
    ...sideOf(writing, change),
  }));

export const approvalRow = (
  writing: TransactionRowContext,
  approval: TokenApproval,
): TransactionOutput["approvals"][number] => {
  const { known, chain } = writing;
  const { token, owner, spender, amount, is_unlimited, kind, scope } = approval;
  return {
    token: formatToken(chain, token),
    symbol: known.face(token).symbol,
    owner: shown(writing, owner),
    spender: spender === "" ? null : shown(writing, spender),
    spender_label: known.party(spender).label,
    amount: scope === "amount" ? known.amount(token, amount, false) : null,
    amount_raw: amount.toString(),
    is_unlimited,
    kind,
  };
};

const nameIn = ({ called, input }: TracedCall): string | null => {
  if (called === undefined) return methodOf(toHex((input ?? EMPTY).subarray(0, 4)));
  return called.name ?? (called.selector === null ? null : `0x${toHex(called.selector)}`);
};

export const callRows = (
  writing: TransactionRowContext,
  trace: readonly TracedCall[] | null,
): Pick<TransactionOutput, "internal_calls" | "truncated"> => {
  const inner = (trace ?? []).slice(1);
  const kept = inner.filter(({ depth }) => (depth ?? 0) <= DEPTH_MAX).slice(0, CALLS_MAX);
  const { decimals } = writing.chain.network.native;
  const internal_calls = kept.map((call) => ({
    depth: call.depth,
    kind: call.kind,
    from: shown(writing, toHex(call.sender)),
    to: call.recipient === null ? null : shown(writing, toHex(call.recipient)),
    value: toAmount(call.value, decimals),
    value_raw: call.value.toString(),
    method: call.kind.startsWith("create") ? null : nameIn(call),
    succeeded: !call.is_undone,
    error: call.error === null ? null : cleanText(call.error, ERROR_BYTES_MAX),
  }));
  return { internal_calls, truncated: kept.length < inner.length };
};

/** Published interface of the contract that was called; null = none is known. */
type CalleeAbi = readonly unknown[] | null;

/** The function called with its arguments: by the contract's published interface, else by the table of known signatures. */
export const methodRow = (
  { chain }: Pick<TransactionRowContext, "chain">,
  { recipient, input, called }: Pick<TransactionDetails, "recipient" | "input" | "called">,
  abi: CalleeAbi,
): TransactionOutput["method"] => {
  if (called !== undefined) return calledRow(called);
  if (recipient === null || input.length < 4) return null;
  const selector = toHex(input.subarray(0, 4));
  const entry = abi === null ? null : entryIn(abi, "function", selector);
  const named = entry === null ? null : argumentsOf(entry, input.subarray(4), chain.formatAddress);
  if (entry !== null && named !== null) {
    const { name, signature } = entry;
    return { selector: `0x${selector}`, name, signature, decoded_args: [...named], source: "verified_abi" };
  }
  const signature = signatureOf(selector);
  const args = signature === null ? null : decodeArguments(signature, input.subarray(4), chain.formatAddress);
  return {
    selector: `0x${selector}`,
    name: nameOf(selector),
    signature,
    decoded_args: args === null ? null : args.map((arg) => ({ name: null, ...arg })),
    source: signature === null ? "unknown" : "signature_db",
  };
};

const calledRow = ({ selector, name }: DecodedCall): TransactionOutput["method"] =>
  selector === null && name === null
    ? null
    : {
        selector: selector === null ? null : `0x${toHex(selector)}`,
        ...{ name, signature: null, decoded_args: null },
        source: name === null ? "unknown" : "signature_db",
      };

const NO_COST = {
  ...{ gas_used: null, gas_price_gwei: null, priority_gwei: null },
  ...{ l1_fee: null, is_l1_fee_gas: null, operator_fee: null, blob_fee: null },
  ...{ compute_units: null, priority: null, energy: null, bandwidth: null },
};

type CostRow = Pick<NonNullable<TransactionOutput["fee"]>, keyof typeof NO_COST>;

const costRow = ({ cost, transaction }: MinedTransaction, decimals: number): CostRow => {
  if (cost.unit === "energy") return { ...NO_COST, energy: Number(cost.energy), bandwidth: Number(cost.bandwidth) };
  if (cost.unit === "compute_unit") {
    const compute_units = cost.units === null ? null : Number(cost.units);
    return { ...NO_COST, compute_units, priority: toAmount(cost.priority_fee, decimals) };
  }
  return {
    ...NO_COST,
    gas_used: Number(transaction.gas_used),
    gas_price_gwei: toAmount(cost.price, GWEI_DECIMALS),
    priority_gwei: toAmount(cost.priority_price, GWEI_DECIMALS),
    l1_fee: cost.layer1_fee === null ? null : toAmount(cost.layer1_fee, decimals),
    is_l1_fee_gas: cost.layer1_fee === null ? null : cost.is_layer1_gas,
    operator_fee: toAmount(transaction.operator_fee ?? 0n, decimals),
    blob_fee: toAmount(transaction.blob_fee ?? 0n, decimals),
  };
};

export const feeRow = ({ chain, known }: TransactionRowContext, mined: MinedTransaction): TransactionOutput["fee"] => {
  const { fee } = mined.transaction;
  const { decimals } = chain.network.native;
  return {
    native_amount: toAmount(fee, decimals),
    native_amount_raw: fee.toString(),
    usd: known.usd("", fee),
    ...costRow(mined, decimals),
  };
};

export const revertRow = (
  { chain }: Pick<TransactionRowContext, "chain">,
  { mined }: TransactionDetails,
  abi: CalleeAbi,
): TransactionOutput["revert"] => {
  if (mined === null || mined.transaction.succeeded) return null;
  const { failure, trace } = mined;
  const callee = { abi, shown: chain.formatAddress };
  const by_calls = trace === null ? null : revertOf(trace, callee);
  const found = failure === undefined ? by_calls : revertOfFailure(failure, callee);
  if (found === null) return { reason: null, selector: null, failed_at_depth: null };
  const { reason, selector, failed_at_depth } = found;
  return { reason, selector: selector === null ? null : `0x${selector}`, failed_at_depth };
};
