/** Followed addresses of networks that are read on demand, for watching (docs/design/on_demand.md). */
import { AssayError } from "../lib/errors.ts";
import type { FactsStore } from "../store/open.ts";
import { readSubjects, readWishes, type SubjectRecord } from "../store/subjects/records.ts";
import { openSubjectFacts } from "../store/subjects/subject_facts.ts";
import type { WatchedSubjects } from "../watch/follow_subjects.ts";
import type { SubjectCalls } from "./subject_calls.ts";

/** It needs rows of one address. */
const WATCH = { name: "watch", subjects: ["address"] } as const;

const tailOf = (head: SubjectRecord["head"]): string =>
  head === null ? "" : `above ${head.blocks.map(([, hash]) => hash).join()}`;

export const watchedSubjects = ({
  facts,
  subjects,
}: {
  readonly facts: FactsStore;
  readonly subjects: SubjectCalls;
}): WatchedSubjects => ({
  isOnDemand: (network) => subjects.isOnDemand(network),
  async read(network) {
    const [records, wishes] = await Promise.all([
      readSubjects(facts.engine, network),
      readWishes(facts.engine, network),
    ]);
    // Counterparties that no account named have no rules: a rule's address is wished without a limit.
    const named = new Set(
      wishes.flatMap(({ subject, wish, blocks_max }) => (wish === "track" && blocks_max === 0 ? [subject] : [])),
    );
    return records.flatMap(({ subject, state, to_block, to_hash, head }) =>
      state === "read" && named.has(subject) ? [{ subject, to_block, to_hash, tail: tailOf(head) }] : [],
    );
  },
  async follow(network, addresses, account_id) {
    try {
      await subjects.follow(network, addresses, { account: account_id });
      return true;
    } catch (error) {
      if (!(error instanceof AssayError && error.code === "SUBJECT_LIMIT")) throw error;
      return false;
    }
  },
  factsAbout: (network, subject, signal) => {
    const asked = { address: { hex: subject }, network };
    return openSubjectFacts(facts.served, subjects.of(WATCH, { asked, account_id: "" }), signal);
  },
});
