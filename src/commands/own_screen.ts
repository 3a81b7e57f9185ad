/** The first screen of a configuration: ready networks, how to create a key, an example call on an indexed address. */
import { ADDRESSES } from "../chains/addresses.ts";
import { withoutSubject } from "../lib/log.ts";
import type { IndexerStatus } from "../lib/status.ts";
import type { RunningService } from "../main.ts";
import { tools } from "../tools/index.ts";
import type { EnabledNetwork } from "../wiring/enabled_network.ts";
import type { FirstScreen } from "./ready.ts";

/** Which networks answer, over which blocks and with how many tools; and why the others do not. */
const readiness = (
  networks: readonly EnabledNetwork[],
  progress: Readonly<Record<string, IndexerStatus>>,
): { readonly ready: readonly string[]; readonly ill: readonly string[] } => {
  const ready: string[] = [];
  const ill: string[] = [];
  for (const { network, index } of networks) {
    const status = progress[network.id];
    const is_on_demand = index === "on_demand";
    const served = tools.filter(
      ({ families, subjects }) => families.includes(network.family) && (!is_on_demand || subjects !== undefined),
    ).length;
    if (status?.indexed === null || status === undefined) {
      const problem = status?.problem ?? null;
      const why = problem === null ? "nothing is indexed yet" : withoutSubject(`${network.id}: `, problem);
      ill.push(`${network.id} is not ready: ${why}; it joins when its node answers`);
      continue;
    }
    if (is_on_demand) {
      const until = `up to block ${status.indexed}`;
      ready.push(
        `${network.id}: on demand, the history of each queried address ${until}, ${served} of ${tools.length} tools`,
      );
      continue;
    }
    const missing = status.remaining_blocks ?? 0;
    const rest = missing > 0 ? `, ${missing} older ones follow` : "";
    ready.push(
      `${network.id}: blocks ${status.from_block} to ${status.indexed}${rest}, ${served} of ${tools.length} tools`,
    );
  }
  return { ready, ill };
};

/** An address active on one of the ready networks that are indexed whole; null before there is one. */
const someWallet = async (
  service: RunningService,
  networks: readonly EnabledNetwork[],
): Promise<{ readonly wallet_address: string; readonly network: string } | null> => {
  const progress = service.progress();
  for (const { network, index } of networks) {
    if (index === "on_demand" || (progress[network.id]?.indexed ?? null) === null) continue;
    const snapshot = await service.facts.facts.snapshot(network.id, null);
    const [newest] = await service.facts.facts.ask(snapshot, "newest_sender", {});
    if (newest !== undefined)
      return { wallet_address: ADDRESSES[network.family].formatAddress(newest.sender), network: network.id };
  }
  return null;
};

const keyLines = (has_key: boolean, config: string | null): string[] => {
  if (has_key) return ["in ASSAY_KEY: one of yours ('./assay key list' names them)"];
  const where = config === null ? "" : ` --config ${config}`;
  return [
    "none yet; these two lines create one:",
    `./assay account create me --plan pro${where}`,
    `export ASSAY_KEY=$(./assay key create --account me --scope api:call --scope mcp:call --secret${where})`,
  ];
};

export const ownScreen = async (
  service: RunningService,
  networks: readonly EnabledNetwork[],
  { config, seconds }: { readonly config: string | null; readonly seconds: number },
): Promise<FirstScreen> => {
  const { ready, ill } = readiness(networks, service.progress());
  const keys = await service.accounts.keys.list();
  return {
    ready: ready.length === 0 ? "no network yet" : `${ready.join("; ")} (in ${seconds.toFixed(1)} s)`,
    ill,
    key: keyLines(
      keys.some(({ revoked_at }) => revoked_at === null),
      config,
    ),
    bearer: "$ASSAY_KEY",
    example: await someWallet(service, networks),
  };
};
