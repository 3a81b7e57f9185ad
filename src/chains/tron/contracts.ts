/** What a transaction of Tron is: one contract of some type, with what it moves (java-tron, actuator/). */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { Move } from "../chain.ts";
import { BadAnswer, type Fields, fieldsOf, listOf } from "../node/answer.ts";
import { addressOf, addressOrNull, amountOf, bytesOf, trc10Of } from "./wire.ts";

export interface Contract {
  readonly type: string;
  readonly sender: Bytes;
  /** Null for a creation. What a system contract does to its owner alone is addressed to the owner. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  readonly input: Bytes;
  readonly moves: readonly Move[];
  /** False where the answers of a node do not tell all that moved (exchanges of TRC-10, shielded amounts …). */
  readonly is_told: boolean;
}

/** `raw_data.contract` holds exactly one. `info` is the transaction's info. @throws BadAnswer */
export const readContract = (raw: Fields, info: Fields): Contract => {
  const [only, more] = listOf(raw.contract, "contracts");
  if (only === undefined || more !== undefined) throw new BadAnswer("a transaction without exactly one contract");
  const { type, parameter } = fieldsOf(only, "contract");
  if (typeof type !== "string") throw new BadAnswer("a contract without a type");
  const value = fieldsOf(fieldsOf(parameter, "contract parameter").value, "contract parameter");
  const sender = addressOf(value.owner_address, "owner");
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  const plain: Contract = { type, sender, recipient: sender, value: 0n, input: EMPTY, moves: [], is_told: false };
  if (read === undefined) return { ...plain, is_told: QUIET.has(type) };
  return { ...plain, is_told: true, ...read({ value, info, owner: sender }) };
};

interface Parts {
  readonly value: Fields;
  readonly info: Fields;
  readonly owner: Bytes;
}

type Reader = (parts: Parts) => Partial<Contract>;

const trc10 = (token: Bytes, amount: bigint, sides: Pick<Move, "source" | "destination">): Move => ({
  kind: token.length === 0 ? "native" : "trc10",
  token,
  amount,
  ...sides,
});

const fromVoid = (kind: "reward" | "withdrawal", owner: Bytes, amount: bigint): Move => ({
  kind,
  token: EMPTY,
  source: EMPTY,
  destination: owner,
  amount,
});

/** TRX that leave the balance for a stake: the holder keeps a claim, but cannot spend them. */
const freeze: Reader = ({ value, owner }) => ({
  moves: [trc10(EMPTY, amountOf(value.frozen_balance, "staked amount"), { source: owner, destination: EMPTY })],
});

const withdrawExpired: Reader = ({ info, owner }) => ({
  moves: [fromVoid("withdrawal", owner, amountOf(info.withdraw_expire_amount, "withdrawn amount"))],
});

/** What a call or creation hands over besides TRX. */
const tokenValue = (value: Fields, source: Bytes, destination: Bytes): readonly Move[] => {
  const amount = amountOf(value.call_token_value, "token value");
  if (amount === 0n) return [];
  const id = amountOf(value.token_id, "token id");
  return [trc10(Buffer.from(id.toString(), "latin1"), amount, { source, destination })];
};

const frozenSupply = (value: Fields): bigint =>
  (value.frozen_supply === undefined ? [] : listOf(value.frozen_supply, "frozen supply")).reduce<bigint>(
    (sum, item) => sum + amountOf(fieldsOf(item, "frozen supply").frozen_amount, "frozen amount"),
    0n,
  );

const READERS: Readonly<Record<string, Reader>> = {
  TransferContract: ({ value }) => ({
    recipient: addressOf(value.to_address, "recipient"),
    value: amountOf(value.amount, "amount"),
  }),
  TransferAssetContract: ({ value, owner }) => {
    const recipient = addressOf(value.to_address, "recipient");
    const token = trc10Of(value.asset_name, "asset");
    const amount = amountOf(value.amount, "amount");
    return { recipient, moves: [trc10(token, amount, { source: owner, destination: recipient })] };
  },
  TriggerSmartContract: ({ value, owner }) => {
    const recipient = addressOf(value.contract_address, "contract");
    return {
      recipient,
      value: amountOf(value.call_value, "call value"),
      input: bytesOf(value.data, "call data"),
      moves: tokenValue(value, owner, recipient),
    };
  },
  CreateSmartContract: ({ value, info, owner }) => {
    const made = fieldsOf(value.new_contract, "new contract");
    const created = addressOrNull(info.contract_address, "created contract") ?? EMPTY;
    return {
      recipient: null,
      value: amountOf(made.call_value, "call value"),
      input: bytesOf(made.bytecode, "bytecode"),
      moves: tokenValue(value, owner, created),
    };
  },
  FreezeBalanceContract: freeze,
  FreezeBalanceV2Contract: freeze,
  UnfreezeBalanceContract: ({ info, owner }) => ({
    moves: [fromVoid("withdrawal", owner, amountOf(info.unfreeze_amount, "unstaked amount"))],
  }),
  UnfreezeBalanceV2Contract: withdrawExpired,
  WithdrawExpireUnfreezeContract: withdrawExpired,
  CancelAllUnfreezeV2Contract: withdrawExpired,
  WithdrawBalanceContract: ({ info, owner }) => ({
    moves: [fromVoid("reward", owner, amountOf(info.withdraw_amount, "reward"))],
  }),
  AssetIssueContract: ({ value, info, owner }) => {
    const id = typeof info.assetIssueID === "string" ? Buffer.from(info.assetIssueID, "latin1") : EMPTY;
    const token = id.length > 0 ? id : bytesOf(value.name, "asset name");
    const free = amountOf(value.total_supply, "total supply") - frozenSupply(value);
    return free < 0n ? { is_told: false } : { moves: [trc10(token, free, { source: EMPTY, destination: owner })] };
  },
  ExchangeCreateContract: ({ value, owner }) => ({
    moves: (["first", "second"] as const).map((side) =>
      trc10(trc10Of(value[`${side}_token_id`], "token"), amountOf(value[`${side}_token_balance`], "balance"), {
        source: owner,
        destination: EMPTY,
      }),
    ),
  }),
  AccountCreateContract: ({ value }) => ({ recipient: addressOf(value.account_address, "account") }),
  DelegateResourceContract: ({ value }) => ({ recipient: addressOf(value.receiver_address, "receiver") }),
  UnDelegateResourceContract: ({ value }) => ({ recipient: addressOf(value.receiver_address, "receiver") }),
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
