import type { RunningService } from "../main.ts";
import type { CommandIo } from "./command.ts";

/** The call that the first screen shows. */
export const FIRST_TOOL = "get_wallet_portfolio_breakdown";

/** End of the first screen: an example call. */
export interface FirstScreen {
  /** Ready networks and the seconds that it took. */
  readonly ready: string;
  /** A line for each thing that is not, and why. */
  readonly ill: readonly string[];
  /** Lines about the key. */
  readonly key: readonly string[];
  /** Set-up link for a password, valid once; null without one. */
  readonly set_up?: string | null;
  /** As a shell takes it inside of double quotes: the key itself, or a variable that holds it. */
  readonly bearer: string;
  /** Arguments of the call; null while no network is ready. */
  readonly example: object | null;
}

const curlFor = (url: string, { bearer, example }: FirstScreen): string => {
  const authorization = `-H "Authorization: Bearer ${bearer}"`;
  if (example === null) return `curl -s ${url}/api/tools \\\n  ${authorization}`;
  return `curl -s ${url}/api/tools/${FIRST_TOOL} \\\n  ${authorization} \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example)}'`;
};

/** The line that adds the service to an assistant ('assay mcp' has those of others). */
const claudeFor = (url: string, bearer: string): string =>
  `claude mcp add --transport http assay ${url}/mcp --header "Authorization: Bearer ${bearer}"`;

/** Prints it: the `curl` alone on stdout, so that it can be run by a shell. */
export const showFirstScreen = (service: RunningService, screen: FirstScreen, io: CommandIo): void => {
  const url = service.url ?? "";
  io.err(`  ready    ${screen.ready}\n`);
  for (const line of screen.ill) io.err(`  !        ${line}\n`);
  const [first = "", ...more] = screen.key;
  io.err(
    `\n  address  ${url}\n  page     ${url}/ (for people: open it in a browser and paste the key)\n  key      ${first}\n${more.map((line) => `           ${line}\n`).join("")}\n`,
  );
  if (typeof screen.set_up === "string")
    io.err(`  sign in  ${screen.set_up}\n           (opens once: choose a password for the user 'demo')\n\n`);
  io.err(
    `  MCP      ${claudeFor(url, screen.bearer)}\n           ('assay mcp' shows the lines of other assistants)\n\n`,
  );
  io.out(`${curlFor(url, screen)}\n`);
  io.err("\n  Ctrl-C stops everything.\n");
};
