/** Logs and words as contracts write them (Solidity ABI specification). */
import { keccak256, stringToHex } from "viem";

export interface MadeLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** An address, or a number in two's complement. */
export type Word = string | bigint;

const MODULUS = 1n << 256n;

/** 64 hex digits. */
export const digitsOf = (value: Word): string =>
  typeof value === "string"
    ? value.slice(2).padStart(64, "0")
    : (value < 0n ? value + MODULUS : value).toString(16).padStart(64, "0");

const topics = new Map<string, string>();

/** First topic of an event. */
export const topicOf = (signature: string): string => {
  const known = topics.get(signature) ?? keccak256(stringToHex(signature));
  topics.set(signature, known);
  return known;
};

export const selectorOf = (signature: string): string => topicOf(signature).slice(2, 10);

export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

interface LogWords {
  readonly indexed: readonly Word[];
  readonly data: readonly Word[];
}

export const logOf = (address: string, event: string, { indexed, data }: LogWords): MadeLog => ({
  address,
  topics: [topicOf(event), ...indexed.map((word) => `0x${digitsOf(word)}`)],
  data: `0x${data.map(digitsOf).join("")}`,
});

export interface LoggedTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

export const TRANSFER = "Transfer(address,address,uint256)";

export const transferLog = (token: string, { from, to, amount }: LoggedTransfer): MadeLog =>
  logOf(token, TRANSFER, { indexed: [from, to], data: [amount] });
