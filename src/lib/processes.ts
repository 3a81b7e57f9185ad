import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process as another one can recognise it later. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Boot of the kernel and namespace of process ids: ids of equal places can be compared. '' where there is no /proc. */
  readonly place: string;
  /** Start of the process in kernel ticks, so that a reused id is not taken for it. '' where there is no /proc. */
  readonly started: string;
}

/** Field 22 of proc(5) stat. Null when there is no such process, it only waits to be reaped, or there is no /proc. */
export const startOf = (pid: number): string | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null; // no such file is the answer
  }
};

const placeOf = (): string => {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return ""; // not Linux: nobody's end can be seen from outside
  }
};

export const thisProcess = (): ProcessIdentity => ({
  host: hostname(),
  pid: process.pid,
  place: placeOf(),
  started: startOf(process.pid) ?? "",
});

/** True only when the process has surely ended: it was of this very place, and its id names nobody or somebody else. */
export const hasEnded = ({ pid, place, started }: Omit<ProcessIdentity, "host">): boolean =>
  place !== "" && started !== "" && place === placeOf() && startOf(pid) !== started;
