import { openChain } from "../chains/families.ts";
import type { EndpointReport } from "../chains/open_chain.ts";
import { messageOf } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { tools } from "../tools/index.ts";
import type { EnabledNetwork } from "../wiring/enabled_network.ts";
import { type CommandArgs, type CommandIo, EXIT, onlyFlags, printData } from "./command.ts";
import { configuredNetworks } from "./run.ts";

interface Finding {
  readonly network: string;
  readonly endpoints: readonly EndpointReport[];
  readonly problem: string | null;
  /** How well the tools of this network will answer. */
  readonly tools: { readonly full: number; readonly partial: number; readonly off: number };
}

/** Tools miss inner transfers without traces and history without an archive; without an endpoint they are off. */
const toolsOn = (enabled: EnabledNetwork, endpoints: readonly EndpointReport[]): Finding["tools"] => {
  const served = tools.filter(({ families }) => families.includes(enabled.network.family)).length;
  const alive = endpoints.flatMap(({ traits }) => (traits === null ? [] : [traits]));
  if (alive.length === 0) return { full: 0, partial: 0, off: served };
  const complete = alive.some(({ traces }) => traces !== null) && alive.some(({ archive }) => archive);
  return complete ? { full: served, partial: 0, off: 0 } : { full: 0, partial: served, off: 0 };
};

const examine = async (enabled: EnabledNetwork, signal: AbortSignal): Promise<Finding> => {
  const network = enabled.network.id;
  try {
    const chain = await openChain(enabled.network, { rpc: enabled.rpc, log: silentLog }, signal);
    const endpoints = await chain.probe(signal);
    await chain.close();
    return { network, endpoints, problem: null, tools: toolsOn(enabled, endpoints) };
  } catch (error) {
    return { network, endpoints: [], problem: messageOf(error), tools: toolsOn(enabled, []) };
  }
};

const yes = (fact: boolean): string => (fact ? "yes" : "no");

const endpointLines = ({ endpoint, problem, traits }: EndpointReport): string[] => {
  if (traits === null) return [`  ${endpoint}`, `    ! ${problem ?? "no answer"}`];
  return [
    `  ${endpoint}  ${traits.client ?? "unknown client"}`,
    `    chain id ${traits.chain_id}, head ${traits.head}, final ${traits.finalized ?? "by depth"}, ${traits.ms_per_call.toFixed(1)} ms per call, batches of ${traits.batch}`,
    `    receipts by ${traits.receipts}, traces ${traits.traces ?? "none: inner transfers stay unknown"}, archive ${yes(traits.archive)}`,
    ...(traits.verifies === undefined || traits.verifies === null
      ? []
      : [`    the newest block, recomputed from its hash: ${traits.verifies}`]),
    ...(problem === null ? [] : [`    ! ${problem}`]),
  ];
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json"]);
  const findings = await Promise.all(configuredNetworks(io.settings()).map((enabled) => examine(enabled, io.signal)));
  if (io.json) printData(io, { networks: findings });
  else {
    for (const { network, endpoints, problem, tools: on } of findings) {
      io.out(`${network}\n${endpoints.flatMap(endpointLines).join("\n")}\n`);
      if (problem !== null) io.out(`  ! ${problem}\n`);
      io.out(`  tools: ${on.full} full, ${on.partial} partial, ${on.off} off\n`);
    }
  }
  const ill = findings.some(
    ({ endpoints, problem }) => problem !== null || endpoints.every(({ traits }) => traits === null),
  );
  return ill ? EXIT.error : EXIT.ok;
};
