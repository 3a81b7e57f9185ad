/** Output of commands, and the patterns that it must match. */
import type { ChildProcess } from "node:child_process";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface PrintingProcess {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
}

export const collect = (child: ChildProcess): PrintingProcess => {
  const text = { out: "", err: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    text.out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    text.err += chunk.toString();
  });
  return { child, out: () => text.out, err: () => text.err };
};

export const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    // A server that listens on a port has an address of this form.
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Lines that match none of the patterns. */
export const strange = (text: string, patterns: readonly RegExp[]): string[] =>
  text.split("\n").filter((line) => line !== "" && !patterns.some((pattern) => pattern.test(line)));

/** Values in the lines of one run. `solana` does not answer, `tron` refuses. */
interface PrintedOutput {
  readonly config: string;
  readonly folder: string;
  readonly solana: string;
  readonly tron: string;
  readonly url: string;
}

const unreachableLine = ({ solana }: PrintedOutput) =>
  `no node answers \\([a-z0-9. ]+\\): ${escaped(solana)}: nothing listens there`;
const refused = ({ tron }: PrintedOutput) =>
  `no node answers \\([a-z0-9. ]+\\): ${escaped(tron)}: it refuses with HTTP 403 \\(a key is missing in its address or headers, or may not do this\\): the query server is suspended`;

/** Lines of `up` on stderr until it is stopped, a pattern for each kind of line. */
export const upLines = (on: PrintedOutput): RegExp[] => [
  new RegExp(`^assay: ${escaped(on.config)}$`),
  new RegExp(`^ {2}stores {3}${escaped(join(on.folder, ".assay"))}$`),
  new RegExp(`^ {2}address {2}${on.url} \\(answers while it indexes\\)$`),
  new RegExp(`^ {2}address {2}${on.url}$`),
  new RegExp(`^ {2}page {5}${on.url}/ \\(for people: open it in a browser and paste the key\\)$`),
  new RegExp(
    `^ {2}index {4}mychain {2}(reading the node|\\[[#.]{24}\\] \\d+ of \\d+ blocks.*) {3}solana {2}(reading the node|waiting: ${unreachableLine(on)}) {3}tron {2}(reading the node|waiting: ${refused(on)})$`,
  ),
  new RegExp(
    `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ warn {2}solana: indexing waits and tries again: ${unreachableLine(on)}$`,
  ),
  new RegExp(
    `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ warn {2}tron: indexing waits and tries again: ${refused(on)}$`,
  ),
  /^ {2}ready {4}mychain: blocks 0 to 13, (\d+) of \1 tools \(in \d+\.\d s\)$/,
  new RegExp(`^ {2}! {8}solana is not ready: ${unreachableLine(on)}; it joins when its node answers$`),
  new RegExp(`^ {2}! {8}tron is not ready: ${refused(on)}; it joins when its node answers$`),
  /^ {2}key {6}none yet; these two lines create one:$/,
  /^ {11}\.\/assay account create me --plan pro$/,
  /^ {11}export ASSAY_KEY=\$\(\.\/assay key create --account me --scope api:call --scope mcp:call --secret\)$/,
  /^ {2}key {6}in ASSAY_KEY: one of yours \('\.\/assay key list' names them\)$/,
  new RegExp(
    `^ {2}MCP {6}claude mcp add --transport http assay ${on.url}/mcp --header "Authorization: Bearer \\$ASSAY_KEY"$`,
  ),
  /^ {11}\('assay mcp' shows the lines of other assistants\)$/,
  /^ {2}Ctrl-C stops everything\.$/,
  /^ {2}status {3}mychain at block \d+ {3}solana waits for its node {3}tron waits for its node$/,
  /^assay: stopping$/,
];
