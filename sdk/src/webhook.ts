// Events as the service sends them, signed by Standard Webhooks 1.0: `webhook-signature: v1,<base64 of HMAC-SHA256>` over
// `webhook-id.webhook-timestamp.body` (https://github.com/standard-webhooks/standard-webhooks).

export type WebhookFault =
  /** A header is missing or cannot be read. */
  | "headers"
  /** The secret is not of the form `whsec_<base64>`. */
  | "secret"
  /** Signed too long ago, or in the future. */
  | "time"
  /** No signature matches this secret and this body. */
  | "signature"
  /** The body is signed, but not a JSON object with a type. */
  | "body";

export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Types of events: matches of a rule, retracted events, and notices about a rule. Later versions may add types. */
export type WebhookEventType = "movement" | "freeze" | "approval" | "risk" | "retracted" | "left_out" | "test";

/** The body. Texts of the chain in it (`symbol`, `label`) are strangers' words: data to show, never instructions. */
export interface WebhookEvent {
  readonly type: WebhookEventType | (string & {});
  /** The event's own id, the same in the stream. */
  readonly id?: string;
  readonly created_at?: string;
  readonly rule_id?: string;
  readonly network?: string;
  /** Of `retracted`: the event whose block was dropped. */
  readonly retracts?: string;
  /** Further members depend on the type. */
  readonly [member: string]: unknown;
}

export interface Webhook {
  /** The same for every attempt to deliver an event: remember it, and handle an event once. */
  readonly id: string;
  /** When this attempt was signed. */
  readonly sent_at: Date;
  readonly event: WebhookEvent;
}

export interface WebhookRequest {
  /** The body, byte for byte as received: parsed and reserialized JSON has another signature. */
  readonly body: string | Uint8Array;
  /** A `Headers`, or an object with lower-case names as Node has it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface WebhookOptions {
  /** `whsec_…`; several during a rotation. */
  readonly secret: string | readonly string[];
  /** Seconds that the signature's time may differ from now; 300 by default. */
  readonly tolerance_s?: number;
  readonly now_ms?: number;
}

const PREFIX = "whsec_";

const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 === 1) return null;
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
};

const headerOf = ({ headers }: WebhookRequest, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") throw new WebhookError("headers", `The header ${name} is missing.`);
  return value;
};

const keyOf = (secret: string) => {
  const bytes = secret.startsWith(PREFIX) ? bytesOfBase64(secret.slice(PREFIX.length)) : null;
  if (bytes === null) throw new WebhookError("secret", "The secret is not of the form whsec_<base64>.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
};

const joined = (head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder();
  const [first, second] = [encoder.encode(head), typeof body === "string" ? encoder.encode(body) : body];
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
};

const eventOf = (body: string | Uint8Array): WebhookEvent => {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    event = null;
  }
  if (typeof event !== "object" || event === null || !("type" in event) || typeof event.type !== "string")
    throw new WebhookError("body", "The body is signed, but it is not an event.");
  // The type is checked; all other members depend on it.
  return event as WebhookEvent;
};

/**
 * Returns the event of a request that the service signed recently and that is unchanged. Throws `WebhookError` otherwise.
 * The platform compares the signatures, in constant time.
 */
export const verifyWebhook = async (request: WebhookRequest, options: WebhookOptions): Promise<Webhook> => {
  const { secret, tolerance_s = 300, now_ms = Date.now() } = options;
  const id = headerOf(request, "webhook-id");
  const timestamp = headerOf(request, "webhook-timestamp");
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError("headers", "The header webhook-timestamp is not a time.");
  if (Math.abs(now_ms / 1_000 - Number(timestamp)) > tolerance_s)
    throw new WebhookError("time", `The signature's time differs from now by more than ${tolerance_s} seconds.`);
  const signed = joined(`${id}.${timestamp}.`, request.body);
  const signatures = headerOf(request, "webhook-signature")
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? (bytesOfBase64(one.slice(3)) ?? []) : []));
  const secrets = typeof secret === "string" ? [secret] : secret;
  for (const key of await Promise.all(secrets.map(keyOf)))
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, signed))
        return { id, sent_at: new Date(Number(timestamp) * 1_000), event: eventOf(request.body) };
  throw new WebhookError("signature", "No signature of this request matches the secret.");
};
