import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach } from "vitest";
import { type Assay, makeStore, type StaticChain, type WriterStore } from "../../bench/writers/setup.ts";

const stores: WriterStore[] = [];
const running: Assay[] = [];

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});
afterAll(async () => {
  for (const store of stores.splice(0)) await store.remove();
});

/** A data directory of this test file, configured beyond `makeStore` by `more`. Removed after the file's tests. */
export const openStore = async (
  chain: Pick<StaticChain, "url" | "first">,
  more: Readonly<Record<string, unknown>>,
): Promise<WriterStore> => {
  const store = await makeStore(chain, more);
  stores.push(store);
  return store;
};

/** A command as a process of its own, killed after the test if it still runs. */
export const run = (store: WriterStore, command: string, ...flags: string[]): Assay => {
  const started = store.run(command, flags);
  running.push(started);
  return started;
};

const WAIT_MS = 120_000;
/** Some looks are questions to the store. */
const LOOK_MS = 50;

/** Waits for something that processes do. Where it never comes the error says what each of them said. */
export const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  const began_ms = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - began_ms > WAIT_MS) {
      const said = running.map(({ child, said }) => `pid ${child.pid}, exit code ${child.exitCode}:\n${said()}`);
      throw new Error(`did not come within ${WAIT_MS / 1000} s: ${isTrue}\n${said.join("\n")}`);
    }
    await sleep(LOOK_MS);
  }
};
