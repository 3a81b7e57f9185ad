import { join } from "node:path";
import { updateDemoClock } from "../demo/evm/clock.ts";
import { type EvmWorld, startWorld } from "../demo/evm/world.ts";
import { makePrivateFolder } from "../lib/private_folder.ts";

/** Where the demo lies. */
export interface DemoLocation {
  readonly data_dir: string;
  /** Unix seconds. */
  readonly now: number;
}

/** A demo whose longest story is being played. */
export interface BegunDemo extends DemoLocation {
  /** First midnight of its stories, unix seconds. */
  readonly t0: number;
  /** The stored data belong to an older demo. */
  readonly moved: boolean;
  readonly evm: Promise<EvmWorld>;
}

/**
 * Starts the node that plays longest. This takes little of the program: the rest is loaded, and stores are opened, while the node has
 * a processor to itself.
 */
export const beginDemo = (at: DemoLocation): BegunDemo => {
  const { data_dir, now } = at;
  makePrivateFolder(data_dir);
  const { clock, moved } = updateDemoClock(join(data_dir, "demo.json"), now);
  const evm = startWorld({ placement: "demo", t0: clock.t0, kept: join(data_dir, "demo.play") });
  evm.catch(() => undefined); // `openDemo` hears of it
  return { ...at, t0: clock.t0, moved, evm };
};
