import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../config/settings.ts";
import { type Log, silentLog } from "../lib/log.ts";
import type { ConfiguredNetworks } from "../wiring/network_set.ts";
import { followConfiguration } from "./followed_configuration.ts";
import { selectNetworks } from "./run.ts";

let folder: string;
let stop: AbortController;
let following: Promise<void>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-followed-"));
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await following;
  await rm(folder, { recursive: true, force: true });
});

const node = { rpc: ["http://127.0.0.1:9"] };
const write = async (content: unknown): Promise<void> => {
  const path = join(folder, "assay.config.json");
  await writeFile(`${path}.new`, typeof content === "string" ? content : JSON.stringify(content));
  await rename(`${path}.new`, path);
};

/** Follows a file and collects the applied settings and log lines. */
const follow = async (content: unknown) => {
  await write(content);
  const settings = () => loadSettings({ config: null, cwd: folder, home: folder, env: {} });
  const applied: string[] = [];
  const told: string[] = [];
  const warn: Log["warn"] = (facts, text) => void told.push(`${text} ${JSON.stringify(facts)}`);
  const ids = ({ enabled, disabled }: ConfiguredNetworks) =>
    [...enabled.map(({ network }) => network.id), ...disabled.map((id) => `-${id}`)].join(" ");
  const apply = async (wanted: ConfiguredNetworks) => {
    if (ids(wanted) !== applied.at(-1)) applied.push(ids(wanted));
  };
  const io = { settings, signal: stop.signal };
  following = followConfiguration(
    { apply },
    { loaded: settings(), wantedIn: selectNetworks, log: { ...silentLog, warn }, io },
  );
  return { applied, told };
};

test("networks of the file come, are switched off and go, as it says", async () => {
  const { applied, told } = await follow({ networks: { base: node } });
  await write({ networks: { base: node, ethereum: node } });
  await expect.poll(() => applied.at(-1)).toBe("base ethereum");
  await write({ networks: { base: { ...node, enabled: false }, ethereum: node } });
  await expect.poll(() => applied.at(-1)).toBe("ethereum -base");
  await write({ networks: {} });
  await expect.poll(() => applied.at(-1)).toBe("");
  expect(told).toEqual([]);
});

test("a file that is no configuration changes nothing, and the next one counts again", async () => {
  const { applied, told } = await follow({ networks: { base: node } });
  await write("{ not json");
  await expect.poll(() => told).toEqual([expect.stringContaining("networks stay as they were")]);
  await write({ networks: { base: node, tron: node } });
  await expect.poll(() => applied.at(-1)).toBe("base tron");
});

test("of other settings, and of prices of a network that was added, it says that a restart is needed", async () => {
  const { told } = await follow({ networks: { base: node } });
  const prices = [{ id: "fix", kind: "fixed", network: "ethereum", token: "native", price_usd: 1 }];
  await write({ listen: "127.0.0.1:1", prices, networks: { base: node, ethereum: node } });
  await expect
    .poll(() => told)
    .toEqual([
      expect.stringMatching(/a restart is needed.*\["listen","prices"\]/),
      expect.stringMatching(/count after a restart.*\["ethereum"\]/),
    ]);
});
