// Passes requests on to the service (its address is the argument) with the key of the environment; prints its own address.
import { createServer, request } from "node:http";

const service = new URL(process.argv[2]);
const server = createServer((incoming, answer) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${process.env.KEY}` };
  const outgoing = request({
    host: service.hostname,
    port: service.port,
    path: incoming.url,
    method: incoming.method,
    headers,
  });
  outgoing.on("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on("error", () => answer.destroy());
  incoming.pipe(outgoing);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
