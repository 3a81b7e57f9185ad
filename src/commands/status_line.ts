import type { IndexerStatus } from "../lib/status.ts";
import type { RunningService } from "../main.ts";
import type { CommandIo } from "./command.ts";
import { liveLine } from "./live_line.ts";
import { pricesText, progressLine } from "./progress.ts";

const REDRAW_MS = 1_000;
const PRINT_MS = 60_000;

/** A network that keeps up in a few words, any other as while it is indexed. */
const partOf = (network: string, status: IndexerStatus): string => {
  const { state, indexed, lag_blocks, problem } = status;
  if (problem !== null && indexed === null) return `${network} waits for its node`;
  if (state !== "following" || problem !== null || indexed === null) return progressLine(network, status);
  return `${network} at block ${indexed}${lag_blocks === null || lag_blocks === 0 ? "" : `, ${lag_blocks} behind`}${pricesText(status)}`;
};

/** Progress of all networks of a process in one line. */
const statusLine = (networks: Readonly<Record<string, IndexerStatus>>): string =>
  `  status   ${Object.entries(networks)
    .map(([network, status]) => partOf(network, status))
    .join("   ")}`;

/** Shows the networks' progress until `stop`: redrawn every second on a terminal, otherwise at most one line a minute when it changed. */
export const startStatusLine = (service: Pick<RunningService, "progress">, io: CommandIo): { stop(): void } => {
  const line = liveLine(io);
  const draw = (): void => {
    const networks = service.progress();
    if (Object.keys(networks).length > 0) line.draw(statusLine(networks));
  };
  const timer = setInterval(draw, io.tty ? REDRAW_MS : PRINT_MS);
  return {
    stop() {
      clearInterval(timer);
      line.end();
    },
  };
};
