import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tools } from "../tools/index.ts";
import { type CommandIo, UsageFault } from "./command.ts";
import { commandNamed, commands } from "./index.ts";

const run = promisify(execFile);

const scriptOf = async (...words: readonly string[]): Promise<string> => {
  const text: string[] = [];
  // Completion touches nothing else of the outside.
  const io = { out: (part: string) => void text.push(part) } as CommandIo;
  await commandNamed("completion").run({ words, flags: {} }, io);
  return text.join("");
};

/** Completions that bash offers at the end of a line. */
const offered = async (shell: readonly string[], ...line: readonly string[]): Promise<readonly string[]> => {
  const words = ["assay", ...line].map((word) => `'${word}'`).join(" ");
  const asked = `COMP_WORDS=(${words}); COMP_CWORD=${line.length}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-c", `${await scriptOf(...shell)}\n${asked}`]);
  return stdout.split("\n").filter((word) => word !== "");
};

test.each([[[]], [["bash"]]])("bash offers commands, actions, tools, flags and parameters (%s)", async (shell) => {
  expect(await offered(shell, "lab")).toEqual(["labels"]);
  expect(await offered(shell, "key", "re")).toEqual(["revoke"]);
  expect(await offered(shell, "call", "get_wallet_pn")).toEqual(["get_wallet_pnl"]);
  expect(await offered(shell, "call", "get_wallet_pnl", "addr")).toEqual(["address="]);
  expect(await offered(shell, "call", "get_wallet_pnl", "--col")).toEqual(["--columns"]);
  expect(await offered(shell, "up", "--c")).toEqual(["--config"]);
});

test("each shell's script names every command, every flag, every tool and its parameters", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const script = await scriptOf(shell);
    const flagOf = (name: string): string => (shell === "fish" ? `-l ${name} ` : `--${name}`);
    for (const { name, flags } of commands) {
      expect(script).toContain(name);
      for (const flag of flags) expect([shell, name, script.includes(flagOf(flag.name))]).toEqual([shell, name, true]);
    }
    for (const { name, input } of tools) {
      expect(script).toContain(name);
      for (const field of Object.keys(input.shape)) expect(script).toContain(`${field}=`);
    }
  }
});

test.skipIf(!existsSync("/usr/bin/zsh"))("zsh adds commands, actions, tools and parameters", async () => {
  // Outside of its line editor zsh has neither of these two; here `compadd` prints what it is given.
  const stubs = "compdef() { }; compadd() { print -l -- $@; }";
  const asked = async (...line: readonly string[]): Promise<readonly string[]> => {
    const at = `words=(assay ${line.map((word) => `'${word}'`).join(" ")}); CURRENT=${line.length + 1}; _assay`;
    const { stdout } = await run("zsh", ["-f", "-c", `${stubs}\n${await scriptOf("zsh")}\n${at}`]);
    return stdout.split("\n");
  };
  expect(await asked("lab")).toContain("labels");
  expect(await asked("key", "")).toEqual(expect.arrayContaining(["revoke", "--grace"]));
  expect(await asked("call", "")).toContain("get_wallet_pnl");
  expect(await asked("call", "get_wallet_pnl", "")).toEqual(expect.arrayContaining(["address=", "--columns"]));
});

test.skipIf(!existsSync("/usr/bin/fish"))("fish offers actions, tools and parameters", async () => {
  const asked = async (line: string): Promise<readonly string[]> => {
    const { stdout } = await run("fish", ["--no-config", "-c", `${await scriptOf("fish")}\ncomplete -C '${line}'`]);
    return stdout.split("\n").map((offer) => offer.split("\t")[0] ?? "");
  };
  expect(await asked("assay lab")).toContain("labels");
  expect(await asked("assay key re")).toContain("revoke");
  expect(await asked("assay call get_wallet_pn")).toContain("get_wallet_pnl");
  expect(await asked("assay call get_wallet_pnl addr")).toContain("address=");
  expect(await asked("assay call --col")).toContain("--columns");
});

test("another shell is refused with the names of those there are", async () => {
  await expect(scriptOf("csh")).rejects.toThrow(UsageFault);
  await expect(scriptOf("csh")).rejects.toThrow("there is no shell 'csh'");
});
