import { writeFileSync } from "node:fs";
import { CASE_LIMITS, type CaseFile } from "../case/format.ts";
import { caseHtml, caseJsonOf } from "../case/html.ts";
import { readCase } from "../case/read.ts";
import { FileFault, readBoundedFile } from "../lib/bounded_file.ts";
import { AssayError, codeOf } from "../lib/errors.ts";
import { verifyCase } from "./case_verify.ts";
import { type CommandArgs, type CommandIo, chosen, EXIT, flag, printData, UsageFault, word } from "./command.ts";
import { table } from "./table.ts";

type Action = (file: CaseFile, args: CommandArgs, io: CommandIo) => Promise<number>;

const refused = (path: string, why: string) => {
  const message = `${path}: ${why}`;
  return new AssayError({ code: "CASE_FILE", message, public: message });
};

/** A case from JSON, or from the page that was made of one. */
const openCase = (path: string): CaseFile => {
  let text: string;
  try {
    text = readBoundedFile(path, CASE_LIMITS.file_bytes);
  } catch (error) {
    if (error instanceof FileFault) throw refused(path, error.message);
    if (codeOf(error) === "ENOENT") throw refused(path, "the file does not exist");
    throw error;
  }
  const read = readCase(caseJsonOf(text));
  if (read.kind === "refused") throw refused(path, read.reason);
  return read.file;
};

const show: Action = async (file, _args, io) => {
  if (io.json) {
    printData(io, file);
    return EXIT.ok;
  }
  io.out(
    `${table(
      ["case", "created_at", "notes", "results", "graphs"],
      [[file.title, file.created_at, file.notes.length, file.entries.length, file.graphs.length]],
    )}\n`,
  );
  const head = ["#", "tool", "network", "as of", "asked at", "credits", "arguments"];
  const rows = file.entries.map((entry, i) => [
    i + 1,
    entry.tool,
    entry.network,
    entry.as_of.map(({ network, block_number }) => `${network} ${block_number}`),
    entry.asked_at,
    entry.credits,
    entry.arguments,
  ]);
  io.out(table(head, rows));
  for (const { at, text } of file.notes) io.out(table([at], [[text]]));
  return EXIT.ok;
};

const exportCase: Action = async (file, args, io) => {
  const out = flag(args, "html");
  if (out === null) throw new UsageFault("--html OUT is missing: the file to write");
  try {
    writeFileSync(out, caseHtml(file), { flag: "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw refused(out, "it already exists and is not overwritten");
    throw error;
  }
  io.err(`${out} holds ${file.entries.length} results and ${file.notes.length} notes\n`);
  return EXIT.ok;
};

const actions: Readonly<Record<string, Action>> = { show, export: exportCase, verify: verifyCase };

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = chosen(actions, word(args, 0, "show, export or verify"), "action of case");
  return action(openCase(word(args, 1, "the case file")), args, io);
};
