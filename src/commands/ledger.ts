import { operations } from "../surfaces/operator/operations.ts";
import { withOperator } from "./accounts_store.ts";
import { type CommandArgs, type CommandIo, EXIT, printData, UsageFault } from "./command.ts";
import { notedService } from "./http.ts";

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  if (args.words[0] !== "verify") throw new UsageFault("only 'ledger verify' exists");
  const { violations, witnesses, ...verified } = await withOperator(io, (desk) =>
    operations.verify_ledger.run(desk, {}),
  );
  const service = await notedService(io);
  // A service that noted its address here and has no name beside this store works on another one.
  const is_elsewhere = service !== null && witnesses.same.length + witnesses.silent.length === 0;
  const ok = verified.ok && !is_elsewhere;
  printData(io, { ok, violations, witnesses, service });
  for (const { invariant, sentence, rows } of violations)
    io.err(`${invariant} is broken (${rows.length} rows): ${sentence}\n`);
  if (violations.length === 0) io.err("Every invariant holds.\n");
  for (const name of witnesses.silent)
    io.err(`${name} has this store open and does not read what is written here: it is stopped, or on another file.\n`);
  if (is_elsewhere) io.err(`The service on ${service} works on another accounts store than this command.\n`);
  if (witnesses.same.length > 0)
    io.err(`${witnesses.same.join(", ")}: read what was written here, and was read here.\n`);
  else if (ok) io.err("No service is running on this store, so there was no process to compare with.\n");
  return ok ? EXIT.ok : EXIT.error;
};
