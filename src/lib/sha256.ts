import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text's UTF-8, as 64 digits of lower-case hex. Runs in a browser too, also over plain HTTP. */
export const sha256Text = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** The same in base64, as a content security policy names a style (`'sha256-…'`). */
export const sha256Base64 = (text: string): string => btoa(String.fromCharCode(...sha256(utf8ToBytes(text))));
