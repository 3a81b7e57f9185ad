import { AssayError } from "../../lib/errors.ts";
import type { Network } from "../chain.ts";
import { problemOf } from "./problem.ts";

/** No endpoint of a network answers. @param problems of single endpoints, each after its name */
export const unavailableError = (
  network: Network,
  problems: readonly string[],
  { what, cause }: { readonly what: string; readonly cause: unknown },
): AssayError => {
  // The cause may be the answer of an endpoint, or a disagreement.
  const why = problemOf(cause);
  const said = problems.some((problem) => problem.endsWith(`: ${why}`)) ? problems : [why, ...problems];
  return new AssayError({
    code: "UPSTREAM_UNAVAILABLE",
    message: `${network.id}: no node answers (${what}): ${said.join("; ")}`,
    public: `No node of ${network.name} gives a usable answer at the moment. Try again later.`,
    retryable: true,
    cause,
  });
};
