/** A store, two services on it, and everything between them that can be made to fail. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountsLocation } from "../../src/accounts/engine.ts";
import { type FaultyProxy, openFaultyProxy } from "../../src/accounts/testing/faulty_proxy.ts";
import {
  findPostgres,
  type PostgresServer,
  socketOf,
  startPostgresServer,
} from "../../src/accounts/testing/postgres_server.ts";
import type { Child } from "../../src/accounts/testing/process.ts";
import { writeLocation } from "../../src/accounts/testing/temporary_accounts.ts";
import { Secret } from "../../src/lib/log.ts";
import type { ServiceSettings } from "./instance_settings.ts";

export type EngineName = "sqlite" | "postgres";
export type StartService = (settings: string) => Promise<Child>;

/** Room for a long run; memory is used only as data is written. */
const DISK_MB = 6_000;
const STARTS_MAX = 3;
/** Attempts at shrinking the disk to its content while that grows. */
const FILLS_MAX = 100;
/** Attempts at a start: the memory of a crashed server is not free at once. */
const RESTARTS_MAX = 100;

/** A disk of its own that can be full. */
interface Disk {
  readonly folder: string;
  /** Takes all free space. */
  fill(): void;
  clear(): void;
}

/** One service process at a time, the callers' connection to it, and its connection to the database. */
export interface Slot {
  readonly front: FaultyProxy;
  /** Null on SQLite. */
  readonly back: FaultyProxy | null;
  service(): Child;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface FaultSetup {
  readonly engine: EngineName;
  /** The direct connection to the store. */
  readonly place: AccountsLocation;
  readonly slots: readonly Slot[];
  /** Null on SQLite. */
  readonly server: PostgresServer | null;
  /** Null if this process may not mount one. */
  readonly disk: Disk | null;
  /** After a crash: until PostgreSQL accepts connections again. */
  startServer(): Promise<void>;
  close(): Promise<void>;
}

export interface FaultSetupSettings {
  readonly engine: EngineName;
  readonly start: StartService;
  readonly service: Omit<ServiceSettings, "place">;
}

/** @throws Error if the engine is not installed */
export const openFaultSetup = async (settings: FaultSetupSettings): Promise<FaultSetup> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-faults-"));
  chmodSync(folder, 0o711); // the server runs as another user
  const disk = mountDisk(join(folder, "disk"));
  const removeAll = () => {
    if (disk !== null) execFileSync("umount", ["-l", disk.folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await openOn(settings, { folder: disk?.folder ?? folder, disk, removeAll });
  } catch (error) {
    removeAll();
    throw error;
  }
};

interface FaultFolder {
  readonly folder: string;
  readonly disk: Disk | null;
  readonly removeAll: () => void;
}

const openOn = async (settings: FaultSetupSettings, { folder, disk, removeAll }: FaultFolder): Promise<FaultSetup> => {
  const server = settings.engine === "postgres" ? startServer(folder) : null;
  const place: AccountsLocation =
    server === null
      ? { engine: "sqlite", path: join(folder, "accounts.db") }
      : { engine: "postgres", url: new Secret(server.url()), connections: 2 };
  const slots: Slot[] = [];
  const stage: FaultSetup = {
    engine: settings.engine,
    place,
    slots,
    server,
    disk,
    startServer: async () => startAgain(server),
    async close() {
      for (const { service, kill, front, back } of slots) {
        service().signal("SIGCONT");
        await kill();
        await front.close();
        await back?.close();
      }
      server?.remove();
      removeAll();
    },
  };
  try {
    for (let number = 0; number < 2; number += 1) slots.push(await openSlot(settings, { place, server }));
    return stage;
  } catch (error) {
    server?.remove();
    throw error;
  }
};

const startServer = (folder: string): PostgresServer => {
  const bin = findPostgres();
  if (bin === null) throw new Error("PostgreSQL is not installed (apt-get install postgresql).");
  return startPostgresServer(bin, { max_connections: "60", log_min_messages: "panic" }, folder);
};

/** Restarts like a process manager: a service that finds its store locked for too long ends and is started again. */
const persistently = async <T>(start: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === STARTS_MAX) throw error;
    }
  }
};

const startAgain = async (server: PostgresServer | null): Promise<void> => {
  for (let attempt = 1; server !== null; attempt += 1) {
    try {
      return server.start();
    } catch (error) {
      if (attempt === RESTARTS_MAX) throw error;
      await sleep(100);
    }
  }
};

interface FaultAccounts {
  readonly place: AccountsLocation;
  readonly server: PostgresServer | null;
}

const openSlot = async (settings: FaultSetupSettings, { place, server }: FaultAccounts): Promise<Slot> => {
  const back = server === null ? null : await openFaultyProxy(socketOf(server));
  const behind: AccountsLocation =
    back === null
      ? place
      : { engine: "postgres", url: new Secret(`postgres://assay@127.0.0.1:${back.port}/postgres`), connections: 8 };
  const text = JSON.stringify({ ...settings.service, place: writeLocation(behind) } satisfies ServiceSettings);
  const begin = async () => {
    const started = await persistently(() => settings.start(text));
    const url = new URL(String(started.seen.find(({ event }) => event === "ready")?.url));
    return { started, target: { host: url.hostname, port: Number(url.port) } };
  };
  let { started, target } = await begin();
  const front = await openFaultyProxy(target);
  return {
    front,
    back,
    service: () => started,
    kill: () => started.kill(),
    async start() {
      ({ started, target } = await begin());
      front.aim(target);
    },
  };
};

/** A file system in memory; null if this process may not mount one. */
const mountDisk = (folder: string): Disk | null => {
  mkdirSync(folder);
  const mount = (options: string) =>
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  const roomy = `size=${DISK_MB}m,mode=755`;
  try {
    mount(roomy);
  } catch {
    return null; // Not root, or in a container without the right.
  }
  return {
    folder,
    fill() {
      for (let attempt = 1; ; attempt += 1) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        try {
          return void mount(`remount,size=${(blocks - bfree) * bsize}`);
        } catch (error) {
          // More was written since the size was read.
          if (attempt === FILLS_MAX) throw error;
        }
      }
    },
    clear: () => void mount(`remount,${roomy}`),
  };
};
