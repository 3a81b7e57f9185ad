import type { Engine } from "./engine.ts";
import { shared } from "./shared.ts";
import type { Writes } from "./writes.ts";

/** Looks at what was written. One at a time, so that a later one never says less. */
export interface WriteObserver {
  /** Writes as of a moment after the call. */
  take(): Promise<Writes>;
  /** Result of the last look; null before the first one. */
  latest(): Writes | null;
}

export const observeWrites = (engine: Pick<Engine, "writes">): WriteObserver => {
  let latest: Writes | null = null;
  return {
    take: shared(async () => {
      const writes = await engine.writes();
      latest = writes;
      return writes;
    }),
    latest: () => latest,
  };
};
