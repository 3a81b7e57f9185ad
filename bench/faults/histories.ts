/** Answers of clients, and whether the ledger explains them (invariant I7). */
import { createHash } from "node:crypto";

/**
 * How a client's attempt ended. `charged`: data with its price. `returned`: the tool's own failure, whose price was
 * refunded. `refused`: an answer that states that nothing was charged. `unknown`: no answer, or a 5xx that makes no
 * claim.
 */
export interface ClientAttempt {
  readonly end: "charged" | "returned" | "refused" | "unknown";
  /** The cost that the answer states. */
  readonly credits: number;
  /** 409 `completed`: an earlier attempt was charged. */
  readonly is_after_completed: boolean;
}

/** One request of a client, with one or several attempts. */
export interface ClientRequest {
  readonly account_id: string;
  readonly tool: string;
  /** In no other wish. */
  readonly nonce: string;
  /** With it all attempts together are charged once at most. */
  readonly idempotency_key: string | null;
  readonly attempts: ClientAttempt[];
}

export type ChargeRow = {
  readonly id: string;
  readonly account_id: string;
  readonly tool: string;
  readonly credits: number;
  readonly idempotency_key: string | null;
  readonly fingerprint: string;
  readonly state: string;
  /** Why it was refunded; `late`: its answer was not written in time. */
  readonly reason: string | null;
};

/** Those of a part of all fingerprints: `$1` is their first digit. */
export const CHARGES_SQL = `select id, account_id, tool, credits, idempotency_key, fingerprint, state, reason from charges
  where substr(fingerprint, 1, 1) = $1 order by id`;

/** SHA-256 of tool and canonical arguments, computed independently of the product. */
export const fingerprintOf = ({ tool, nonce }: ClientRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([tool, { nonce }]))
    .digest("hex");

/** Compares the answers of clients with the charges, a part at a time: every wish together with all its charges. */
export interface Judge {
  /** @returns all contradictions between this part and the charges */
  part(wishes: readonly ClientRequest[], rows: readonly ChargeRow[]): readonly string[];
  /** I7, in each account: credits of all answers <= used <= that plus the possible cost of calls without a claim. */
  sums(): readonly string[];
}

interface HistorySum {
  told: number;
  used: number;
  open: number;
}

export const openJudge = (): Judge => {
  const sums = new Map<string, HistorySum>();
  const sumOf = (account_id: string): HistorySum => {
    const sum = sums.get(account_id) ?? { told: 0, used: 0, open: 0 };
    sums.set(account_id, sum);
    return sum;
  };
  return {
    part(wishes, rows) {
      addSums(sumOf, wishes, rows);
      return unmatched(wishes, rows);
    },
    sums: () =>
      [...sums].flatMap(([account_id, { told, used, open }]) =>
        told <= used && used <= told + open
          ? []
          : [`${account_id}: answers say ${told}, ${open} are open, used ${used}`],
      ),
  };
};

const unmatched = (wishes: readonly ClientRequest[], rows: readonly ChargeRow[]): readonly string[] => {
  const of_wish = new Map<string, ChargeRow[]>();
  for (const row of rows) {
    const same = of_wish.get(row.fingerprint);
    if (same === undefined) of_wish.set(row.fingerprint, [row]);
    else same.push(row);
  }
  const faults: string[] = [];
  for (const wish of wishes) {
    const fingerprint = fingerprintOf(wish);
    faults.push(...faultsOf(wish, of_wish.get(fingerprint) ?? []));
    of_wish.delete(fingerprint);
  }
  for (const strays of of_wish.values())
    faults.push(...strays.map(({ id, tool, state }) => `charge ${id} of ${tool} (${state}) has no attempt`));
  return faults;
};

const faultsOf = (wish: ClientRequest, rows: readonly ChargeRow[]): readonly string[] => {
  const { attempts } = wish;
  const told = (end: ClientAttempt["end"]) => attempts.filter((attempt) => attempt.end === end);
  const done = rows.filter(({ state }) => state === "done");
  const refunded = rows.filter(({ state }) => state === "refunded");
  const answered = told("charged");
  const claims: readonly (readonly [boolean, string])[] = [
    [done.length + refunded.length === rows.length, "a charge is neither done nor refunded"],
    [rows.every((row) => row.account_id === wish.account_id && row.tool === wish.tool), "a charge is another's"],
    [rows.every((row) => row.idempotency_key === wish.idempotency_key), "a charge has another idempotency key"],
    [rows.length <= attempts.length, "there are more charges than attempts"],
    [wish.idempotency_key === null || done.length <= 1, "one idempotency key was charged twice"],
    [done.length >= answered.length, "a charged answer has no charge"],
    [done.length <= answered.length + told("unknown").length, "a rejected call is charged"],
    [refunded.length >= told("returned").length, "a refunded failure has no refund"],
    [sameCredits(answered, done), "an answer named another price than the charge"],
    [
      !attempts.some((attempt) => attempt.is_after_completed) ||
        done.length > 0 ||
        refunded.some(({ reason }) => reason === "late"),
      "a completed call is not charged",
    ],
  ];
  const broken = claims.flatMap(([holds, words]) => (holds ? [] : [words]));
  if (broken.length === 0) return [];
  const facts = { ...wish, attempts: attempts.map(({ end, credits }) => `${end} ${credits}`), rows };
  return [`${broken.join(", ")}: ${JSON.stringify(facts)}`];
};

/** Each answer's credits are those of a done charge of its own. */
const sameCredits = (answered: readonly ClientAttempt[], done: readonly ChargeRow[]): boolean => {
  const left = done.map(({ credits }) => credits);
  return answered.every(({ credits }) => {
    const place = left.indexOf(credits);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
};

const addSums = (
  sumOf: (account_id: string) => HistorySum,
  wishes: readonly ClientRequest[],
  rows: readonly ChargeRow[],
): void => {
  const uncertain = new Set<string>();
  for (const wish of wishes) {
    if (wish.attempts.some(({ end }) => end === "unknown")) uncertain.add(fingerprintOf(wish));
    for (const { end, credits } of wish.attempts) if (end === "charged") sumOf(wish.account_id).told += credits;
  }
  for (const { account_id, credits, state, fingerprint } of rows) {
    if (state !== "done") continue;
    const sum = sumOf(account_id);
    sum.used += credits;
    if (uncertain.has(fingerprint)) sum.open += credits;
  }
};
