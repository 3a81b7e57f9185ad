/** Samples of the networks of a process, which operators see as the history of their lag. */
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import type { ReadStatus } from "../lib/status.ts";
import type { HealthTerms } from "../surfaces/operator/health.ts";

const EVERY_MS = 60_000;

interface SamplesOptions {
  readonly health: HealthTerms;
  readonly status: ReadStatus;
  readonly log: Log;
  readonly stop: AbortSignal;
}

const sampleNetworks = async ({ health, status }: Pick<SamplesOptions, "health" | "status">): Promise<void> => {
  const { networks } = await status();
  const [at_ms, endpoints] = [Date.now(), health.endpoints()];
  for (const [network, one] of Object.entries(networks))
    health.history.take(network, one, { at_ms, endpoints: endpoints[network] ?? [] });
};

/** Takes one each minute, until `stop`. */
export const followNetworks = async (options: SamplesOptions): Promise<void> => {
  const { log, stop } = options;
  while (!stop.aborted) {
    await sampleNetworks(options).catch((error: unknown) =>
      log.warn({ error: messageOf(error) }, "the networks could not be read for their history"),
    );
    await pause(EVERY_MS, stop);
  }
};
