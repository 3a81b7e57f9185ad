/** ForceAtlas2 in a thread of its own: a few rounds at a time, so that the page never waits and a newer graph is heard of. */
import iterate from "graphology-layout-forceatlas2/iterate.js";
import { type LayoutRequest, type LayoutResponse, NODE_LENGTH, SETTINGS } from "./layout_matrix.ts";

const ROUNDS = 8;

let asked: LayoutRequest | null = null;
let is_running = false;

const postLayout = ({ id, nodes }: LayoutRequest, rounds_left: number): void => {
  const places = new Float32Array((nodes.length / NODE_LENGTH) * 2);
  for (let i = 0; i * 2 < places.length; i++) {
    places[i * 2] = nodes[i * NODE_LENGTH] ?? 0;
    places[i * 2 + 1] = nodes[i * NODE_LENGTH + 1] ?? 0;
  }
  const message: LayoutResponse = { id, places, is_done: rounds_left <= 0 };
  postMessage(message, { transfer: [places.buffer] });
};

const step = (): void => {
  const now = asked;
  if (now === null || now.rounds <= 0) {
    is_running = false;
    return;
  }
  const rounds = Math.min(ROUNDS, now.rounds);
  const settings = SETTINGS(now.nodes.length / NODE_LENGTH);
  for (let round = 0; round < rounds; round++) iterate(settings, now.nodes, now.edges);
  if (asked === now) asked = { ...now, rounds: now.rounds - rounds };
  postLayout(now, now.rounds - rounds);
  setTimeout(step, 0);
};

addEventListener("message", (event: MessageEvent<LayoutRequest>) => {
  asked = event.data;
  if (is_running) return;
  is_running = true;
  step();
});
