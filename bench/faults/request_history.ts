/** Histories in compact form: a line of text a wish, in parts by the first digit of its fingerprint. */
import { type ClientAttempt, type ClientRequest, fingerprintOf } from "./histories.ts";

export interface RequestHistory {
  keep(wish: ClientRequest): void;
  /** How all recorded attempts ended. */
  readonly ends: Readonly<Record<ClientAttempt["end"], number>>;
  /** The wishes whose fingerprint begins with this digit, in the order of recording. */
  part(digit: string): readonly ClientRequest[];
}

/** First digits of fingerprints, in order. */
export const PARTS: readonly string[] = [..."0123456789abcdef"];

/** Lines that are strings; more become bytes together. */
const LOOSE_MAX = 1_000;

interface HistoryPart {
  readonly packed: Buffer[];
  readonly loose: string[];
}

export const openRequestHistory = (): RequestHistory => {
  const parts = new Map<string, HistoryPart>(PARTS.map((digit) => [digit, { packed: [], loose: [] }]));
  const ends = { charged: 0, returned: 0, refused: 0, unknown: 0 };
  return {
    ends,
    keep(wish) {
      for (const { end } of wish.attempts) ends[end] += 1;
      const part = parts.get(fingerprintOf(wish).slice(0, 1));
      if (part === undefined) throw new Error("a fingerprint is hexadecimal");
      part.loose.push(lineOf(wish));
      if (part.loose.length >= LOOSE_MAX) part.packed.push(Buffer.from(part.loose.splice(0).join("\n"), "latin1"));
    },
    part(digit) {
      const { packed, loose } = parts.get(digit) ?? { packed: [], loose: [] };
      return [...packed.flatMap((bytes) => bytes.toString("latin1").split("\n")), ...loose].map(parseRequest);
    },
  };
};

/** No field contains white space. */
const lineOf = ({ account_id, tool, nonce, idempotency_key, attempts }: ClientRequest): string => {
  const told = attempts.map(({ end, credits, is_after_completed }) => `${end} ${credits} ${is_after_completed}`);
  return [account_id, tool, nonce, idempotency_key ?? "-", ...told].join(" ");
};

const parseRequest = (line: string): ClientRequest => {
  const [account_id = "", tool = "", nonce = "", key = "-", ...told] = line.split(" ");
  const attempts: ClientAttempt[] = [];
  for (let at = 0; at < told.length; at += 3)
    // Written by `lineOf`.
    attempts.push({
      end: told[at] as ClientAttempt["end"],
      credits: Number(told[at + 1]),
      is_after_completed: told[at + 2] === "true",
    });
  return { account_id, tool, nonce, idempotency_key: key === "-" ? null : key, attempts };
};
