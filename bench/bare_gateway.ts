/** Reference for the gateway: fastify, a body, an answer of the same size, and nothing in between. */
import { writeSync } from "node:fs";
import fastify from "fastify";

const app = fastify();
app.post("/api/tools/answer", async (request) => ({ type: "echo", nonce: Reflect.get(Object(request.body), "nonce") }));
const url = await app.listen({ host: "127.0.0.1", port: 0 });
writeSync(1, `${JSON.stringify({ event: "ready", url })}\n`);
process.stdin.on("end", () => void app.close()).resume();
