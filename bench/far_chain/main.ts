/** Runs the node of a far chain by itself: prints one line, and answers each message with what it has counted. A number moves its head. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inFile } from "../replay/stored_block.ts";
import { type FarOptions, startFarChain } from "./chain.ts";

// The parent writes exactly this.
const options = JSON.parse(process.argv[2] ?? "{}") as FarOptions;
const { node, wallets } = await startFarChain({
  ...options,
  keep: inFile(join(tmpdir(), `assay-bench-far-${process.pid}`)),
});
process.on("message", (message) => {
  if (typeof message === "number") node.setHead(message);
  process.send?.(node.stats);
});
process.on("disconnect", () => process.exit(0));
process.stdout.write(`${JSON.stringify({ url: node.url, addresses: wallets.map(({ address }) => address) })}\n`);
