import { withoutSubject } from "../lib/log.ts";
import { type IndexerStatus, indexedBy, pricedPercent } from "../lib/status.ts";
import type { CommandIo } from "./command.ts";
import { liveLine } from "./live_line.ts";

const BAR_WIDTH = 24;
const LOOK_EVERY_MS = 150;

/** Prices that are being derived for history that lacks them, as after an update of the program. */
export const pricesText = ({ priced_share }: Pick<IndexerStatus, "priced_share">): string =>
  priced_share === null ? "" : `, prices ${barOf(priced_share)} ${pricedPercent({ priced_share })} % derived`;

const barOf = (share: number): string => `[${"#".repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, ".")}]`;

const clockOf = (seconds: number): string => {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3_600);
  const rest = `${String(Math.floor((whole % 3_600) / 60)).padStart(hours > 0 ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
};

/** One network in one line: bar, blocks left, pace, time left, or what is wrong. */
export const progressLine = (network: string, status: IndexerStatus): string => {
  const { indexed, from_block, remaining_blocks: left, lag_blocks, blocks_per_second: pace, problem } = status;
  if (status.state === "waiting" && status.indexed_by !== null)
    return `${indexedBy(network, status.indexed_by)}: ${status.fills === null ? "waiting" : `filling blocks ${status.fills.from} to ${status.fills.to}`}`;
  if (problem !== null) return `${network}  waiting: ${withoutSubject(`${network}: `, problem)}`;
  if (indexed === null || from_block === null || left === null) return `${network}  reading the node`;
  const missing = left + (lag_blocks ?? 0);
  const done = indexed - from_block + 1;
  const share = done / Math.max(1, done + missing);
  const time = missing > 0 && pace !== null && pace > 0 ? `  ${clockOf(missing / pace)} left` : "";
  const rate = missing > 0 && pace !== null ? `  ${Math.round(pace)} blocks/s` : "";
  return `${network}  ${barOf(share)} ${done} of ${done + missing} blocks${rate}${time}${pricesText(status)}`;
};

/** Shows progress until `stop` is called: a bar that redraws on a terminal, a line now and then otherwise. */
export const showProgress = (io: CommandIo, read: () => Readonly<Record<string, IndexerStatus>>) => {
  const line = liveLine(io);
  const text = (): string =>
    `  index    ${Object.entries(read())
      .map(([network, status]) => progressLine(network, status))
      .join("   ")}`;
  const timer = setInterval(() => line.draw(text()), LOOK_EVERY_MS);
  return {
    stop(): void {
      clearInterval(timer);
      line.end(text());
    },
  };
};
