import { describe, expect, test } from "vitest";
import { COMMON_FLAGS, parseArgs, UsageFault } from "./command.ts";
import { helpOf } from "./help.ts";
import { commandNamed, commands } from "./index.ts";
import { toolHelp } from "./tool_help.ts";

const parsed = (name: string, line: string) => parseArgs(commandNamed(name), line.split(" "));

const faultOf = (name: string, line: string): string => {
  try {
    parsed(name, line);
  } catch (error) {
    if (error instanceof UsageFault) return error.message;
    throw error;
  }
  return "";
};

describe("arguments", () => {
  test("words, values with and without =, repeated flags and switches", () => {
    expect(parsed("network", "add base --rpc http://a --rpc=http://b?x=1 --unasked")).toEqual({
      words: ["add", "base"],
      flags: { rpc: ["http://a", "http://b?x=1"], unasked: ["true"] },
    });
    expect(parsed("call", "get_wallet_pnl limit=5 -- --x")).toEqual({
      words: ["get_wallet_pnl", "limit=5", "--x"],
      flags: {},
    });
  });

  test.each([
    ["call", "get_wallet_pnl --colums a", "there is no option --colums; did you mean --columns?"],
    ["status", "--jsn", "there is no option --jsn; did you mean --json?"],
    ["status", "--colour red", "there is no option --colour: 'assay status --help' lists them"],
    ["labels", "lists --format x", "'labels lists' takes no --format"],
    ["facts", "gaps --repair", "'facts gaps' takes no --repair"],
    ["call", "get_wallet_pnl --csv=yes", "--csv takes no value"],
    ["call", "get_wallet_pnl --columns", "--columns needs a value: --columns A,B"],
    ["network", "add base --rpc --new", "--rpc needs a value: --rpc URL"],
    ["call", "-x", "there is no option -x: options begin with --"],
    ["call", "--__proto__ 1", "there is no option --__proto__: 'assay call --help' lists them"],
  ])("%s %s is refused in one sentence", (name, line, sentence) => {
    expect(faultOf(name, line)).toBe(sentence);
  });
});

describe("help", () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    "%s explains every flag that its usage names, and its example is a line that it takes",
    (name, command) => {
      const help = helpOf(command);
      for (const { name: flag, summary } of [...command.flags, ...COMMON_FLAGS]) {
        expect(help).toContain(`--${flag}`);
        expect(summary).toMatch(/^[A-Z].*\.$/);
      }
      const declared = command.flags.map((flag) => flag.name);
      const used = [...command.usage.matchAll(/--([a-z-]+)/g)].map(([, flag = ""]) => flag);
      expect(used.filter((flag) => !declared.includes(flag))).toEqual([]);
      for (const { actions = [] } of command.flags)
        expect(actions.filter((action) => command.actions?.includes(action) !== true)).toEqual([]);
      expect(help).toContain(`\nexample: ${command.example}\n`);
      const [, words = ""] = /assay (.*?)"?\)?"?$/.exec(command.example) ?? [];
      expect(words.split(" ")[0]).toBe(name);
      expect(() => parseArgs(command, words.split(" ").slice(1))).not.toThrow();
    },
  );

  test("a tool's help has its parameters, what they are, whether they are needed, and the price", () => {
    const help = toolHelp(["get_wallet_transactions"]) ?? "";
    expect(help).toMatch(/^usage: assay call get_wallet_transactions .*address=….*\[records_per_page=…\]/);
    expect(help).toMatch(/^ {2}address +string, required\. \w/m);
    expect(help).toMatch(/^ {2}records_per_page +integer, default \d+\. \w/m);
    expect(help).toMatch(/: \d+ credits? a call/);
    expect(help).toMatch(/^example: assay call get_wallet_transactions .*address=0x/m);
  });

  test("an unknown tool is named with the nearest one; without a tool there is only the command's help", () => {
    expect(() => toolHelp(["get_wallet_pnll"])).toThrow(
      "there is no tool 'get_wallet_pnll'; did you mean 'get_wallet_pnl'?",
    );
    expect(toolHelp([])).toBeNull();
  });
});
