import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./packed.ts";

/** Debian's own interpreter, for which its packages (python3-httpx, mypy, python3-build) are built. */
export const PYTHON = "/usr/bin/python3";
export const SOURCES = join(ROOT, "sdk-python/src");

const NEEDED = {
  httpx: "python3-httpx",
  mypy: "mypy",
  build: "python3-build",
  setuptools: "python3-setuptools",
  wheel: "python3-wheel",
  pip: "python3-pip",
};

/** Debian's packages that are missing here, as apt-get names them; null when nothing is. */
export const missingPackages = (): string | null => {
  if (!existsSync(PYTHON)) return "python3";
  const code = `import importlib.util as u; print(" ".join(m for m in "${Object.keys(NEEDED).join(" ")}".split() if not u.find_spec(m)))`;
  const names = execFileSync(PYTHON, ["-c", code], { encoding: "utf8" }).trim();
  if (names === "") return null;
  return names
    .split(" ")
    .map((name) => Reflect.get(NEEDED, name))
    .join(" ");
};

/** sdk-python/checks.py as a process: one line per request, and one per answer. */
export const startChecks = (path: string) => {
  const child: ChildProcessWithoutNullStreams = spawn(PYTHON, [join(ROOT, "sdk-python/checks.py")], {
    env: { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: "1" },
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** One answer per part of the request. */
    ask: async (question: Readonly<Record<string, unknown>>, answers = 1): Promise<unknown[]> => {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const told: unknown[] = [];
      while (told.length < answers) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`checks.py ended: ${said}`);
        told.push(JSON.parse(value));
      }
      return told;
    },
    close: () => child.stdin.end(),
  };
};
