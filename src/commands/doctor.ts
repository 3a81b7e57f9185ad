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

/** What to do about one endpoint; nothing where it can do all that is asked of a node. */
const adviceFor = (network: string, { endpoint, problem, traits }: EndpointReport): string[] => {
  if (traits === null)
    return [
      `${network}: ${endpoint}: ${problem ?? "no answer"}. Start the node, or correct networks.${network}.rpc in the configuration`,
    ];
  const lacks = [
    traits.traces === null ? ["traces (coins that contracts send each other stay unknown)"] : [],
    traits.archive ? [] : ["old states (balances of before from_block and answers at old blocks stay unknown)"],
  ].flat();
  const wrong = problem === null ? [] : [`${network}: ${endpoint}: ${problem}`];
  if (lacks.length === 0) return wrong;
  return [
    ...wrong,
    `${network}: ${endpoint} does not have ${lacks.join(" and ")}. A node that has them can stand beside it in rpc`,
  ];
};

/** The last lines: what to do, or that nothing is. */
const adviceOf = (findings: readonly Finding[]): string[] => {
  const all = findings.flatMap(({ network, endpoints, problem }) => [
    ...(problem === null ? [] : [`${network}: ${problem}`]),
    ...endpoints.flatMap((report) => adviceFor(network, report)),
  ]);
  return all.length === 0
    ? ["Nothing to do: every node can do all that is asked of it."]
    : ["To do:", ...all.map((line) => `- ${line}.`)];
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
    io.out(`\n${adviceOf(findings).join("\n")}\n`);
  }
  const ill = findings.some(
    ({ endpoints, problem }) => problem !== null || endpoints.every(({ traits }) => traits === null),
  );
  return ill ? EXIT.error : EXIT.ok;
};
