/**
 * The process that is the server: `node serve.js FOLDER HTTP_PORT [TCP_PORT]`, with the files of `config_files.ts` in FOLDER. It lives as long
 * as the pipe on its standard input is open: the kernel closes that even when the parent is killed.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { arrayConstructor, DataType, load, open } from "ffi-rs";

const PLATFORM = `@chdb/lib-${process.platform}-${process.arch}${process.platform === "linux" ? "-gnu" : ""}`;
const [folder = "", http_port = "", tcp_port = ""] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const chdb = createRequire(require.resolve("chdb/package.json"));
const library = join(dirname(chdb.resolve(`${PLATFORM}/package.json`)), "libchdb.so");

/** Reads lines until the pipe closes: a statement that waits without polling. */
const HOLD =
  "SELECT count() FROM file('stdin', LineAsString, 'line String') SETTINGS max_execution_time = 0 FORMAT Null";

const LISTEN = `SYSTEM START LISTEN HTTP;${tcp_port === "" ? "" : " SYSTEM START LISTEN TCP;"}`;

const argv = [
  "clickhouse",
  `--config-file=${join(folder, "config.xml")}`,
  `--path=${join(folder, "data")}`,
  "--listen_host=127.0.0.1",
  `--http_port=${http_port}`,
  ...(tcp_port === "" ? [] : [`--tcp_port=${tcp_port}`]),
  `--query=${LISTEN} ${HOLD}`,
];

open({ library: "chdb", path: library });
// chdb.h: chdb_result *chdb_query_cmdline(int argc, char **argv). It returns when the last statement has ended.
await load({
  library: "chdb",
  funcName: "chdb_query_cmdline",
  retType: DataType.External,
  paramsType: [DataType.I32, arrayConstructor({ type: DataType.StringArray, length: argv.length })],
  paramsValue: [argv.length, argv],
  runInNewThread: true,
});
process.exit(0);
