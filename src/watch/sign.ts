import { createHmac } from "node:crypto";
import type { Secret } from "../lib/log.ts";

const PREFIX = "whsec_";

export interface SignatureInput {
  readonly id: string;
  /** Unix seconds of the attempt. */
  readonly time: number;
  readonly body: string;
  /** Newest first; each secret signs. */
  readonly secrets: readonly Secret[];
}

/** Headers of Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks), symmetric signatures. */
export const signatureHeaders = ({ id, time, body, secrets }: SignatureInput): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "webhook-id": id,
  "webhook-timestamp": String(time),
  "webhook-signature": secrets.map((secret) => `v1,${signatureOf(`${id}.${time}.${body}`, secret)}`).join(" "),
});

const signatureOf = (text: string, secret: Secret): string =>
  createHmac("sha256", Buffer.from(secret.reveal().slice(PREFIX.length), "base64"))
    .update(text)
    .digest("base64");
