import { existsSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { filledBy, indexedBy, type NetworkStatus, WATCH_LEASE, watchedBy } from "../lib/status.ts";
import { rangeOf } from "../store/epochs.ts";
import { openAccountsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData } from "./command.ts";
import { sendRequest, serviceUrl } from "./http.ts";
import { table } from "./table.ts";

/** Names the process that indexes each network. Read from the accounts store, because public surfaces name no machine. */
const reportIndexers = async (io: CommandIo): Promise<void> => {
  const { settings, data_dir } = io.settings();
  if (!existsSync(data_dir)) return;
  try {
    const accounts = await openAccountsOnly(settings, data_dir, silentLog);
    try {
      const holders = Object.entries(await accounts.leases.holders(null));
      for (const [name, holder] of holders) {
        if (name.startsWith(WATCH_LEASE)) {
          io.err(`${watchedBy(name, holder)}\n`);
          continue;
        }
        const range = rangeOf(name);
        io.err(`${range === null ? indexedBy(name, holder) : filledBy(range, holder)}\n`);
      }
    } finally {
      await accounts.close();
    }
  } catch (error) {
    io.err(`assay: who indexes is not known: ${messageOf(error)}\n`);
  }
};

interface Readiness {
  readonly status: string;
  readonly checks: {
    readonly accounts: boolean;
    readonly facts: boolean;
    readonly networks: Readonly<Record<string, NetworkReadiness>>;
  };
}

type NetworkReadiness = Pick<
  NetworkStatus,
  "head" | "indexed" | "lag_blocks" | "verified" | "gaps" | "state" | "trouble"
> & {
  readonly is_ready: boolean;
  readonly lag_seconds: number | null;
  /** Omitted by a service of an earlier version. */
  readonly priced_percent?: number | null;
};

/** State of a network for operators. */
const STATES: Readonly<Record<NetworkStatus["state"], string>> = {
  starting: "starting",
  waiting: "another process indexes it",
  backfill: "reading history",
  following: "following",
  stopped: "stopped",
  failed: "stopped by a fault",
  absent: "not running",
};

/** Why, by the code of the fault. */
const TROUBLES: Readonly<Record<string, string>> = {
  UPSTREAM_UNAVAILABLE: "no node answers",
  WRONG_CHAIN: "the node serves another chain",
  LEASE_LOST: "it waits for its lease",
  DEEP_REORG: "a final block has another hash on the node",
  DISPUTE: "its nodes are on two branches",
  FACTS_UNAVAILABLE: "the facts store does not answer",
  ACCOUNTS_UNAVAILABLE: "the accounts store does not answer",
  ABSENT: "switched off in the configuration",
};

const stateOf = ({ is_ready, state, trouble, priced_percent = null }: NetworkReadiness): string => {
  const why = trouble === null ? null : (TROUBLES[trouble] ?? trouble);
  const what = is_ready || state === "absent" ? STATES[state] : `nothing indexed, ${STATES[state]}`;
  const prices = priced_percent === null ? "" : `, prices ${priced_percent} % derived`;
  return `${what}${prices}${why === null ? "" : `: ${why}`}`;
};

/** Configured networks that the service does not know: it has not taken the configuration as it is now. */
const unknownOf = (io: CommandIo, { checks }: Readiness): readonly string[] =>
  Object.keys(io.settings().settings.networks).filter((id) => !Object.hasOwn(checks.networks, id));

/** The body of `/readyz`, as a service of this version gives it. */
const isReadiness = (body: unknown): body is Readiness =>
  typeof body === "object" && body !== null && "checks" in body && "not_ready" in body;

const COLUMNS = ["NETWORK", "STATE", "NEWEST BLOCK", "INDEXED TO", "BEHIND", "SECONDS OLD", "VERIFIED", "GAPS"];

const readinessText = ({ status, checks }: Readiness, unknown: readonly string[]): string => {
  const stores = [checks.accounts ? [] : ["accounts"], checks.facts ? [] : ["facts"]].flat();
  const rows = Object.entries(checks.networks).map(([id, network]) => [
    id,
    stateOf(network),
    network.head,
    network.indexed,
    network.lag_blocks,
    network.lag_seconds,
    network.verified,
    network.gaps.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)),
  ]);
  const away = stores.length === 0 ? "" : `; does not answer: ${stores.join(", ")}`;
  const waiting = unknown.map((id) => [
    id,
    "configured, and not known to the service: restart it",
    ...COLUMNS.slice(2).map(() => ""),
  ]);
  const is_ill = Object.values(checks.networks).some((network) => !network.is_ready && network.state !== "absent");
  const hint = is_ill ? "'assay doctor' checks the nodes of a network.\n" : "";
  return `${status}${away}\n${table(COLUMNS, [...rows, ...waiting])}${hint}`;
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const is_local = flag(args, "url") === null && io.env.ASSAY_URL === undefined;
  if (is_local) await reportIndexers(io);
  const answer = await sendRequest(`${serviceUrl(args, io)}/readyz`, { signal: io.signal });
  if (io.json || !isReadiness(answer.body)) printData(io, answer.body);
  else io.out(readinessText(answer.body, is_local ? unknownOf(io, answer.body) : []));
  return answer.status === 200 ? EXIT.ok : EXIT.error;
};
