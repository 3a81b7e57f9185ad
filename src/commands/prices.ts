import { operations } from "../surfaces/operator/operations.ts";
import { withOperator } from "./accounts_store.ts";
import { type CommandArgs, type CommandIo, EXIT, printData, UsageFault, word } from "./command.ts";

const list = async (io: CommandIo): Promise<void> => {
  const shown = await withOperator(io, (desk) => operations.list_prices.run(desk, {}));
  if (io.json) return printData(io, shown);
  io.err(`catalog version ${shown.catalog_version}\n`);
  for (const { tool, credits, source } of shown.prices)
    io.out(
      `${String(credits ?? "null").padStart(4)}  ${tool}${source === "operator" ? "  (set by the operator)" : ""}\n`,
    );
};

const set = async (args: CommandArgs, io: CommandIo): Promise<void> => {
  const tool = word(args, 1, "the tool");
  const text = word(args, 2, "the price");
  if (text !== "null" && !/^\d+$/.test(text))
    throw new UsageFault(`a price is a whole number of credits or null, not '${text}'`);
  const credits = text === "null" ? null : Number(text);
  printData(io, await withOperator(io, (desk) => operations.set_price.run(desk, { tool, credits })));
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = word(args, 0, "set or list");
  if (action === "list") await list(io);
  else if (action === "set") await set(args, io);
  else throw new UsageFault(`'prices ${action}' does not exist`);
  return EXIT.ok;
};
