import { operations } from "../surfaces/operator/operations.ts";
import { withDesk } from "./accounts_store.ts";
import { type Command, type CommandArgs, type CommandIo, EXIT, onlyFlags, printData, UsageFault } from "./command.ts";

const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json"]);
  if (args.words[0] !== "verify") throw new UsageFault("only 'ledger verify' exists");
  const { ok, violations } = await withDesk(io, (desk) => operations.verify_ledger.run(desk, {}));
  printData(io, { ok, violations });
  if (ok) {
    io.err("Every invariant holds.\n");
    return EXIT.ok;
  }
  for (const { invariant, sentence, rows } of violations)
    io.err(`${invariant} is broken (${rows.length} rows): ${sentence}\n`);
  return EXIT.error;
};

export const ledger: Command = {
  name: "ledger",
  usage: "verify",
  summary: "Check the credit ledger: every invariant, each as one statement, and the audit trail.",
  run,
};
