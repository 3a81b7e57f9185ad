import { statSync } from "node:fs";
import type { LoadedSettings } from "../config/settings.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import type { RunningService } from "../main.ts";
import type { ConfiguredNetworks } from "../wiring/network_set.ts";
import type { CommandIo } from "./command.ts";

/** Between two looks at the configuration file. */
const LOOK_EVERY_MS = 500;

export interface FollowedConfiguration {
  /** As the service was started with it. */
  readonly loaded: LoadedSettings;
  readonly wantedIn: (loaded: LoadedSettings) => ConfiguredNetworks;
  readonly log: Log;
  readonly io: Pick<CommandIo, "settings" | "signal">;
}

/** Fingerprint of the file's state; null without a file. */
const markOf = (file: string): string | null => {
  try {
    const { size, mtimeMs, ino } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return null; // it was moved away: what runs stays
  }
};

/** Settings beside the networks that are not what the service was started with. */
const changedSettings = (before: LoadedSettings, now: LoadedSettings): readonly string[] => {
  const values = (loaded: LoadedSettings) => new Map(Object.entries(loaded.settings));
  const [old, fresh] = [values(before), values(now)];
  return [...fresh.keys()].filter(
    (name) => name !== "networks" && JSON.stringify(fresh.get(name)) !== JSON.stringify(old.get(name)),
  );
};

/** Lists of the operator that name networks are read at the start, for the networks of then. */
const namesNetwork = ({ settings }: LoadedSettings, id: string): boolean =>
  JSON.stringify([settings.prices, settings.web.token_sites]).includes(`"network":"${id}"`);

/**
 * Looks at the configuration file until the process is to stop: networks that were added, changed or taken out come, change and go. Of
 * any other setting it says that a restart is needed; a file that cannot be read changes nothing.
 */
export const followConfiguration = async (
  service: Pick<RunningService, "apply">,
  followed: FollowedConfiguration,
): Promise<void> => {
  const { loaded, wantedIn, log, io } = followed;
  if (loaded.file === null) return;
  const known = new Set(Object.keys(loaded.settings.networks));
  // The first look compares as well: the file may have been changed since it was read.
  let mark: string | null = null;
  while (!io.signal.aborted) {
    await pause(LOOK_EVERY_MS, io.signal);
    const now_mark = markOf(loaded.file);
    if (io.signal.aborted || now_mark === null || now_mark === mark) continue;
    mark = now_mark;
    try {
      const now = io.settings();
      const changed = changedSettings(loaded, now);
      if (changed.length > 0)
        log.warn(
          { settings: changed },
          "these settings were changed: a restart is needed, until then the old ones count",
        );
      const fresh = Object.keys(now.settings.networks).filter((id) => !known.has(id) && namesNetwork(now, id));
      if (fresh.length > 0)
        log.warn({ networks: fresh }, "prices and token_sites of these networks count after a restart");
      await service.apply(wantedIn(now));
    } catch (error) {
      log.warn(
        { reason: messageOf(error) },
        "the configuration was changed and cannot be used: networks stay as they were",
      );
    }
  }
};
