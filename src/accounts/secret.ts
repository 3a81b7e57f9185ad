import { createHash, createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Secret } from "../lib/log.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 4;

/** Maximum length of a text that can be a key. */
const LENGTH_MAX = 128;

export type RandomBytes = (count: number) => Uint8Array;

/** A new key: the prefix, 32 random base62 characters, 6 of checksum. */
export const makeSecret = (prefix: string, random: RandomBytes): string => {
  let text = prefix;
  while (text.length < prefix.length + RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      // 248 = 4 * 62: higher bytes would favour the first digits.
      if (byte < 248 && text.length < prefix.length + RANDOM_LENGTH) text += DIGITS.charAt(byte % 62);
    }
  }
  return text + checksum(text);
};

/** The displayable part of a key: the prefix and 4 characters. */
export const displayPrefix = (secret: string): string =>
  secret.slice(0, secret.length - CHECKSUM_LENGTH - RANDOM_LENGTH + SHOWN_LENGTH);

/** Whether the text can be a key. A typo fails here, without a look-up. */
export const isWellFormed = (text: string): boolean =>
  text.length <= LENGTH_MAX &&
  /^[0-9A-Za-z_-]*[0-9A-Za-z]{38}$/.test(text) &&
  text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));

/** The pepper for new digests (null = none), and earlier ones whose digests are still accepted. */
export interface Peppers {
  readonly current: Secret | null;
  readonly previous: readonly Secret[];
}

/**
 * Digests under which a key may be stored, the one for new keys first. With a pepper that is an HMAC; the plain
 * digest stays valid, so keys from before the pepper keep working.
 */
export const digestsOf = (secret: string, { current, previous }: Peppers): readonly [string, ...string[]] => {
  const plain = `sha256:${createHash("sha256").update(secret).digest("hex")}`;
  const earlier = previous.map((pepper) => peppered(secret, pepper));
  return current === null ? [plain, ...earlier] : [peppered(secret, current), ...earlier, plain];
};

/** A short id of a pepper that does not reveal it: it states with which pepper a stored digest was made. */
export const pepperId = (pepper: Secret): string =>
  createHmac("sha256", pepper.reveal()).update("assay pepper id").digest("hex").slice(0, 8);

const peppered = (secret: string, pepper: Secret): string =>
  `hmac:${createHmac("sha256", pepper.reveal()).update(secret).digest("hex")}`;

/** CRC-32 of the text as 6 base62 digits (62^6 > 2^32). */
const checksum = (text: string): string => {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};
