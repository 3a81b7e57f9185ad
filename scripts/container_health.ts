// Exits 0 while the service of this container answers: its process lives and its event loop turns. The state of its stores and
// nodes is for /readyz, and no reason to restart the container.
import { listenAddress } from "../src/config/listen_address.ts";

const { port } = listenAddress(process.env.ASSAY_LISTEN ?? "127.0.0.1:8787");

fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => {
    process.exitCode = ok ? 0 : 1;
  },
  () => {
    process.exitCode = 1;
  },
);
