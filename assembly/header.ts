/** A block's header: its hash over all its fields, and the roots that it names. */
import { fail, ParseFault } from "./cursor";
import { ObjectFields } from "./fields";
import { decodeHex, isHex, readFixed, same32 } from "./hex";
import { keccak256 } from "./keccak";
import { hasRoom } from "./memory";
import { BYTES, headerBefore, LIST, putData, putEmpty, putFixed, putHeader, putNumber } from "./rlp";
import { valueStart } from "./trie";

export enum H {
  ParentHash,
  Uncles,
  Miner,
  StateRoot,
  TransactionsRoot,
  ReceiptsRoot,
  Bloom,
  Difficulty,
  Number,
  GasLimit,
  GasUsed,
  Time,
  ExtraData,
  MixHash,
  Nonce,
  BaseFee,
  WithdrawalsRoot,
  BlobGas,
  ExcessBlobGas,
  BeaconRoot,
  RequestsHash,
  ExtDataHash,
  ExtDataGas,
  BlockGasCost,
  TimeMilliseconds,
  MinDelayExcess,
  ProposerKey,
  Hash,
  Author,
  Transactions,
  Withdrawals,
}
export const header = new ObjectFields(
  "parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed " +
    "timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot " +
    "requestsHash extDataHash extDataGasUsed blockGasCost timestampMilliseconds minDelayExcess parentProposerPubkey " +
    "hash author transactions withdrawals",
);

const ZERO: u8 = 0x30;

/** Bytes of each field, in the order of `H`: 0 for a number, 255 for data of any length. */
const SIZES: StaticArray<u16> = [
  32, 32, 20, 32, 32, 32, 256, 0, 0, 0, 0, 0, 255, 32, 8, 0, 32, 0, 0, 32, 32, 32, 0, 0, 0, 0, 48,
];

/** Optional fields after the fifteen that every header has, in order. Each fork adds some. */
const ETHEREUM: StaticArray<i32> = [
  H.BaseFee,
  H.WithdrawalsRoot,
  H.BlobGas,
  H.ExcessBlobGas,
  H.BeaconRoot,
  H.RequestsHash,
];
/** ava-labs/coreth, core/types/block.go and plugin/evm/customtypes. */
const AVALANCHE: StaticArray<i32> = [
  H.ExtDataHash,
  H.BaseFee,
  H.ExtDataGas,
  H.BlockGasCost,
  H.BlobGas,
  H.ExcessBlobGas,
  H.BeaconRoot,
  H.TimeMilliseconds,
  H.MinDelayExcess,
];
/** berachain/BRIPs, BRIP-0004: the key of the parent's proposer. */
const BERACHAIN: StaticArray<i32> = [
  H.BaseFee,
  H.WithdrawalsRoot,
  H.BlobGas,
  H.ExcessBlobGas,
  H.BeaconRoot,
  H.RequestsHash,
  H.ProposerKey,
];

function formOf(form: u32): StaticArray<i32> {
  return form === 1 ? AVALANCHE : form === 2 ? BERACHAIN : ETHEREUM;
}

const HASH: usize = memory.data(32);
const EXPECTED: usize = memory.data(32);

/** Whether the hash of the header, whose fields have been read, equals the hash that the text claims. */
export function headerHolds(form: u32): bool {
  const start = valueStart();
  let at = start;
  for (let field: i32 = 0; field <= H.Nonce; field++) at = putHeaderField(at, field);
  at = putLater(at, formOf(form));
  const whole = headerBefore(start, LIST, u32(at - start));
  keccak256(whole, at - whole, HASH);
  return isClaimed(H.Hash, HASH);
}

/**
 * Fields of later forks, without a gap between two. With gaps, other names could encode to the same bytes, and a root
 * could belong to another list.
 */
function putLater(to: usize, fields: StaticArray<i32>): usize {
  let has_ended = false;
  for (let i = 0; i < fields.length; i++) {
    const field = unchecked(fields[i]);
    if (!header.has(field)) has_ended = true;
    else if (has_ended) fail(ParseFault.Missing);
    else to = putHeaderField(to, field);
  }
  for (let field: i32 = H.BaseFee; field <= H.RequestsHash; field++) {
    if (header.has(field) && !fields.includes(field)) fail(ParseFault.WrongShape);
  }
  return to;
}

function putHeaderField(to: usize, field: i32): usize {
  const size = unchecked(SIZES[field]);
  if (size === 0) return putNumber(to, header, field);
  if (size === 255) return header.has(field) ? putData(to, header, field) : putEmpty(to, BYTES);
  if (field === H.Miner && !header.has(field)) return putFixed(to, header, H.Author, size);
  if (field === H.Nonce) return putNonce(to, size);
  return putFixed(to, header, field, size);
}

/** Some nodes write the nonce as a number, with more leading zeros than it has bytes. */
function putNonce(to: usize, size: u32): usize {
  const length = header.lengthOf(H.Nonce);
  const own: u32 = 2 + 2 * size;
  if (!header.has(H.Nonce) || length <= own) return putFixed(to, header, H.Nonce, size);
  const text = header.at(H.Nonce);
  if (!hasRoom(to, size) || !isHex(text, length)) return to;
  for (let i: u32 = 2; i < length - own + 2; i++) {
    if (load<u8>(text + i) !== ZERO) fail(ParseFault.WrongLength);
  }
  const from = putHeader(to, BYTES, size);
  decodeHex(text + length - 2 * size, from, size);
  return from + size;
}

/** Whether a field of the header is this hash. */
export function isClaimed(field: i32, hash: usize): bool {
  return (
    header.has(field) && readFixed(header.at(field), header.lengthOf(field), EXPECTED, 32) && same32(hash, EXPECTED)
  );
}
