import type { Caller, CallerSurface } from "../accounts/meter.ts";
import type { Deadline } from "./limits/deadline.ts";

/** State of one request, from its arrival to the end of its answer. The hooks fill it, the request log reads it. */
export interface RequestContext {
  /** `X-Request-Id` of the answer. */
  readonly id: string;
  readonly deadline: Deadline;
  /** Null until the request is authenticated, and on routes that need no key. */
  caller: Caller<CallerSurface> | null;
  /** Empty until the hook of the route has read it. */
  body: Buffer;
  /** Ends the use of the memory of the body by its account. */
  releaseBody: () => void;
  /** The tool call of the request; null before it, and for any other request. */
  call: { readonly tool: string; readonly network: unknown } | null;
  /** Credits that the answer says it costs: null when that is not known, undefined before the answer. */
  credits: number | null | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    context: RequestContext;
  }
}
