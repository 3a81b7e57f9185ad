/** The contract of a Tron transaction: its type, and the tokens that it moves (java-tron, actuator/). */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { LoglessTransfer } from "../chain.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { TYPES } from "./contract_types.ts";
import { ProtobufMessage } from "./protobuf.ts";
import { addressIn, addressOrNull, amountOf, assetIn } from "./wire.ts";

export interface TronContract {
  readonly type: string;
  readonly sender: Bytes;
  /** Null for a creation. A system contract that affects only its owner has the owner as recipient. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  readonly input: Bytes;
  readonly moves: readonly LoglessTransfer[];
  /** False if a node's answers do not show all movements (exchanges of TRC-10, shielded amounts …). */
  readonly is_told: boolean;
}

const CONTRACT = 11;
const TYPE = 1;
const PARAMETER = 2;
const VALUE = 2;
const OWNER = 1;

/**
 * Reads the contract. `raw` is the transaction's raw data, whose hash is the id; it holds exactly one contract. `info`
 * is the transaction's info, which few types need. Numbers of fields: java-tron, protos/core/contract. @throws
 * BadAnswer
 */
export const readContract = (raw: ProtobufMessage, info: () => JsonFields): TronContract => {
  const [only, more] = raw.messages(CONTRACT);
  if (only === undefined || more !== undefined) throw new BadAnswer("a transaction without exactly one contract");
  const number = Number(only.integer(TYPE));
  const type = TYPES.get(number) ?? `contract ${number}`;
  const value = new ProtobufMessage(only.message(PARAMETER).bytes(VALUE));
  const sender = addressIn(value.bytes(OWNER_SECOND.has(type) ? 2 : OWNER), "owner");
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  const plain: TronContract = { type, sender, recipient: sender, value: 0n, input: EMPTY, moves: [], is_told: false };
  if (read === undefined) return { ...plain, is_told: QUIET.has(type) };
  return { ...plain, is_told: true, ...read({ value, info, owner: sender }) };
};

interface ContractInput {
  readonly value: ProtobufMessage;
  readonly info: () => JsonFields;
  readonly owner: Bytes;
}

const amountIn = (value: ProtobufMessage, field: number, what: string): bigint => {
  const amount = value.integer(field);
  if (amount < 0n) throw new BadAnswer(`${what} is negative`);
  return amount;
};

/** Contracts whose first field is not their owner. */
const OWNER_SECOND: ReadonlySet<string> = new Set([
  "TransferAssetContract",
  "AccountUpdateContract",
  "SetAccountIdContract",
]);

type ContractReader = (parts: ContractInput) => Partial<TronContract>;

/** A transfer of a TRC-10 token; an empty token is TRX. */
export const assetTransfer = (
  token: Bytes,
  amount: bigint,
  sides: Pick<LoglessTransfer, "source" | "destination">,
): LoglessTransfer => ({
  kind: token.length === 0 ? "native" : "trc10",
  token,
  amount,
  ...sides,
});

const fromVoid = (kind: "reward" | "withdrawal", owner: Bytes, amount: bigint): LoglessTransfer => ({
  kind,
  token: EMPTY,
  source: EMPTY,
  destination: owner,
  amount,
});

/** TRX that leave the balance for a stake: the holder has a claim, but cannot spend them. */
const freeze: ContractReader = ({ value, owner }) => ({
  moves: [assetTransfer(EMPTY, amountIn(value, 2, "staked amount"), { source: owner, destination: EMPTY })],
});

const withdrawExpired: ContractReader = ({ info, owner }) => ({
  moves: [fromVoid("withdrawal", owner, amountOf(info().withdraw_expire_amount, "withdrawn amount"))],
});

/** The tokens that a call or creation transfers besides TRX: `call_token_value` and `token_id`. */
const tokenValue = (
  amount: bigint,
  id: bigint,
  sides: Pick<LoglessTransfer, "source" | "destination">,
): readonly LoglessTransfer[] =>
  amount === 0n ? [] : [assetTransfer(Buffer.from(id.toString(), "latin1"), amount, sides)];

const frozenSupply = (value: ProtobufMessage): bigint =>
  value.messages(5).reduce((sum, one) => sum + amountIn(one, 1, "frozen amount"), 0n);

const READERS: Readonly<Record<string, ContractReader>> = {
  TransferContract: ({ value }) => ({
    recipient: addressIn(value.bytes(2), "recipient"),
    value: amountIn(value, 3, "amount"),
  }),
  TransferAssetContract: ({ value, owner }) => {
    const recipient = addressIn(value.bytes(3), "recipient");
    const token = assetIn(value.bytes(1));
    return {
      recipient,
      moves: [assetTransfer(token, amountIn(value, 4, "amount"), { source: owner, destination: recipient })],
    };
  },
  TriggerSmartContract: ({ value, owner }) => {
    const recipient = addressIn(value.bytes(2), "contract");
    const [amount, id] = [amountIn(value, 5, "token value"), amountIn(value, 6, "token id")];
    return {
      recipient,
      value: amountIn(value, 3, "call value"),
      input: value.bytes(4),
      moves: tokenValue(amount, id, { source: owner, destination: recipient }),
    };
  },
  CreateSmartContract: ({ value, info, owner }) => {
    const made = value.message(2);
    const created = addressOrNull(info().contract_address, "created contract") ?? EMPTY;
    const [amount, id] = [amountIn(value, 3, "token value"), amountIn(value, 4, "token id")];
    return {
      recipient: null,
      value: amountIn(made, 5, "call value"),
      input: made.bytes(4),
      moves: tokenValue(amount, id, { source: owner, destination: created }),
    };
  },
  FreezeBalanceContract: freeze,
  FreezeBalanceV2Contract: freeze,
  UnfreezeBalanceContract: ({ info, owner }) => ({
    moves: [fromVoid("withdrawal", owner, amountOf(info().unfreeze_amount, "unstaked amount"))],
  }),
  UnfreezeBalanceV2Contract: withdrawExpired,
  WithdrawExpireUnfreezeContract: withdrawExpired,
  CancelAllUnfreezeV2Contract: withdrawExpired,
  WithdrawBalanceContract: ({ info, owner }) => ({
    moves: [fromVoid("reward", owner, amountOf(info().withdraw_amount, "reward"))],
  }),
  AssetIssueContract: ({ value, info, owner }) => {
    const { assetIssueID } = info();
    const id = typeof assetIssueID === "string" ? Buffer.from(assetIssueID, "latin1") : EMPTY;
    const token = id.length > 0 ? id : value.bytes(2);
    const free = amountIn(value, 4, "total supply") - frozenSupply(value);
    return free < 0n
      ? { is_told: false }
      : { moves: [assetTransfer(token, free, { source: EMPTY, destination: owner })] };
  },
  ExchangeCreateContract: ({ value, owner }) => ({
    moves: [2, 4].map((token) =>
      assetTransfer(assetIn(value.bytes(token)), amountIn(value, token + 1, "balance"), {
        source: owner,
        destination: EMPTY,
      }),
    ),
  }),
  AccountCreateContract: ({ value }) => ({ recipient: addressIn(value.bytes(2), "account") }),
  DelegateResourceContract: ({ value }) => ({ recipient: addressIn(value.bytes(4), "receiver") }),
  UnDelegateResourceContract: ({ value }) => ({ recipient: addressIn(value.bytes(4), "receiver") }),
};

/** Contracts that move nothing beyond their fee. */
const QUIET: ReadonlySet<string> = new Set([
  "AccountUpdateContract",
  "SetAccountIdContract",
  "VoteAssetContract",
  "VoteWitnessContract",
  "WitnessCreateContract",
  "WitnessUpdateContract",
  "UpdateAssetContract",
  "ProposalCreateContract",
  "ProposalApproveContract",
  "ProposalDeleteContract",
  "UpdateSettingContract",
  "UpdateEnergyLimitContract",
  "AccountPermissionUpdateContract",
  "ClearABIContract",
  "UpdateBrokerageContract",
]);
