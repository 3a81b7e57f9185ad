/** Text of ENS names: normalization, hash, wire format, confusable characters. */
import { ens_normalize, ens_split } from "@adraffy/ens-normalize";
import { type Bytes, type Hex, keccak256, padHex, toHex } from "../../../lib/bytes.ts";
import { skeletonOf } from "../../lookalikes.ts";

const utf8 = new TextEncoder();

/** ENSIP-15. Null when the name cannot be normalised (and so cannot exist). */
export const normalizeName = (name: string): string | null => {
  try {
    const normalized = ens_normalize(name);
    return normalized === "" || normalized.split(".").includes("") ? null : normalized;
  } catch {
    // The library's only way to say "not a valid name".
    return null;
  }
};

export const labelHash = (label: string): Bytes => keccak256(utf8.encode(label));

/** ENSIP-1 namehash of a normalised name. */
export const namehash = (name: string): Hex =>
  name === ""
    ? padHex("", 32)
    : toHex(
        name
          .split(".")
          .reverse()
          .reduce<Bytes>((node, label) => keccak256(Buffer.concat([node, labelHash(label)])), new Uint8Array(32)),
      );

/** Wire format of RFC 1035 as ENSIP-10 uses it; null when a label is longer than 255 bytes. */
export const dnsEncode = (name: string): Bytes | null => {
  const labels = name.split(".").map((label) => utf8.encode(label));
  if (labels.some((label) => label.length > 255)) return null;
  return Buffer.concat([...labels.flatMap((label) => [Uint8Array.of(label.length), label]), Uint8Array.of(0)]);
};

/** True when a normalised name mixes scripts, or is drawn like a different, plain ASCII name. */
export const isConfusable = (name: string): boolean => {
  const scripts = new Set(ens_split(name).map(({ type }) => type));
  for (const neutral of ["ASCII", "Emoji", undefined]) scripts.delete(neutral);
  if (scripts.has("Latin")) scripts.delete("Latin");
  const foreign = /[^\x20-\x7e]/.test(name);
  const drawnAsAscii = /^[\x20-\x7e]*$/.test(skeletonOf(name));
  return scripts.size > 1 || (foreign && drawnAsAscii);
};
