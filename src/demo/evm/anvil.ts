/**
 * A local chain: the anvil binary from npm, on 127.0.0.1 only, that cannot outlive its starter.
 *
 * The binary runs under a small POSIX shell that also holds one end of a pipe. When the pipe closes (because `stop`
 * closed it, or because this process is gone, even by `kill -9`), the shell kills the binary.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HexText, openRpc, quantity, type Rpc } from "./rpc.ts";

export interface AnvilOptions {
  readonly chain_id: number;
  /** Unix seconds of the genesis block. */
  readonly timestamp: number;
  /** Balances at genesis, in wei. All other accounts have none. */
  readonly genesis: Readonly<Record<HexText, bigint>>;
  /** 0 or omitted: the system chooses a free one. */
  readonly port?: number;
  /** Number of the genesis block. */
  readonly first_block?: number;
  /** Accounts of the mnemonic that the node signs for. Their balance is 0 unless `genesis` names them. */
  readonly accounts?: number;
  /** Lowest gas price in the first block, in wei; omitted: one gwei. */
  readonly base_fee?: number;
  /** Accept transactions from any address. */
  readonly impersonate_all?: boolean;
}

export interface Anvil {
  readonly url: string;
  /** Process id of the node itself. */
  readonly pid: number;
  readonly rpc: Rpc;
  /** Settles when the node has ended, for any reason. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;
// $0 and $@ are the binary and its arguments; descriptor 3 is the pipe from the parent.
const GUARDED = `
"$0" "$@" 3<&- </dev/null & node=$!
echo "pid $node"
{ cat >/dev/null; kill -KILL "$node"; } <&3 2>/dev/null >/dev/null & guard=$!
exec 3<&-
wait "$node"; code=$?
kill -KILL "$guard" 2>/dev/null
exit "$code"
`;

const CPU: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Path of the binary that npm installed for this machine.
 * @throws when there is none, with a clear message.
 */
const anvilPath = (): string => {
  const target = `@foundry-rs/anvil-${process.platform}-${CPU[process.arch] ?? process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    // The platform package is a dependency of the wrapper package, so resolution starts there.
    return createRequire(require.resolve("@foundry-rs/anvil/package.json")).resolve(`${target}/bin/anvil`);
  } catch (cause) {
    throw new Error(`There is no anvil for ${process.platform}/${process.arch}: ${target} is not installed.`, {
      cause,
    });
  }
};

/**
 * The contract of EIP-2935, which anvil deploys by default: it stores the hash of each block. The EIP stores nothing
 * where the contract is missing; hashing its storage for the root of every block took a quarter of the node's time.
 */
const BLOCK_HASHES = "0000f90827f1c53a10cb7a02335b175320002935";

const genesisFile = (folder: string, options: AnvilOptions): string => {
  const path = join(folder, "genesis.json");
  const named = Object.entries(options.genesis).map(([address, wei]) => [address.slice(2), { balance: quantity(wei) }]);
  const alloc = { ...Object.fromEntries(named), [BLOCK_HASHES]: { balance: "0x0", code: "0x" } };
  const zeros = `0x${"0".repeat(64)}`;
  writeFileSync(
    path,
    JSON.stringify({
      config: { chainId: options.chain_id },
      nonce: "0x0",
      timestamp: quantity(options.timestamp),
      extraData: "0x",
      gasLimit: quantity(GAS_LIMIT),
      difficulty: "0x0",
      mixHash: zeros,
      coinbase: zeros.slice(0, 42),
      alloc,
    }),
  );
  return path;
};

const GAS_LIMIT = 30_000_000;
/** Number of blocks whose state stays available. */
const STATES_MAX = 10_000;

const argumentsFor = (options: AnvilOptions, genesis: string): string[] => [
  ...["--host", "127.0.0.1", "--port", String(options.port ?? 0), "--chain-id", String(options.chain_id)],
  ...["--timestamp", String(options.timestamp), "--number", String(options.first_block ?? 0), "--init", genesis],
  ...["--accounts", String(options.accounts ?? 1), "--balance", "0", "--gas-limit", String(GAS_LIMIT)],
  // All states stay in memory: by default a long chain writes 40 MB to the home directory, and a killed node leaves
  // them.
  ...["--prune-history", String(STATES_MAX)],
  // Pinned, so that the same scenario gives the same hashes even if a newer binary changes its default.
  ...["--hardfork", "prague", "--order", "fifo", "--disable-default-create2-deployer", "--threads", "1"],
  ...(options.base_fee === undefined ? [] : ["--block-base-fee-per-gas", String(options.base_fee)]),
  ...(options.impersonate_all === true ? ["--auto-impersonate"] : []),
];

interface StartedAnvil {
  readonly pid: number;
  readonly url: string;
}

/** Reads the node's greeting: its process id and its address. */
const greeting = (child: ChildProcess): Promise<StartedAnvil> =>
  new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => fail(`sent no greeting for ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    const fail = (what: string): void => {
      clearTimeout(timer);
      reject(new Error(`anvil did not start: ${what}. ${said.slice(-500)}`));
    };
    const listen = (chunk: Buffer): void => {
      said += chunk.toString("utf8");
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      const pid = /^pid (\d+)$/m.exec(said)?.[1];
      if (port === undefined || pid === undefined) return;
      clearTimeout(timer);
      child.stdout?.off("data", listen).resume();
      child.stderr?.off("data", listen).resume();
      resolve({ pid: Number(pid), url: `http://127.0.0.1:${port}` });
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(`ended with code ${code}`));
  });

/**
 * Starts a node and waits until it answers.
 * @throws when it cannot start (port taken, no binary for this machine).
 */
export const startAnvil = async (options: AnvilOptions): Promise<Anvil> => {
  const path = anvilPath();
  const folder = mkdtempSync(join(tmpdir(), "assay-anvil-"));
  // Detached: Ctrl-C in a terminal reaches the whole group, and the node must not end before its owner stops it.
  const child = spawn("/bin/sh", ["-c", GUARDED, path, ...argumentsFor(options, genesisFile(folder, options))], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: true,
    cwd: folder,
  });
  const pipe = child.stdio[3];
  const gone = new Promise<void>((resolve) => {
    // Not "close": that waits for the pipe, whose other end stays open until it is closed here.
    child.once("exit", () => {
      pipe?.destroy();
      resolve();
    });
    child.once("error", () => resolve());
  });
  try {
    const { pid, url } = await greeting(child);
    const rpc = openRpc(url);
    const stop = async (): Promise<void> => {
      await rpc.close();
      pipe?.destroy();
      await gone;
    };
    return { url, pid, rpc, gone, stop };
  } catch (error) {
    pipe?.destroy();
    throw error;
  } finally {
    // The node has read it by the time it listens; without this the folder would outlive a killed parent.
    rmSync(folder, { recursive: true, force: true });
  }
};
