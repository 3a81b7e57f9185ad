/** Recorded answers to malformed envelopes. They are beside the checkout and not part of it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../../../shared/data/contract/envelope.json");

interface EnvelopeVector {
  readonly body_base64: string;
  readonly content_type: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly expect: { readonly status: number; readonly detail?: unknown };
  readonly why: string;
}

export const has_envelope_vectors = existsSync(FILE);

/** The caller's test checks the number of vectors. */
export const readEnvelopeVectors = (): readonly EnvelopeVector[] =>
  (JSON.parse(readFileSync(FILE, "utf8")) as { vectors: readonly EnvelopeVector[] }).vectors;
