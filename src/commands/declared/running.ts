/** Commands that run the product or show how it runs. */
import { type ListedCommand, SERVICE_FLAGS } from "./listed.ts";

const PROCESSES: readonly ListedCommand[] = [
  {
    name: "up",
    usage: "",
    summary: "Start everything: index the configured networks and serve; without a configuration, the demo.",
    flags: [],
    example: "assay up --config assay.config.json",
    needs_engines: true,
    load: () => import("../up.ts"),
  },
  {
    name: "serve",
    usage: "",
    summary: "Answer callers without reading nodes (another process runs 'assay index').",
    flags: [],
    example: "assay serve --config assay.config.json",
    needs_engines: true,
    load: () => import("../serve.ts"),
  },
  {
    name: "index",
    usage: "[--network N] [--from BLOCK] [--to BLOCK] [--once [--wait SECONDS]]",
    summary:
      "Read nodes into the facts store without answering callers; beside another indexer of a network, fill its history with it.",
    flags: [
      { name: "network", value: "N", summary: "Index this configured network only." },
      { name: "from", value: "BLOCK", summary: "Index no block below this one." },
      { name: "to", value: "BLOCK", summary: "Index no block above this one." },
      { name: "once", summary: "End when everything up to the node's present head is written." },
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
    summary: "Show whether the service is ready, how far each network is indexed and, on its own machine, by whom.",
    flags: [SERVICE_FLAGS.url],
    example: "assay status --url http://127.0.0.1:8787",
    load: () => import("../status.ts"),
  },
];

const CHECKS: readonly ListedCommand[] = [
  {
    name: "doctor",
    usage: "[--seconds N] [--quick]",
    summary: "Measure every configured node: what it serves, its pace, which tools are full, what an index costs.",
    flags: [
      { name: "seconds", value: "N", summary: "Measure each node for this long, 1 to 600 (default: 20)." },
      { name: "quick", summary: "Ask each node for its traits without measuring its pace." },
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
