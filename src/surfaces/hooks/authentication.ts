import type { FastifyRequest } from "fastify";
import type { Authentication as Authenticated, Caller, CallerSurface, Meter } from "../../accounts/meter.ts";
import { AssayError } from "../../lib/errors.ts";
import { valuesOf } from "../http/headers.ts";
import { LATE } from "../limits/deadline.ts";
import * as refusals from "../refusals.ts";
import type { Responder } from "../responder.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { RouteHook } from "./route_hooks.ts";

/** The user of a session cookie. */
export interface SessionAuthentication {
  /** How a program gets a key for `/mcp`, as `WWW-Authenticate` says it; null where it cannot. */
  challengeOf(request: FastifyRequest, has_token: boolean): string | null;
  /** Null without a cookie of this service. */
  callerOf<S extends CallerSurface>(
    request: FastifyRequest,
    surface: S,
  ): Promise<
    | { readonly kind: "caller"; readonly caller: Caller<S> }
    | { readonly kind: "answered"; readonly answer: SurfaceResponse }
    | null
  >;
}

type AuthenticationResult<S extends CallerSurface> =
  | Authenticated<S>
  | { readonly kind: "answered"; readonly answer: SurfaceResponse };

interface AuthenticationParts {
  readonly meter: Meter;
  /** Null where users cannot sign in. */
  readonly sessions: SessionAuthentication | null;
  readonly responder: Responder;
}

/** Finds the caller of a request by its API key, or by its session where it sends no key. */
export class Authentication {
  readonly #parts: AuthenticationParts;

  constructor(parts: AuthenticationParts) {
    this.#parts = parts;
  }

  /** The hook of routes that need a caller on `surface`. */
  require(surface: CallerSurface): RouteHook {
    const { responder } = this.#parts;
    return async (request, reply) => {
      const { context } = request;
      // The request waited unseen until too little of its time was left: an early refusal leaves more time to the others.
      if (!context.deadline.mayBegin()) return responder.refuse(request, reply, responder.tooLate());
      const found = await context.deadline.wait(this.identify(request, surface));
      if (found === LATE) return responder.refuse(request, reply, responder.tooLate());
      if (found.kind === "refused") {
        const challenge =
          surface === "mcp" ? this.#parts.sessions?.challengeOf(request, found.cause !== "header") : null;
        return responder.refuse(request, reply, refusals.unauthorized(found.cause, challenge ?? undefined));
      }
      if (found.kind === "answered") return responder.refuse(request, reply, found.answer);
      context.caller = found.caller;
      return undefined;
    };
  }

  async identify<S extends CallerSurface>(request: FastifyRequest, surface: S): Promise<AuthenticationResult<S>> {
    const { sessions, meter } = this.#parts;
    const values = valuesOf(request.raw.rawHeaders, "authorization");
    const signed_in = values.length === 0 ? await sessions?.callerOf(request, surface) : null;
    return signed_in ?? meter.authenticate(values.length === 1 ? values[0] : undefined, surface);
  }
}

/** The caller of a request whose route requires one on `surface`. */
export const callerOf = <S extends CallerSurface>({ context }: FastifyRequest, surface: S): Caller<S> => {
  const { caller } = context;
  if (caller?.surface !== surface)
    throw new AssayError({ code: "BUG", message: `the route requires no caller on ${surface}` });
  // Compared above.
  return caller as Caller<S>;
};
