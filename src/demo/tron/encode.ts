/**
 * Raw data and roots of JSON as java-tron computes them: written from its .proto files, independently of the product's
 * parser.
 */
import { createHash } from "node:crypto";
import type { TronJson } from "./shapes.ts";

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest % 128n) + 128);
  }
};

export const integer = (field: number, value: bigint): Buffer =>
  value === 0n ? Buffer.alloc(0) : Buffer.concat([varint(BigInt(field * 8)), varint(value)]);

export const bytes = (field: number, value: Uint8Array): Buffer =>
  Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(value.length)), value]);

/** A member's number and encoding. Members that are not listed are not written. */
type MemberFormat = readonly [number: number, kind: "bytes" | "integer" | MessageFormat];
type MessageFormat = { readonly [name: string]: MemberFormat };

/** `int64:…` holds long integers until they become JSON (shapes.ts). */
const integerOf = (value: unknown): bigint => BigInt(String(value).replace("int64:", ""));

const message = (members: MessageFormat, value: TronJson): Buffer =>
  Buffer.concat(
    Object.entries(members)
      .filter(([name]) => value[name] !== undefined && value[name] !== "")
      .sort(([, [one]], [, [other]]) => one - other)
      .flatMap(([name, [field, kind]]) => {
        if (kind === "integer") return [integer(field, integerOf(value[name]))];
        if (kind === "bytes") return [bytes(field, Buffer.from(String(value[name]), "hex"))];
        const parts = (Array.isArray(value[name]) ? value[name] : [value[name]]) as readonly TronJson[]; // messages by name
        return parts.map((one) => bytes(field, message(kind, one)));
      }),
  );

const OWNER = { owner_address: [1, "bytes"] } as const satisfies MessageFormat;

/** Number of the type, and the members of its message (java-tron, core/contract). */
const CONTRACTS: Readonly<Record<string, readonly [type: number, members: MessageFormat]>> = {
  TransferContract: [1, { ...OWNER, to_address: [2, "bytes"], amount: [3, "integer"] }],
  TransferAssetContract: [
    2,
    { asset_name: [1, "bytes"], owner_address: [2, "bytes"], to_address: [3, "bytes"], amount: [4, "integer"] },
  ],
  VoteWitnessContract: [4, OWNER],
  AssetIssueContract: [
    6,
    {
      ...OWNER,
      name: [2, "bytes"],
      abbr: [3, "bytes"],
      total_supply: [4, "integer"],
      frozen_supply: [5, { frozen_amount: [1, "integer"], frozen_days: [2, "integer"] }],
      precision: [7, "integer"],
    },
  ],
  WithdrawBalanceContract: [13, OWNER],
  CreateSmartContract: [
    30,
    {
      ...OWNER,
      new_contract: [2, { origin_address: [1, "bytes"], bytecode: [4, "bytes"], call_value: [5, "integer"] }],
    },
  ],
  TriggerSmartContract: [
    31,
    {
      ...OWNER,
      contract_address: [2, "bytes"],
      call_value: [3, "integer"],
      data: [4, "bytes"],
      call_token_value: [5, "integer"],
      token_id: [6, "integer"],
    },
  ],
  ExchangeCreateContract: [
    41,
    {
      ...OWNER,
      first_token_id: [2, "bytes"],
      first_token_balance: [3, "integer"],
      second_token_id: [4, "bytes"],
      second_token_balance: [5, "integer"],
    },
  ],
  ExchangeTransactionContract: [44, { ...OWNER, token_id: [3, "bytes"], quant: [4, "integer"] }],
  AccountPermissionUpdateContract: [46, OWNER],
  FreezeBalanceV2Contract: [54, { ...OWNER, frozen_balance: [2, "integer"] }],
  UnfreezeBalanceV2Contract: [55, { ...OWNER, unfreeze_balance: [2, "integer"] }],
  WithdrawExpireUnfreezeContract: [56, OWNER],
};
/** An unknown type. */
const UNKNOWN: readonly [number, MessageFormat] = [99, OWNER];

interface Raw {
  readonly type: string;
  readonly value: TronJson;
  /** Unix milliseconds. */
  readonly time_ms: number;
  /** Written into the note, so that no two transactions are equal. */
  readonly seed: string;
}

export const rawData = ({ type, value, time_ms, seed }: Raw): Buffer => {
  const [number, members] = CONTRACTS[type] ?? UNKNOWN;
  const parameter = Buffer.concat([
    bytes(1, Buffer.from(`type.googleapis.com/protocol.${type}`)),
    bytes(2, message(members, value)),
  ]);
  return Buffer.concat([
    integer(8, BigInt(time_ms + 60_000)),
    bytes(10, Buffer.from(seed)),
    bytes(11, Buffer.concat([integer(1, BigInt(number)), bytes(2, parameter)])),
    integer(14, BigInt(time_ms)),
  ]);
};

const RESULTS: Readonly<Record<string, bigint>> = { SUCCESS: 1n, REVERT: 2n };

/** The hash of a transaction with its signatures and its result. */
const leaf = ({ raw_data_hex, signature, ret }: TronJson): Buffer =>
  sha256(
    Buffer.concat([
      bytes(1, Buffer.from(String(raw_data_hex), "hex")),
      ...((signature ?? []) as readonly string[]).map((one) => bytes(2, Buffer.from(one, "hex"))),
      ...((ret ?? []) as readonly TronJson[]).map(({ contractRet }) =>
        bytes(5, integer(3, RESULTS[String(contractRet)] ?? 0n)),
      ),
    ]),
  );

/** Root of a block's transactions; thirty-two zero bytes without any. */
export const rootOf = (transactions: readonly TronJson[]): Buffer => {
  let level = transactions.map(leaf);
  if (level.length === 0) return Buffer.alloc(32);
  while (level.length > 1)
    level = level.flatMap((left, i) => {
      const right = level[i + 1];
      if (i % 2 === 1) return [];
      return [right === undefined ? left : sha256(Buffer.concat([left, right]))];
    });
  return level[0] ?? Buffer.alloc(32);
};
