/** How far the history of each wished address of a network is read, for commands and accounts. */
import type { Hex } from "../../lib/bytes.ts";
import { iso } from "../../lib/time.ts";
import type { Engine } from "../engine.ts";
import { readSubjects, readWishes, type SubjectRecord } from "./records.ts";

/** An address that a network follows. Null: not known before its history is read. */
export interface FollowedProgress {
  readonly subject: Hex;
  readonly state: SubjectRecord["state"] | "waiting";
  readonly blocks_found: number | null;
  readonly blocks_read: number | null;
  /** Every block up to this one that concerns the address is stored. */
  readonly to_block: number | null;
  readonly to_time: string | null;
  /** First block of its history: the network's, or a later one where nodes dropped older blocks. */
  readonly from_block: number | null;
  /** Whether the search proves that no block is missing. */
  readonly search: "proven" | "not proven" | null;
  /** The stored movements add up to the node's balance. */
  readonly is_balanced: boolean | null;
  /** Calls of the node. */
  readonly requests: number | null;
  /** The account that asked; '' for the operator. */
  readonly asked_by: string;
  /** A sentence; '' without one. */
  readonly problem: string;
}

/** The addresses that a network follows, in the order of their wishes. */
export const readProgress = async (
  engine: Pick<Engine, "query">,
  network: string,
): Promise<readonly FollowedProgress[]> => {
  const [wishes, records] = await Promise.all([readWishes(engine, network), readSubjects(engine, network)]);
  const known = new Map(records.filter(({ state }) => state !== "left").map((one) => [one.subject, one]));
  return wishes
    .filter(({ wish }) => wish === "track")
    .map(({ subject, asked_by }) => {
      const record = known.get(subject);
      const read = record?.state === "read" ? record : null;
      return {
        subject,
        state: record?.state ?? "waiting",
        blocks_found: record?.found ?? null,
        blocks_read: record?.fetched ?? null,
        to_block: read?.to_block ?? null,
        to_time: read === null ? null : iso(read.to_time),
        from_block: read?.from_block ?? null,
        search: read === null ? null : read.is_plain ? "proven" : "not proven",
        is_balanced: read?.is_balanced ?? null,
        requests: record?.requests ?? null,
        asked_by,
        problem: record?.problem ?? "",
      };
    });
};
