import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { startAnvil } from "./anvil.ts";

const OPTIONS = { chain_id: 31_337, timestamp: 1_700_006_400, genesis: {} } as const;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // ESRCH: the process does not exist.
  }
  // A zombie is dead and only waits to be collected.
  return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
};

const until = async (isTrue: () => boolean): Promise<boolean> => {
  for (let waited_ms = 0; waited_ms < 5_000; waited_ms += 20) {
    if (isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return isTrue();
};

test("a started node answers with its chain id, and is gone after stop", async () => {
  const anvil = await startAnvil(OPTIONS);
  expect(await anvil.rpc.call("eth_chainId")).toBe("0x7a69");
  expect(isAlive(anvil.pid)).toBe(true);
  await anvil.stop();
  expect(await until(() => !isAlive(anvil.pid))).toBe(true);
});

test("only the named accounts have coins at genesis, and no contract exists", async () => {
  const bank = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  const anvil = await startAnvil({ ...OPTIONS, accounts: 3, genesis: { [bank]: 5n } });
  // anvil_dumpState is gzip over JSON; queries are simpler: its own accounts, and the contracts that it may add.
  const accounts = (await anvil.rpc.call("eth_accounts")) as readonly string[];
  const balances = await anvil.rpc.batch(
    accounts.map((account) => ({ method: "eth_getBalance", params: [account, "0x0"] })),
  );
  expect(balances).toEqual(["0x5", "0x0", "0x0"]);
  const deployer = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
  const block_hashes = "0x0000F90827F1C53a10cb7A02335B175320002935";
  await anvil.rpc.call("anvil_mine", "0x2");
  for (const address of [deployer, block_hashes]) {
    expect(await anvil.rpc.call("eth_getCode", address, "0x0")).toBe("0x");
    expect(await anvil.rpc.call("eth_getCode", address, "latest")).toBe("0x");
  }
  // EIP-2935 stores the hash of block 1 in slot 1.
  expect(await anvil.rpc.call("eth_getStorageAt", block_hashes, "0x1", "latest")).toBe(`0x${"0".repeat(64)}`);
  await anvil.stop();
});

test("a node listens on 127.0.0.1 and nowhere else", async () => {
  const anvil = await startAnvil(OPTIONS);
  const port = Number(new URL(anvil.url).port);
  const socket = connect({ host: "127.0.0.2", port });
  const [error] = await once(socket, "error");
  expect(String(error)).toContain("ECONNREFUSED");
  await anvil.stop();
});

test("a long chain keeps every state and writes nothing to the home directory", async () => {
  const home = mkdtempSync(join(tmpdir(), "assay-home-"));
  vi.stubEnv("HOME", home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  const bank = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  const anvil = await startAnvil({ ...OPTIONS, genesis: { [bank]: 10n ** 18n } });
  await anvil.rpc.call("eth_sendTransactionSync", { from: bank, to: bank, gas: "0x5208" });
  await anvil.rpc.call("anvil_mine", "0x400");
  expect(await anvil.rpc.call("eth_getBalance", bank, "0x0")).toBe("0xde0b6b3a7640000");
  await anvil.stop();
  expect(readdirSync(home)).toEqual([]);
});

test("a port that is taken is an error with a clear message", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const taken = server.address();
  if (taken === null || typeof taken === "string") throw new Error("no port");
  await expect(startAnvil({ ...OPTIONS, port: taken.port })).rejects.toThrow(/anvil did not start/);
  server.close();
});

test("an error of the node carries its method and message", async () => {
  const anvil = await startAnvil(OPTIONS);
  await expect(anvil.rpc.call("eth_nonsense")).rejects.toThrow(/eth_nonsense: Method not found/);
  await anvil.stop();
});

/** Starts a process that starts a node, prints its process id, and waits. Vite compiles as it does for these tests. */
const startOwner = async (): Promise<{ kill: () => void; node: number }> => {
  const module = fileURLToPath(new URL("./anvil.ts", import.meta.url));
  const program = `
    const { createServer } = await import(${JSON.stringify(import.meta.resolve("vite"))});
    const server = await createServer({ server: { middlewareMode: true, ws: false, watch: null }, configFile: false, appType: "custom", logLevel: "silent" });
    const { startAnvil } = await server.ssrLoadModule(${JSON.stringify(module)});
    const anvil = await startAnvil(${JSON.stringify(OPTIONS)});
    console.log("node " + anvil.pid);
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of owner.stdout) {
    said += String(chunk);
    const node = /node (\d+)/.exec(said)?.[1];
    if (node !== undefined) return { kill: () => owner.kill("SIGKILL"), node: Number(node) };
  }
  throw new Error(`the owner ended: ${said}`);
};

test("a node dies with an owner that is killed without warning", async () => {
  const { kill, node } = await startOwner();
  expect(isAlive(node)).toBe(true);
  kill();
  expect(await until(() => !isAlive(node))).toBe(true);
});

test("a node dies with the shell that guards it", async () => {
  const anvil = await startAnvil(OPTIONS);
  const shell = Number(execFileSync("ps", ["-o", "ppid=", "-p", String(anvil.pid)], { encoding: "utf8" }));
  process.kill(shell, "SIGKILL");
  await anvil.gone;
  expect(await until(() => !isAlive(anvil.pid))).toBe(true);
  await anvil.stop();
});

test("a node that is killed from outside is noticed", async () => {
  const anvil = await startAnvil(OPTIONS);
  process.kill(anvil.pid, "SIGKILL");
  await anvil.gone;
  await anvil.stop();
  expect(isAlive(anvil.pid)).toBe(false);
});
