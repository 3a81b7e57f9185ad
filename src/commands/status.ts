import { existsSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { filledBy, indexedBy, type NetworkStatus, WATCH_LEASE, watchedBy } from "../lib/status.ts";
import { rangeOf } from "../store/epochs.ts";
import { openAccountsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, onlyFlags, printData } from "./command.ts";
import { ask, serviceUrl } from "./http.ts";
import { table } from "./table.ts";

/** Says for people who writes which network. That stands in the accounts store: a surface for everybody names no machine. */
const tellIndexers = async (io: CommandIo): Promise<void> => {
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

type NetworkReadiness = Pick<NetworkStatus, "head" | "indexed" | "lag_blocks" | "verified" | "gaps"> & {
  readonly is_ready: boolean;
};

/** The body of `/readyz`, as a service of this version gives it. */
const isReadiness = (body: unknown): body is Readiness =>
  typeof body === "object" && body !== null && "checks" in body && "not_ready" in body;

const COLUMNS = ["NETWORK", "STATE", "NEWEST BLOCK", "INDEXED TO", "BEHIND", "VERIFIED", "GAPS"];

const readinessText = ({ status, checks }: Readiness): string => {
  const stores = [checks.accounts ? [] : ["accounts"], checks.facts ? [] : ["facts"]].flat();
  const rows = Object.entries(checks.networks).map(([id, network]) => [
    id,
    network.is_ready ? "ready" : "not ready",
    network.head,
    network.indexed,
    network.lag_blocks,
    network.verified,
    network.gaps.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)),
  ]);
  const away = stores.length === 0 ? "" : `; does not answer: ${stores.join(", ")}`;
  const hint = rows.some(([, state]) => state === "not ready")
    ? "'assay doctor' says why a network is not ready.\n"
    : "";
  return `${status}${away}\n${table(COLUMNS, rows)}${hint}`;
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["url", "config", "json"]);
  const is_local = flag(args, "url") === null && io.env.ASSAY_URL === undefined;
  if (is_local) await tellIndexers(io);
  const answer = await ask(`${serviceUrl(args, io)}/readyz`, { signal: io.signal });
  if (io.json || !isReadiness(answer.body)) printData(io, answer.body);
  else io.out(readinessText(answer.body));
  return answer.status === 200 ? EXIT.ok : EXIT.error;
};
