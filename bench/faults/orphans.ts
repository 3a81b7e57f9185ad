/** How long a charge survives whose process is gone or asleep. */
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo } from "../../src/accounts/testing/temporary_accounts.ts";
import type { FaultSetup } from "./setup.ts";

const RUNNING_SQL = "select count(*) as count from charges where state = 'running'";
const OWNERS_SQL = "select count(distinct owner) as count from charges where state = 'running'";

/** @param load starts calls that run for a while on both services, and does not wait for them */
export const orphanTimes = async (
  stage: FaultSetup,
  load: () => void,
): Promise<readonly { readonly what: string; readonly ms: number }[]> => {
  const database = await connectTo(stage.place);
  const [a, b] = stage.slots;
  if (a === undefined || b === undefined) throw new Error("there are two services");
  const count = async (sql: string) => (await database.get<{ count: number }>(sql))?.count ?? 0;
  const running = () => count(RUNNING_SQL);
  const untilNone = async (from: number): Promise<number> => {
    while ((await running()) > 0) await sleep(20);
    return performance.now() - from;
  };
  const loaded = async () => {
    load();
    // Calls in progress on both services.
    while ((await count(OWNERS_SQL)) < 2) await sleep(2);
  };

  await loaded();
  let from = performance.now();
  await a.kill();
  const by_other = await untilNone(from);
  await a.start();

  await loaded();
  await Promise.all([a.kill(), b.kill()]);
  if ((await running()) === 0) throw new Error("nothing was left behind");
  from = performance.now();
  await a.start();
  const by_restart = await untilNone(from);
  await b.start();

  await loaded();
  from = performance.now();
  a.service().signal("SIGSTOP");
  const by_lease = await untilNone(from);
  a.service().signal("SIGCONT");
  await database.close();
  return [
    { what: "the other service lives", ms: by_other },
    { what: "one of two killed services restarts, its start included", ms: by_restart },
    { what: "unknown: its process sleeps", ms: by_lease },
  ];
};
