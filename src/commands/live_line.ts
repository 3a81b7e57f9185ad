import type { CommandIo } from "./command.ts";

const LINE_EVERY_MS = 3_000;

/** One line that is always up to date: redrawn on a terminal, printed now and then otherwise. */
export interface LiveLine {
  draw(text: string): void;
  /** Removes the line, or replaces it by `text`. */
  end(text?: string): void;
}

export const liveLine = (io: CommandIo, now: () => number = performance.now.bind(performance)): LiveLine => {
  let drawn = "";
  let printed_ms = Number.NEGATIVE_INFINITY;
  return {
    draw(text) {
      if (io.tty) return io.err(`\r\u001b[2K${text}`);
      if (text === drawn || now() - printed_ms < LINE_EVERY_MS) return;
      drawn = text;
      printed_ms = now();
      io.err(`${text}\n`);
    },
    end(text) {
      if (io.tty) io.err("\r\u001b[2K");
      if (text !== undefined && (io.tty || text !== drawn)) io.err(`${text}\n`);
    },
  };
};
