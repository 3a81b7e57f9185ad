/** A screened transfer as the subject of a watch: hash, asset and direction in one text. */
import { type Hex, hex } from "./bytes.ts";

interface TransferSubject {
  readonly tx_hash: Hex;
  /** '' is the native coin. */
  readonly asset: Hex;
  readonly direction: "in" | "out";
}

export const transferSubject = ({ tx_hash, asset, direction }: TransferSubject): string =>
  [tx_hash, asset, direction].join(":");

/** `subject` was written by `transferSubject`. */
export const readTransferSubject = (subject: string): TransferSubject => {
  const [tx_hash = "", asset = "", direction = ""] = subject.split(":");
  return { tx_hash: hex(tx_hash), asset: hex(asset), direction: direction === "out" ? "out" : "in" };
};
