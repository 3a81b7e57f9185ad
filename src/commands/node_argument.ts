/** Nodes as the command line names them, and the first question to one. */
import { chmodSync } from "node:fs";
import { POOL_DEFAULTS } from "../chains/node/endpoints.ts";
import { JsonRpcEndpoint } from "../chains/node/json_rpc.ts";
import { problemOf } from "../chains/node/problem.ts";
import { addressProblem, endpointOf, maskedAddress, type RpcAddress } from "../chains/node/rpc_address.ts";
import { AssayError } from "../lib/errors.ts";
import { type CommandArgs, UsageFault } from "./command.ts";

/** Milliseconds until a node that says nothing counts as away. */
const ASK_MS_MAX = 10_000;

const headersIn = (args: CommandArgs): Record<string, string> | null => {
  const given = args.flags.header;
  if (given === undefined) return null;
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([A-Za-z0-9-]+):\s*(\S.*)$/.exec(text) ?? [];
      // The text is not repeated: it may hold a key.
      if (name === undefined || value === undefined) throw new UsageFault('--header takes "name: value"');
      return [name, value.trim()];
    }),
  );
};

/** The nodes of `--rpc`, each with the headers of `--header`. @throws UsageFault */
export const nodesIn = (args: CommandArgs): readonly RpcAddress[] => {
  const urls = args.flags.rpc ?? [];
  if (urls.length === 0) throw new UsageFault("give the node's address with --rpc URL");
  const problem = urls.map((url) => addressProblem(url)).find((one) => one !== null);
  if (problem !== undefined) throw new UsageFault(problem ?? "");
  const headers = headersIn(args);
  return headers === null ? urls : urls.map((url) => ({ url, headers }));
};

/** An address with a password, or headers: what only the owner of the configuration file may read. */
export const hasSecrets = (nodes: readonly RpcAddress[]): boolean =>
  nodes.map(endpointOf).some(({ url, headers }) => headers !== undefined || new URL(url).password !== "");

/** Only its owner reads the file from now on. */
export const makePrivate = (file: string): void => chmodSync(file, 0o600);

/** Chain id that an EVM node serves (EIP-695). @throws AssayError CONFIG */
export const fetchChainId = async (node: RpcAddress, signal: AbortSignal): Promise<number> => {
  const endpoint = new JsonRpcEndpoint(node, { ...POOL_DEFAULTS, timeout_ms: ASK_MS_MAX });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(2 * ASK_MS_MAX)]);
  try {
    const { answers } = await endpoint.ask([{ method: "eth_chainId", params: [] }], limit);
    const [answer] = answers;
    const result = answer?.ok === true ? answer.result : null;
    const chain_id = typeof result === "string" && /^0x[0-9a-f]{1,13}$/i.test(result) ? Number(result) : 0;
    if (chain_id < 1) throw new Error("it does not tell its chain id, as an EVM node does");
    return chain_id;
  } catch (error) {
    signal.throwIfAborted();
    const message = `${maskedAddress(node)}: ${problemOf(error)}. Nothing was written; --unasked writes the entry all the same`;
    throw new AssayError({ code: "CONFIG", message, public: message });
  } finally {
    await endpoint.close();
  }
};
