import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";

/** Runs `work` repeatedly, never twice at a time. A failure is logged, and the next round tries again. */
export const startTimer = (work: () => Promise<void>, every_ms: number, log: Log) => {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const round = () => {
    running ??= work()
      .catch((error: unknown) => log.error({ error: messageOf(error) }, "The accounts store did not answer."))
      .finally(() => {
        running = null;
      });
  };
  return {
    start() {
      timer = setInterval(round, every_ms);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
};
