/** A screened transfer as the subject of a watch: hash, asset, direction and method in one text. */
import { type Hex, hex } from "./bytes.ts";
import { TRACE_METHODS, type TraceMethod } from "./trace_method.ts";

interface TransferSubject {
  readonly tx_hash: Hex;
  /** '' is the native coin. */
  readonly asset: Hex;
  readonly direction: "in" | "out";
  readonly method: TraceMethod;
}

/** The method of a text without one, as subjects were before there was a choice. */
const DEFAULT = "haircut";

export const transferSubject = ({ tx_hash, asset, direction, method }: TransferSubject): string =>
  [tx_hash, asset, direction, ...(method === DEFAULT ? [] : [method])].join(":");

/** `subject` was written by `transferSubject`. */
export const readTransferSubject = (subject: string): TransferSubject => {
  const [tx_hash = "", asset = "", direction = "", method = DEFAULT] = subject.split(":");
  return {
    tx_hash: hex(tx_hash),
    asset: hex(asset),
    direction: direction === "out" ? "out" : "in",
    method: TRACE_METHODS.find((one) => one === method) ?? DEFAULT,
  };
};
