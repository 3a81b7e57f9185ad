import { indexedBy, type NetworkStatus } from "../lib/status.ts";
import type { CommandIo } from "./command.ts";

const BAR_WIDTH = 24;
const LINE_EVERY_MS = 3_000;

const clockOf = (seconds: number): string => {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3_600);
  const rest = `${String(Math.floor((whole % 3_600) / 60)).padStart(hours > 0 ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
};

/** One network in one line: bar, blocks left, pace, time left, or what is wrong. */
export const progressLine = (network: string, status: NetworkStatus): string => {
  const { indexed, from_block, remaining_blocks: left, lag_blocks, blocks_per_second: pace, problem } = status;
  if (status.state === "waiting" && status.indexed_by !== null)
    return `${indexedBy(network, status.indexed_by)}: waiting`;
  if (problem !== null) return `${network}  waiting: ${problem}`;
  if (indexed === null || from_block === null || left === null) return `${network}  reading the node`;
  const missing = left + (lag_blocks ?? 0);
  const done = indexed - from_block + 1;
  const share = done / Math.max(1, done + missing);
  const bar = "#".repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, ".");
  const time = missing > 0 && pace !== null && pace > 0 ? `  ${clockOf(missing / pace)} left` : "";
  const rate = missing > 0 && pace !== null ? `  ${Math.round(pace)} blocks/s` : "";
  return `${network}  [${bar}] ${done} of ${done + missing} blocks${rate}${time}`;
};

/** Shows progress until `stop` is called: a bar that redraws on a terminal, a line now and then otherwise. */
export const showProgress = (io: CommandIo, read: () => Promise<Readonly<Record<string, NetworkStatus>>>) => {
  let busy = false;
  let drawn = "";
  const lines = async (): Promise<string> =>
    Object.entries(await read())
      .map(([network, status]) => progressLine(network, status))
      .join("   ");
  const draw = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const text = await lines();
      if (text === drawn) return;
      drawn = text;
      io.err(io.tty ? `\r\u001b[2K  index    ${text}` : `  index    ${text}\n`);
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void draw(), io.tty ? 150 : LINE_EVERY_MS);
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      io.err(`${io.tty ? "\r\u001b[2K" : ""}  index    ${await lines()}\n`);
    },
  };
};
