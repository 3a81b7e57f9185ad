/** Blocks that a node has and that fail a check: the block, the check, and the endpoints that served it. */
import { AssayError } from "../../lib/errors.ts";
import { BadAnswer } from "./answer.ts";
import { type AnswerCheck, CHECKS } from "./checks.ts";

/** An endpoint served a block that fails a check. */
export class FailedCheck extends BadAnswer {
  override readonly name = "FailedCheck";
  readonly block: number;
  declare readonly check: AnswerCheck;

  constructor(block: number, cause: BadAnswer) {
    super(cause.message, cause.check ?? "form");
    this.block = block;
  }
}

/** An endpoint does not have a block, or not yet. */
export class MissingBlock extends BadAnswer {
  override readonly name = "MissingBlock";
  readonly block: number;

  constructor(block: number) {
    super(`block ${block} is not there`);
    this.block = block;
  }
}

/** The block at which a read of blocks failed because it is rejected or missing; null for other failures. */
export const blockOf = (error: unknown): number | null => {
  if (error instanceof RefusedBlock) return error.block;
  return error instanceof AssayError && error.cause instanceof MissingBlock ? error.cause.block : null;
};

/** Reads one block: a bad answer becomes a failed check of that block. */
export const ofBlock = <T>(block: number, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw failedIn(block, error);
  }
};

const failedIn = (block: number, error: unknown): unknown =>
  error instanceof BadAnswer && !(error instanceof FailedCheck) ? new FailedCheck(block, error) : error;

/** A bad answer in `read` without a check gets this check. */
export const underCheck = <T>(check: AnswerCheck, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadAnswer && error.check === null) throw new BadAnswer(error.message, check);
    throw error;
  }
};

interface RefusedBlockFacts {
  readonly network: { readonly id: string; readonly name: string };
  readonly failed: FailedCheck;
  /** Names of the endpoints that served the rejected block. */
  readonly endpoints: readonly string[];
  /** Names of all endpoints of the network. */
  readonly configured: readonly string[];
}

/**
 * One block fails a check on every endpoint tried; the blocks beside it are readable. `endpoints`: the endpoints that
 * served it; `unasked`: configured endpoints that did not (they failed in another way, or were not tried).
 */
export class RefusedBlock extends AssayError {
  readonly block: number;
  readonly check: AnswerCheck;
  readonly endpoints: readonly string[];
  readonly unasked: readonly string[];

  constructor({ network, failed, endpoints, configured }: RefusedBlockFacts) {
    const { block, check } = failed;
    const setting = `networks.${network.id}.verify`;
    const way_out =
      CHECKS[check] === "full" ? `${setting}: "header" leaves this check out` : `${setting} does not change this check`;
    super({
      code: "UPSTREAM_UNAVAILABLE",
      message: `${network.id}: block ${block} is refused by the check ${check}: ${failed.message} (asked: ${endpoints.join(", ")}; ${way_out})`,
      public: `No node of ${network.name} gives a usable answer at the moment. Try again later.`,
      retryable: true,
      cause: failed,
    });
    this.name = "RefusedBlock";
    this.block = block;
    this.check = check;
    this.endpoints = endpoints;
    this.unasked = configured.filter((name) => !endpoints.includes(name));
  }
}

interface NamedEndpoint {
  readonly endpoint: { readonly name: string };
}

/** The failed checks of one question by endpoint: those of the block that was rejected last. */
export class FailedChecks {
  readonly #endpoints = new Set<string>();
  #last: FailedCheck | null = null;

  /** Records an endpoint's failure if it is a failed check. */
  note(endpoint: string, error: unknown): void {
    if (!(error instanceof FailedCheck)) return;
    if (this.#last?.block !== error.block) this.#endpoints.clear();
    this.#last = error;
    this.#endpoints.add(endpoint);
  }

  /** Null if no block was rejected. */
  refusal(network: RefusedBlockFacts["network"], slots: readonly NamedEndpoint[]): RefusedBlock | null {
    if (this.#last === null) return null;
    const configured = slots.map(({ endpoint }) => endpoint.name);
    return new RefusedBlock({ network, failed: this.#last, endpoints: [...this.#endpoints], configured });
  }
}
