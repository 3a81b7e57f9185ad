/** How long a charge stays behind whose process is gone or asleep. */
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo } from "../../src/accounts/testing/place.ts";
import type { Stage } from "./stage.ts";

const RUNNING_SQL = "select count(*) as count from charges where state = 'running'";
/** While calls of the tool that waits are under way on both services. */
const UNDER_WAY_MS = 120;

/** @param load starts calls that run for a while on both services, and does not wait for them. */
export const orphanTimes = async (
  stage: Stage,
  load: () => void,
): Promise<readonly { readonly what: string; readonly ms: number }[]> => {
  const database = await connectTo(stage.place);
  const [a, b] = stage.slots;
  if (a === undefined || b === undefined) throw new Error("there are two services");
  const running = async () => (await database.get<{ count: number }>(RUNNING_SQL))?.count ?? 0;
  const untilNone = async (from: number): Promise<number> => {
    while ((await running()) > 0) await sleep(20);
    return performance.now() - from;
  };
  const loaded = async () => {
    load();
    while ((await running()) < 10) await sleep(5);
    await sleep(UNDER_WAY_MS);
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
    { what: "nobody can know: its process sleeps", ms: by_lease },
  ];
};
