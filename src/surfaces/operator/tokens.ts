import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../../lib/log.ts";

/** Tokens of the operator API by the name under which their changes stand in the audit trail. */
export type OperatorTokens = Readonly<Record<string, Secret>>;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The name of the token in an Authorization header, or null. Every token is compared, in the same time. */
export const actorOf = (tokens: OperatorTokens): ((authorization: string | undefined) => string | null) => {
  const known = Object.entries(tokens).map(([name, token]) => ({ name, digest: digest(token.reveal()) }));
  return (authorization) => {
    const sent = digest(/^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1] ?? "");
    let actor: string | null = null;
    for (const { name, digest: own } of known) if (timingSafeEqual(sent, own)) actor = name;
    return actor;
  };
};
