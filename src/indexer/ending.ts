/** How a network's indexer ends. */
import { AssayError } from "../lib/errors.ts";
import type { IndexerStatus } from "../lib/status.ts";
import type { IndexRunOptions } from "./retries.ts";

/** One network's indexer, whichever blocks it reads. */
export interface IndexRun {
  status(): IndexerStatus;
  run(how: IndexRunOptions): Promise<IndexEnding>;
}

/** `lost`: another process may write the network now, and this one's state is void. */
export type IndexEnding = "done" | "stopped" | "failed" | "lost";

/**
 * State of the network after each ending. A lost lease ends nothing: the network continues as soon as the lease is
 * taken again.
 */
export const ENDED: Readonly<Record<IndexEnding, IndexerStatus["state"]>> = {
  done: "stopped",
  stopped: "stopped",
  failed: "failed",
  lost: "starting",
};

const isOf = (error: unknown, code: string): boolean => error instanceof AssayError && error.code === code;

export const isLost = (error: unknown): boolean => isOf(error, "LEASE_LOST");

/** A fault that no retry repairs: the network stops and reports why. */
export const isFatal = (error: unknown): boolean => isOf(error, "WRONG_CHAIN") || isOf(error, "WRONG_MODE");

/** The stored facts are of the mode that the configuration does not have. */
export const wrongMode = (network: string, stored: "whole" | "on_demand"): AssayError => {
  const [was, is] =
    stored === "whole"
      ? ["indexed whole", "reads the network on demand"]
      : ["read on demand", "indexes the network whole"];
  return new AssayError({
    code: "WRONG_MODE",
    message: `${network}: the stored facts were ${was}, and the configuration ${is}. Set 'index' to '${stored}', or drop its facts: 'assay network reset ${network} --yes'.`,
  });
};
