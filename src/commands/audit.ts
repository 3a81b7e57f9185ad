import { operations } from "../surfaces/operator/operations.ts";
import { withOperator } from "./accounts_store.ts";
import { type CommandArgs, type CommandIo, EXIT, numberFlag, printData, UsageFault } from "./command.ts";

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const page = { limit: numberFlag(args, "limit") ?? 100, before_seq: numberFlag(args, "before") ?? undefined };
  const input = operations.list_audit.input.safeParse(page);
  if (!input.success) throw new UsageFault("--limit is from 1 to 1000, --before the number of an entry");
  const shown = await withOperator(io, (desk) => operations.list_audit.run(desk, input.data));
  if (io.json) printData(io, shown);
  else
    for (const { seq, at, actor, action, subject, before, after } of shown.entries)
      io.out(`${seq}  ${at}  ${actor}  ${action} ${subject}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}\n`);
  return EXIT.ok;
};
