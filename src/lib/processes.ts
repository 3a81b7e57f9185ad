import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identifies a process so that another process can recognise it later. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Kernel boot id and process-id namespace: ids are comparable when these are equal. Empty without /proc. */
  readonly place: string;
  /** Start of the process in kernel ticks, which distinguishes it from a later process with the same id. Empty without /proc. */
  readonly started: string;
}

/** Field 22 of proc(5) stat. Null when the process does not exist, is a zombie, or the system has no /proc. */
export const startOf = (pid: number): string | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null; // the process has ended
  }
};

const hostIdentity = (): string => {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return ""; // not Linux: the end of another process cannot be observed
  }
};

export const thisProcess = (): ProcessIdentity => ({
  host: hostname(),
  pid: process.pid,
  place: hostIdentity(),
  started: startOf(process.pid) ?? "",
});

/** True only when the process has certainly ended: it ran under this boot and namespace, and its id is free or belongs to another process. */
export const hasEnded = ({ pid, place, started }: Omit<ProcessIdentity, "host">): boolean =>
  place !== "" && started !== "" && place === hostIdentity() && startOf(pid) !== started;
