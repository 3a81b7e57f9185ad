/**
 * The demo's own web site: the page of the token Lantern, its metadata, and the gateway for nora's names outside the
 * chain. The chain stores its name, not its port, so that the chain's hashes stay the same.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mnemonicToAccount } from "viem/accounts";
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  hexToBytes,
  isHex,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from "viem/utils";
import type { OwnOrigin } from "../../web/guarded.ts";
import { ADDRESSES, CHARACTERS, DEMO_CONTRACTS, MNEMONIC } from "./characters.ts";
import type { HexText } from "./rpc.ts";

/** `.example` is reserved (RFC 2606): outside the demo the name does not resolve. */
export const SITE_ORIGIN = "http://lantern.example";
export const METADATA_URL = `${SITE_ORIGIN}/contract.json`;
/** EIP-3668: the caller fills in the braces. */
export const GATEWAY_URL = `${SITE_ORIGIN}/names/{sender}/{data}.json`;

/** Names that only the gateway knows. */
export const OFFCHAIN_NAMES: Readonly<Record<string, HexText>> = { "porch.lamps.nora.eth": ADDRESSES.nora };

/** The page as served. */
export const sitePage = (): string => `<!doctype html>
<html lang="en">
<head><title>Lantern (LTRN)</title><script src="/site.js"></script></head>
<body>
<h1>Lantern</h1>
<p>LTRN is the token of the demo's lamplighters. Its only contract is
<code>${DEMO_CONTRACTS.lantern}</code>; it trades against
<a href="/weth/${DEMO_CONTRACTS.weth}">wrapped ether</a>.</p>
<p>We will never ask for your seed phrase.</p>
<nav><a href="https://x.com/lantern_example">X</a> <a href="https://github.com/lantern-example">GitHub</a>
<a href="/docs/">Docs</a> <a href="/lantern-whitepaper.pdf">Whitepaper</a></nav>
<form action="/subscribe"><label>E-mail <input name="email" type="email"></label></form>
</body>
</html>
`;

const metadata = (): string =>
  JSON.stringify({
    name: "Lantern",
    symbol: "LTRN",
    external_link: `${SITE_ORIGIN}/`,
    socials: { twitter: "https://twitter.com/lantern_example" },
  });

const RESOLVE = parseAbi(["function resolve(bytes name, bytes data) view returns (bytes)"]);
const RECORDS = parseAbi([
  "function addr(bytes32 node) view returns (address)",
  "function text(bytes32 node, string key) view returns (string)",
  "function contenthash(bytes32 node) view returns (bytes)",
]);
const ZERO = `0x${"0".repeat(40)}` as const;

/** The name of the wire format of RFC 1035. */
const decodeName = (wire: HexText): string => {
  const bytes = hexToBytes(wire);
  const labels: string[] = [];
  for (let at = 0; (bytes[at] ?? 0) > 0; at += 1 + (bytes[at] ?? 0)) {
    labels.push(Buffer.from(bytes.slice(at + 1, at + 1 + (bytes[at] ?? 0))).toString("utf8"));
  }
  return labels.join(".");
};

const recordOf = (name: string, data: HexText): HexText => {
  const { functionName } = decodeFunctionData({ abi: RECORDS, data });
  if (functionName === "addr")
    return encodeAbiParameters(parseAbiParameters("address"), [OFFCHAIN_NAMES[name] ?? ZERO]);
  return encodeAbiParameters(parseAbiParameters("bytes"), ["0x"]);
};

/** Answer to `request` that the resolver at `sender` accepts: the record, signed by nora without an expiry. */
const signedAnswer = async (sender: HexText, request: HexText): Promise<HexText> => {
  const { args } = decodeFunctionData({ abi: RESOLVE, data: request });
  const result = recordOf(decodeName(args[0]), args[1]);
  const expires = 2n ** 64n - 1n;
  const packed = encodePacked(
    ["bytes2", "address", "uint64", "bytes32", "bytes32"],
    ["0x1900", sender, expires, keccak256(request), keccak256(result)],
  );
  const nora = mnemonicToAccount(MNEMONIC, { addressIndex: CHARACTERS.nora.index });
  const signature = await nora.sign({ hash: keccak256(packed) });
  return encodeAbiParameters(parseAbiParameters("bytes, uint64, bytes"), [result, expires, signature]);
};

interface DemoSiteReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const PAGES: Readonly<Record<string, () => Omit<DemoSiteReply, "status">>> = {
  "/": () => ({ type: "text/html; charset=utf-8", text: sitePage() }),
  "/contract.json": () => ({ type: "application/json", text: metadata() }),
  "/site.js": () => ({ type: "text/javascript", text: "document.documentElement.dataset.ready = 'yes';\n" }),
};

const replyTo = async (path: string): Promise<DemoSiteReply> => {
  const known = PAGES[path];
  if (known !== undefined) return { status: 200, ...known() };
  const [, sender, data] = /^\/names\/(0x[0-9a-f]{40})\/(0x[0-9a-f]+)\.json$/i.exec(path) ?? [];
  if (!isHex(sender) || !isHex(data)) return { status: 404, type: "text/plain", text: "not here\n" };
  try {
    return { status: 200, type: "application/json", text: JSON.stringify({ data: await signedAnswer(sender, data) }) };
  } catch {
    return { status: 400, type: "application/json", text: '{"message":"this is no question about a name"}' };
  }
};

export interface DemoSite {
  readonly own_origins: readonly OwnOrigin[];
  close(): Promise<void>;
}

/** Serves the site on a free port of this machine. */
export const startSite = async (): Promise<DemoSite> => {
  const server = createServer((request, response) => {
    void replyTo(request.url ?? "").then(({ status, type, text }) =>
      response.writeHead(status, { "content-type": type }).end(text),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    own_origins: [{ origin: SITE_ORIGIN, address: "127.0.0.1", port }],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
