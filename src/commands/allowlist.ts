import { operations } from "../surfaces/operator/operations.ts";
import { withOperator } from "./accounts_store.ts";
import { type CommandArgs, type CommandIo, EXIT, printData, UsageFault, word } from "./command.ts";

const list = async (io: CommandIo): Promise<void> => {
  const shown = await withOperator(io, (desk) => operations.list_tools.run(desk, {}));
  if (io.json) return printData(io, shown);
  for (const { tool, is_public } of shown.tools) io.out(`${is_public ? "public" : "hidden"}  ${tool}\n`);
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = word(args, 0, "list, publish or hide");
  if (action === "list") await list(io);
  else if (action === "publish" || action === "hide") {
    const wish = { tool: word(args, 1, "the tool"), is_public: action === "publish" };
    printData(io, await withOperator(io, (desk) => operations.set_tool_public.run(desk, wish)));
  } else throw new UsageFault(`'allowlist ${action}' does not exist`);
  return EXIT.ok;
};
