import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { AssayError } from "../lib/errors.ts";

/** The cost of a hash (RFC 7914). Hashing takes 128 * N * r bytes of memory. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 128 MiB and about half a second of one core (OWASP's first choice for scrypt). */
const COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };

/** Maximum hashes running and waiting at a time. */
const AT_ONCE = 2;
const WAITING_MAX = 32;

const SALT_BYTES = 16;
const HASH_BYTES = 32;

export interface Passwords {
  /** Hashes a password: the cost, a random salt and the hash as text. */
  hash(password: string): Promise<string>;
  /**
   * Whether a stored hash is of this password. Without a hash (an unknown user) the answer is false after the same work.
   * @throws AssayError SIGN_IN_BUSY (retryable) when too many wait already
   */
  isOf(password: string, kept: string | null): Promise<boolean>;
}

/** Normalizes a password, so that its hash does not depend on how a keyboard composes characters. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize("NFKC"), "utf8");

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const limits = { N, r, p, maxmem: 256 * N * r };
    // Runs in a thread of the pool, so the event loop stays free.
    scrypt(bytesOf(password), salt, HASH_BYTES, limits, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });

interface StoredPassword {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const write = ({ cost: { N, r, p }, salt, hash }: StoredPassword): string =>
  ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join(":");

const read = (text: string): StoredPassword => {
  const [kind, N, r, p, salt = "", hash = ""] = text.split(":");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const kept = { cost, salt: Buffer.from(salt, "base64url"), hash: Buffer.from(hash, "base64url") };
  if (kind === "scrypt" && Object.values(cost).every((one) => Number.isSafeInteger(one) && one > 0)) return kept;
  throw new AssayError({ code: "PASSWORD_UNREADABLE", message: "A stored password hash has an unknown format." });
};

/** Limits the work that runs at a time; further work waits, and is rejected when too much waits. */
const openTurns = () => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX)
        throw new AssayError({
          code: "SIGN_IN_BUSY",
          message: "Too many passwords are being checked.",
          public: "Too many users are signing in. Try again in a few seconds.",
          retryable: true,
        });
      // Passes its slot to the next one in the queue.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

/** @param cost of new hashes; each stored hash contains its own. */
export const openPasswords = (cost: PasswordCost = COST): Passwords => {
  const turn = openTurns();
  const nobody = write({ cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) });
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return write({ cost, salt, hash: await turn(() => derive(password, salt, cost)) });
    },
    async isOf(password, kept) {
      const known = read(kept ?? nobody);
      const hash = await turn(() => derive(password, known.salt, known.cost));
      return timingSafeEqual(hash, known.hash) && kept !== null;
    },
  };
};
