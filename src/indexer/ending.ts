/** How a network's indexer ends. */
import { AssayError } from "../lib/errors.ts";
import type { IndexerStatus } from "../lib/status.ts";

/** `lost`: another process may write the network now, and this one knows nothing of it any more. */
export type IndexEnding = "done" | "stopped" | "failed" | "lost";

/** What the network is then. A lease that was lost ends nothing: the network goes on as soon as it is taken again. */
export const ENDED: Readonly<Record<IndexEnding, IndexerStatus["state"]>> = {
  done: "stopped",
  stopped: "stopped",
  failed: "failed",
  lost: "starting",
};

const isOf = (error: unknown, code: string): boolean => error instanceof AssayError && error.code === code;

export const isLost = (error: unknown): boolean => isOf(error, "LEASE_LOST");

/** A fault that no repetition mends: the network stops and says why. */
export const isFatal = (error: unknown): boolean => isOf(error, "WRONG_CHAIN");
