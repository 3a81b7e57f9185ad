import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Database, Queries } from "./database.ts";

/** Attribute by which failed sign-ins are counted. */
export interface DelaySubject {
  readonly name: string;
  /** Failures without a delay. */
  readonly free: number;
  readonly longest_s: number;
}

/** The user and the origin of a sign-in. */
export interface SignInAttempt {
  /** As typed, in lower case. */
  readonly name: string;
  readonly address: string;
  /** The browser has proved an earlier sign-in under this name, so other browsers' failures do not delay it. */
  readonly is_known: boolean;
}

type Failures = { readonly subject: string; readonly failures: number; readonly next_at: number };

const DAY_MS = 86_400_000;

const digest = (kind: string, text: string): string =>
  `${kind}:${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;

/** An IPv6 host chooses among 2^64 addresses, so its network counts. */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address;
  const four = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (four !== undefined) return four;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return [...front, ...Array<string>(zeros).fill("0"), ...back].slice(0, 4).join(":");
};

/** The network of an address, by which requests are counted, as a digest. */
export const originDigest = (address: string): string => digest("address", networkOf(address));

/** The name as a digest, not as text: a user may type a password there by mistake. */
export const subjectsOf = ({ name, address, is_known }: SignInAttempt): readonly [DelaySubject, DelaySubject] => [
  { name: digest(is_known ? "browser" : "name", name), free: 5, longest_s: 900 },
  { name: originDigest(address), free: 20, longest_s: 3_600 },
];

const delayOf = ({ free, longest_s }: DelaySubject, failures: number): number =>
  failures <= free ? 0 : Math.min(longest_s, 2 ** Math.min(30, failures - free - 1)) * 1_000;

const READ_SQL = "select subject, failures, next_at from sign_in_failures where subject = $1 and forget_at > $2";

const WRITE_SQL = `insert into sign_in_failures (subject, failures, next_at, forget_at) values ($1, $2, $3, $4)
  on conflict (subject) do update set failures = excluded.failures, next_at = excluded.next_at, forget_at = excluded.forget_at`;

const longestWait = async (queries: Queries, subjects: readonly DelaySubject[], at: number) => {
  const rows = await Promise.all(subjects.map(({ name }) => queries.get<Failures>(READ_SQL, [name, at])));
  return { rows, wait_ms: Math.max(0, ...rows.map((row) => (row?.next_at ?? at) - at)) };
};

/** Serializes sign-ins: however many arrive together, each sees the earlier ones. */
export const SIGN_IN_LOCK = "sign-in";

/**
 * Counts an attempt as failed before its password is checked, so that concurrent attempts get no more guesses.
 * A rejected attempt changes nothing.
 * @returns milliseconds to wait; 0 = the password may be checked
 */
export const enterAttempt = async (
  database: Database,
  subjects: readonly DelaySubject[],
  at: number,
): Promise<number> => {
  const first = await longestWait(database, subjects, at);
  if (first.wait_ms > 0) return first.wait_ms;
  return database.transaction({ lock: SIGN_IN_LOCK, proof: null }, async (within) => {
    const { rows, wait_ms } = await longestWait(within, subjects, at);
    if (wait_ms > 0) return wait_ms;
    await within.run("delete from sign_in_failures where forget_at <= $1", [at]);
    for (const [index, subject] of subjects.entries()) {
      const failures = (rows[index]?.failures ?? 0) + 1;
      const next_at = at + delayOf(subject, failures);
      await within.run(WRITE_SQL, [subject.name, failures, next_at, next_at + DAY_MS]);
    }
    return 0;
  });
};

/** Clears the failures of the user after a success, and removes one failure from their address. */
export const forgiveAttempt = async (
  within: Queries,
  [person, address]: readonly [DelaySubject, DelaySubject],
  at: number,
): Promise<void> => {
  await within.run("delete from sign_in_failures where subject = $1", [person.name]);
  await within.run("update sign_in_failures set failures = failures - 1, next_at = $2 where subject = $1", [
    address.name,
    at,
  ]);
};
