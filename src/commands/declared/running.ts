/** Commands that run the product or show how it runs. */
import { type ListedCommand, SERVICE_FLAGS } from "./listed.ts";

const PROCESSES: readonly ListedCommand[] = [
  {
    name: "up",
    usage: "",
    summary: "Index the configured networks and serve callers; without a configuration, run the demo.",
    flags: [],
    example: "assay up --config assay.config.json",
    needs_engines: true,
    load: () => import("../up.ts"),
  },
  {
    name: "serve",
    usage: "",
    summary: "Serve callers without reading nodes (another process runs 'assay index').",
    flags: [],
    example: "assay serve --config assay.config.json",
    needs_engines: true,
    load: () => import("../serve.ts"),
  },
  {
    name: "index",
    usage: "[--network N] [--from BLOCK] [--to BLOCK] [--once [--wait SECONDS]]",
    summary:
      "Index nodes into the facts store without serving callers; several indexers of a network share its backfill.",
    flags: [
      { name: "network", value: "N", summary: "Index this configured network only." },
      { name: "from", value: "BLOCK", summary: "Index no block below this one." },
      { name: "to", value: "BLOCK", summary: "Index no block above this one." },
      { name: "once", summary: "Exit when everything up to the node's current head is written." },
      {
        name: "wait",
        value: "SECONDS",
        summary: "With --once: wait at most this long for another indexer of the network.",
      },
    ],
    example: "assay index --network ethereum --from 20000000 --once",
    needs_engines: true,
    load: () => import("../index_blocks.ts"),
  },
  {
    name: "status",
    usage: "[--url URL]",
    summary:
      "Show whether the service is ready and how far each network is indexed; on its own machine also by which process.",
    flags: [SERVICE_FLAGS.url],
    example: "assay status --url http://127.0.0.1:8787",
    load: () => import("../status.ts"),
  },
];

const CHECKS: readonly ListedCommand[] = [
  {
    name: "doctor",
    usage: "[--seconds N] [--quick]",
    summary: "Measure every configured node: its methods, its speed, which tools are complete, the cost of an index.",
    flags: [
      { name: "seconds", value: "N", summary: "Measure each node for this long, 1 to 600 (default: 20)." },
      { name: "quick", summary: "Check each node's methods without measuring its speed." },
    ],
    example: "assay doctor --seconds 60",
    load: () => import("../doctor.ts"),
  },
  {
    name: "config",
    usage: "check",
    summary: "Read the configuration and print each value with its origin.",
    actions: ["check"],
    flags: [],
    example: "assay config check --config assay.config.json",
    load: () => import("../config.ts"),
  },
];

export const RUNNING = { processes: PROCESSES, checks: CHECKS };
