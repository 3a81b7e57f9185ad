/** Encryption of stored secrets that the service must read again (to sign with). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { AssayError } from "../../lib/errors.ts";
import { Secret } from "../../lib/log.ts";
import { type Peppers, pepperId } from "../secret.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Seal {
  seal(secret: Secret): string;
  /** @throws AssayError SECRET_SEALED when it was sealed with a pepper that is no longer configured */
  open(sealed: string): Secret;
}

/** With a pepper, a copy of the store alone reveals no secret; without one it does (docs/threat_model.md). */
export const sealWith = ({ current, previous }: Peppers): Seal => {
  const peppers = new Map(
    [current, ...previous].flatMap((one) => (one === null ? [] : [[pepperId(one), one] as const])),
  );
  return {
    seal(secret) {
      if (current === null) return `plain:${secret.reveal()}`;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(current), nonce);
      const text = Buffer.concat([cipher.update(secret.reveal(), "utf8"), cipher.final()]);
      return `sealed:${pepperId(current)}:${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64")}`;
    },
    open(sealed) {
      const [kind, id = "", text = ""] = sealed.split(":");
      if (kind === "plain") return new Secret(sealed.slice("plain:".length));
      const pepper = peppers.get(id);
      if (pepper === undefined) {
        const message = "The secret was sealed with a pepper that is no longer configured. Rotate the secret.";
        throw new AssayError({ code: "SECRET_SEALED", message, public: message });
      }
      const bytes = Buffer.from(text, "base64");
      const decipher = createDecipheriv(CIPHER, keyOf(pepper), bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const opened = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
      return new Secret(Buffer.concat(opened).toString("utf8"));
    },
  };
};

const keyOf = (pepper: Secret): Buffer =>
  Buffer.from(hkdfSync("sha256", pepper.reveal(), "", "assay webhook secrets", KEY_BYTES));
