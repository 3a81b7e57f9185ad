import type { FastifyReply, FastifyRequest } from "fastify";
import type { Responder } from "../responder.ts";
import type { Authentication } from "./authentication.ts";

/** A step before a handler: it sends an answer, or returns and the next step follows. */
export type RouteHook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The steps that routes choose from, and the way to answer. */
export interface RouteHooks {
  readonly authentication: Authentication;
  readonly rateLimit: RouteHook;
  readonly readBody: RouteHook;
  /** For bodies that contain answers of tools. */
  readonly readLongBody: RouteHook;
  readonly responder: Responder;
}
