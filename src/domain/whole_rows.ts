import type { Hex } from "../lib/bytes.ts";
import type { Snapshot } from "../store/facts.ts";

/** Whether every row of this address is stored: on a network that is read on demand, only those of the call's own addresses are. */
export const hasRowsOf = ({ followed }: Pick<Snapshot, "followed">, address: Hex): boolean =>
  followed === undefined || followed.addresses.includes(address);
