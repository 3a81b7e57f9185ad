/**
 * Encoding of each kind of transaction (EIP-2718 and its successors): its fields in order. Except for 0 to 4, the
 * meaning of a type number depends on the network's family.
 */

export enum T {
  ChainId,
  Nonce,
  GasPrice,
  Priority,
  MaxFee,
  Gas,
  To,
  Value,
  Input,
  AccessList,
  MaxBlobFee,
  BlobHashes,
  Authorizations,
  V,
  R,
  S,
  YParity,
  Type,
  Hash,
  From,
  Data,
  SourceHash,
  Mint,
  IsSystem,
  FeeCurrency,
  RequestId,
  TicketId,
  RefundTo,
  MaxRefund,
  FeeRefund,
  Layer1BaseFee,
  DepositValue,
  RetryTo,
  RetryValue,
  Beneficiary,
  MaxSubmissionFee,
  RetryData,
}

export const NAMES: string =
  "chainId nonce gasPrice maxPriorityFeePerGas maxFeePerGas gas to value input accessList maxFeePerBlobGas " +
  "blobVersionedHashes authorizationList v r s yParity type hash from data sourceHash mint isSystemTx feeCurrency " +
  "requestId ticketId refundTo maxRefund submissionFeeRefund l1BaseFee depositValue retryTo retryValue beneficiary " +
  "maxSubmissionFee retryData";

/** Families of networks, as bits. Same values as in `src/chains/evm/verify/rules.ts`. */
export enum FamilyFlag {
  /** ethereum-optimism/specs, protocol/deposits.md: type 0x7e. */
  Optimism = 1,
  /** OffchainLabs/go-ethereum, core/types/arb_types.go: types 0x64 to 0x6a. */
  Arbitrum = 2,
  /** celo-org/celo-proposals, CIP-64: type 0x7b. */
  Celo = 4,
  /** maticnetwork/bor: the last transaction may be book-keeping that no root covers. */
  Polygon = 8,
  /**
   * foundry-rs/foundry, anvil: an impersonated sender signs with zeros, and the hash covers its address after the
   * transaction.
   */
  Anvil = 16,
}

const LEGACY: StaticArray<i32> = [T.Nonce, T.GasPrice, T.Gas, T.To, T.Value, T.Input];
const ACCESS: StaticArray<i32> = [T.ChainId, T.Nonce, T.GasPrice, T.Gas, T.To, T.Value, T.Input, T.AccessList];
const DYNAMIC: StaticArray<i32> = [
  T.ChainId,
  T.Nonce,
  T.Priority,
  T.MaxFee,
  T.Gas,
  T.To,
  T.Value,
  T.Input,
  T.AccessList,
];
const BLOBS: StaticArray<i32> = [
  T.ChainId,
  T.Nonce,
  T.Priority,
  T.MaxFee,
  T.Gas,
  T.To,
  T.Value,
  T.Input,
  T.AccessList,
  T.MaxBlobFee,
  T.BlobHashes,
];
const DELEGATING: StaticArray<i32> = [
  T.ChainId,
  T.Nonce,
  T.Priority,
  T.MaxFee,
  T.Gas,
  T.To,
  T.Value,
  T.Input,
  T.AccessList,
  T.Authorizations,
];
const CELO_DYNAMIC: StaticArray<i32> = [
  T.ChainId,
  T.Nonce,
  T.Priority,
  T.MaxFee,
  T.Gas,
  T.To,
  T.Value,
  T.Input,
  T.AccessList,
  T.FeeCurrency,
];
const DEPOSIT: StaticArray<i32> = [T.SourceHash, T.From, T.To, T.Mint, T.Value, T.Gas, T.IsSystem, T.Input];
const ARBITRUM_DEPOSIT: StaticArray<i32> = [T.ChainId, T.RequestId, T.From, T.To, T.Value];
const ARBITRUM_UNSIGNED: StaticArray<i32> = [T.ChainId, T.From, T.Nonce, T.MaxFee, T.Gas, T.To, T.Value, T.Input];
const ARBITRUM_CONTRACT: StaticArray<i32> = [T.ChainId, T.RequestId, T.From, T.MaxFee, T.Gas, T.To, T.Value, T.Input];
const ARBITRUM_RETRY: StaticArray<i32> = [
  T.ChainId,
  T.Nonce,
  T.From,
  T.MaxFee,
  T.Gas,
  T.To,
  T.Value,
  T.Input,
  T.TicketId,
  T.RefundTo,
  T.MaxRefund,
  T.FeeRefund,
];
const ARBITRUM_SUBMIT: StaticArray<i32> = [
  T.ChainId,
  T.RequestId,
  T.From,
  T.Layer1BaseFee,
  T.DepositValue,
  T.MaxFee,
  T.Gas,
  T.RetryTo,
  T.RetryValue,
  T.Beneficiary,
  T.MaxSubmissionFee,
  T.RefundTo,
  T.RetryData,
];
const ARBITRUM_INTERNAL: StaticArray<i32> = [T.ChainId, T.Input];

/** The signed fields of a type, or all fields of an unsigned type; null for a type that this family does not have. */
export function fieldsOf(type: u64, families: u32): StaticArray<i32> | null {
  if (type <= 4) return ethereumFields(u32(type));
  if (type === 0x7e && families & FamilyFlag.Optimism) return DEPOSIT;
  if (type === 0x7b && families & FamilyFlag.Celo) return CELO_DYNAMIC;
  return families & FamilyFlag.Arbitrum ? arbitrumFields(type) : null;
}

function ethereumFields(type: u32): StaticArray<i32> {
  if (type === 0) return LEGACY;
  if (type === 1) return ACCESS;
  if (type === 2) return DYNAMIC;
  return type === 3 ? BLOBS : DELEGATING;
}

function arbitrumFields(type: u64): StaticArray<i32> | null {
  if (type === 0x64) return ARBITRUM_DEPOSIT;
  if (type === 0x65) return ARBITRUM_UNSIGNED;
  if (type === 0x66) return ARBITRUM_CONTRACT;
  if (type === 0x68) return ARBITRUM_RETRY;
  if (type === 0x69) return ARBITRUM_SUBMIT;
  return type === 0x6a ? ARBITRUM_INTERNAL : null;
}

/** Types that have the sender among their fields are unsigned. */
export function isSigned(type: u64): bool {
  return type <= 4 || type === 0x7b;
}
