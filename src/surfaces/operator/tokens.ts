import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../../lib/log.ts";

/** A token of the operator API. */
export interface OperatorToken {
  /** Name of its changes in the audit trail. */
  readonly name: string;
  readonly secret: Secret;
  /** False for a read-only token. */
  readonly may_change: boolean;
}

/** The sender of a request. */
export type OperatorActor = Pick<OperatorToken, "name" | "may_change">;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Returns the owner of the token in an Authorization header, or null. Compares every token, in constant time. */
export const actorOf = (
  tokens: readonly OperatorToken[],
): ((authorization: string | undefined) => OperatorActor | null) => {
  const known = tokens.map(({ name, secret, may_change }) => ({ name, may_change, digest: digest(secret.reveal()) }));
  return (authorization) => {
    const sent = digest(/^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1] ?? "");
    let actor: OperatorActor | null = null;
    for (const { digest: own, ...one } of known) if (timingSafeEqual(sent, own)) actor = one;
    return actor;
  };
};
