import { AssayError } from "../../lib/errors.ts";
import type { Network } from "../chain.ts";
import { problemOf } from "./problem.ts";

/** No endpoint of a network answers. @param problems of single endpoints, each with its name before it */
export const unavailableError = (
  network: Network,
  problems: readonly string[],
  { what, cause }: { readonly what: string; readonly cause: unknown },
): AssayError => {
  // Why it failed may be what one of them said, or that they do not agree.
  const why = problemOf(cause);
  const said = problems.some((problem) => problem.endsWith(`: ${why}`)) ? problems : [why, ...problems];
  return new AssayError({
    code: "UPSTREAM_UNAVAILABLE",
    message: `${network.id}: no node answers what was asked (${what}): ${said.join("; ")}`,
    public: `No node of ${network.name} gives a usable answer at the moment. Try again later.`,
    retryable: true,
    cause,
  });
};
