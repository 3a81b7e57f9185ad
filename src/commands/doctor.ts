import type { Block } from "../chains/chain.ts";
import { openChain } from "../chains/families.ts";
import { FAMILY_TRAITS } from "../chains/family_traits.ts";
import type { EndpointTraits, OpenChain } from "../chains/open_chain.ts";
import { probeUniversal, type UniversalProbe } from "../domain/address/names/probe_universal.ts";
import { decodeBlock } from "../indexer/decode.ts";
import { ADDRESSES } from "../knowledge/names.gen.ts";
import { messageOf } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { venuesOf } from "../protocols/venues.ts";
import { tools } from "../tools/index.ts";
import type { EnabledNetwork } from "../wiring/enabled_network.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, numberFlag, printData, UsageFault } from "./command.ts";
import { estimateIndex, type IndexEstimate } from "./doctor_estimate.ts";
import { examineLists, type ListsFinding, listAdvice, listLines } from "./doctor_lists.ts";
import { measure, type SustainedRate } from "./doctor_measure.ts";
import { nameAdvice, nameLine } from "./doctor_names.ts";
import { type ServedNeeds, type ServedTool, servedTools } from "./doctor_tools.ts";
import { adviceFor, estimateLines, type NodeFinding, nodeLines, toolLines } from "./doctor_words.ts";
import { configuredNetworks } from "./run.ts";

interface DoctorFinding {
  readonly network: string;
  readonly endpoints: readonly NodeFinding[];
  readonly problem: string | null;
  /** The network's Universal Resolver of names; null without one, or when no node answers. */
  readonly names: UniversalProbe | null;
  /** How well the tools of this network will answer. */
  readonly tools: readonly ServedTool[];
  /** On the fastest of its nodes; null where none was measured. */
  readonly estimate: IndexEstimate | null;
}

interface DoctorOptions {
  /** 0: nothing is measured. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

const SECONDS = { usual: 20, most: 600 };
const ZERO = ADDRESSES.zero;

const openWith = (enabled: EnabledNetwork, rpc: EnabledNetwork["rpc"], signal: AbortSignal): Promise<OpenChain> => {
  const { network, verify = "full", votes = "summed" } = enabled;
  return openChain(network, { rpc, verify, votes, log: silentLog }, signal);
};

/** The oldest block whose state the node has, by bisection; null when it has none of the probed blocks. */
const oldestState = async (
  chain: Pick<OpenChain, "account" | "parseAddress">,
  { from, head }: { readonly from: number; readonly head: number },
  signal: AbortSignal,
): Promise<number | null> => {
  const address = chain.parseAddress(`0x${ZERO}`);
  if (address === null) return null;
  const has = async (block: number): Promise<boolean> => {
    try {
      await chain.account(address, signal, block);
      return true;
    } catch {
      signal.throwIfAborted();
      return false; // "does it have that state" is the question, and this is the answer no
    }
  };
  let [low, high] = [from, head];
  if (!(await has(high))) return null;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (await has(middle)) high = middle;
    else low = middle;
  }
  return high;
};

/** One node of a network, by itself. */
const examineNode = async (
  enabled: EnabledNetwork,
  one: EnabledNetwork["rpc"][number],
  { seconds, signal }: DoctorOptions,
): Promise<NodeFinding> => {
  const chain = await openWith(enabled, [one], signal);
  try {
    const [report] = await chain.probe(signal);
    if (report === undefined) throw new Error("the node was not probed");
    const { traits } = report;
    const { family } = enabled.network;
    if (traits === null || seconds === 0) return { ...report, family, sustained: null, oldest_state: null };
    const range = { from: enabled.from_block, to: traits.head };
    const venues = venuesOf(enabled.network.id, enabled.venues);
    const transfersOf = (block: Block): number => decodeBlock(block, enabled.network, venues).transfers.length;
    const sustained = await measure(chain, { ...range, seconds, transfersOf, signal });
    const wants_states = !traits.archive && FAMILY_TRAITS[family].has_old_states;
    const oldest_state = wants_states
      ? await oldestState(chain, { from: enabled.from_block, head: traits.head }, signal)
      : null;
    return { ...report, family, sustained, oldest_state };
  } finally {
    await chain.close();
  }
};

const isUnknown = ({ unknown = [] }: EndpointTraits, trait: string): boolean => unknown.includes(trait);

/** True where one is; null where none is and one may be. */
const anyOf = (found: readonly (boolean | null)[]): boolean | null =>
  found.includes(true) ? true : found.includes(null) ? null : false;

/** Combined methods of a network's nodes. The blocks read show more about traces than the newest block alone. */
const servedBy = (endpoints: readonly NodeFinding[], can: OpenChain["can"]): ServedNeeds | null => {
  const alive = endpoints.flatMap((one) => (one.traits === null ? [] : [{ ...one, traits: one.traits }]));
  if (alive.length === 0) return null;
  const tracesOf = ({ traits, sustained }: (typeof alive)[number]): boolean | null => {
    const { blocks = 0, with_traces = 0 } = sustained?.traced ?? {};
    if (blocks > 0) return with_traces === blocks;
    if (isUnknown(traits, "traces")) return null;
    if (traits.traces === null) return false;
    // It has the method, and no block that was read had anything to trace.
    return sustained === null ? true : null;
  };
  const archiveOf = ({ traits }: (typeof alive)[number]): boolean | null =>
    isUnknown(traits, "archive") ? null : traits.archive;
  return {
    traces: anyOf(alive.map(tracesOf)),
    archive: anyOf(alive.map(archiveOf)),
    simulations: can.overrides || can.simulations,
  };
};

const fastest = (endpoints: readonly NodeFinding[]): SustainedRate | null =>
  endpoints
    .flatMap(({ sustained }) => (sustained === null ? [] : [sustained]))
    .sort((a, b) => b.blocks_per_second - a.blocks_per_second)[0] ?? null;

const examine = async (enabled: EnabledNetwork, how: DoctorOptions): Promise<DoctorFinding> => {
  const { id: network, family } = enabled.network;
  try {
    const chain = await openWith(enabled, enabled.rpc, how.signal);
    try {
      // One after the other: addresses of one provider often share a limit.
      const endpoints: NodeFinding[] = [];
      for (const one of new Set(enabled.rpc)) endpoints.push(await examineNode(enabled, one, how));
      const sustained = fastest(endpoints);
      const head = Math.max(0, ...endpoints.map(({ traits }) => traits?.head ?? 0));
      const range = { from: enabled.from_block, to: head };
      return {
        network,
        endpoints,
        problem: null,
        names: head === 0 ? null : await probeUniversal(chain, how.signal),
        tools: servedTools(tools, family, servedBy(endpoints, chain.can)),
        estimate: sustained === null ? null : estimateIndex(family, range, sustained),
      };
    } finally {
      await chain.close();
    }
  } catch (error) {
    how.signal.throwIfAborted();
    const none = servedTools(tools, family, null);
    return { network, endpoints: [], problem: messageOf(error), names: null, tools: none, estimate: null };
  }
};

/** The last lines: what to do, or that nothing is. */
const adviceOf = (findings: readonly DoctorFinding[], lists: ListsFinding): string[] => {
  if (findings.length === 0) return ["Every configured network is disabled, so no node was checked."];
  const of_nodes = findings.flatMap(({ network, endpoints, problem, names }) => [
    ...(problem === null ? [] : [`${network}: ${problem}`]),
    ...(names === null ? [] : nameAdvice(network, names)),
    ...endpoints.flatMap((found) => adviceFor(network, found)),
  ]);
  const all = [...of_nodes, ...listAdvice(lists)];
  return all.length === 0
    ? ["Nothing to do: every node serves all required methods."]
    : ["To do:", ...all.map((line) => `- ${line}.`)];
};

const counted = (served: readonly ServedTool[]) => {
  const of = (level: ServedTool["level"]): number => served.filter((one) => one.level === level).length;
  return { full: of("full"), partial: of("partial"), off: of("off"), by_name: served };
};

/** A network is ill when no node of it answers, or when one that was measured gave no block. */
const isIll = ({ endpoints, problem }: DoctorFinding): boolean =>
  problem !== null ||
  endpoints.every(({ traits, sustained }) => traits === null || (sustained !== null && sustained.blocks === 0));

const print = (findings: readonly DoctorFinding[], lists: ListsFinding, io: CommandIo): void => {
  for (const { network, endpoints, problem, names, tools: served, estimate } of findings) {
    const lines = [
      network,
      ...endpoints.flatMap(nodeLines),
      ...(problem === null ? [] : [`  ! ${problem}`]),
      ...(names === null ? [] : [nameLine(names)]),
      ...toolLines(served),
      ...(estimate === null ? [] : estimateLines(estimate)),
    ];
    io.out(`${lines.join("\n")}\n`);
  }
  io.out(`${listLines(lists).join("\n")}\n`);
  io.out(`\n${adviceOf(findings, lists).join("\n")}\n`);
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const asked = numberFlag(args, "seconds") ?? SECONDS.usual;
  if (asked < 1 || asked > SECONDS.most) throw new UsageFault(`--seconds takes 1 to ${SECONDS.most}`);
  const how = { seconds: flag(args, "quick") === null ? asked : 0, signal: io.signal };
  const findings: DoctorFinding[] = [];
  // One after the other: what is measured is a node, and this machine when it does nothing else.
  for (const enabled of configuredNetworks(io.settings())) {
    if (!io.json && how.seconds > 0) io.err(`${enabled.network.id}: measuring each node for ${how.seconds} s\n`);
    findings.push(await examine(enabled, how));
  }
  const found = await examineLists(io);
  if (io.json)
    printData(io, { networks: findings.map((one) => ({ ...one, tools: counted(one.tools) })), lists: found.lists });
  else print(findings, found, io);
  return findings.some(isIll) ? EXIT.error : EXIT.ok;
};
