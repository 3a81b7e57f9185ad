import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openService } from "./service.ts";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(
    " ",
  );

test.skipIf(!existsSync(CHROMIUM))(
  "the reference names every operation of this service, under the policy of the documentation (not run without chromium)",
  async () => {
    const service = await openService({ docs: join(import.meta.dirname, "../../docs") });
    const profile = mkdtempSync(join(tmpdir(), "assay-reference-"));
    try {
      const asked = [...FLAGS, `--user-data-dir=${profile}`, "--virtual-time-budget=20000", "--dump-dom"];
      const { stdout } = await promisify(execFile)(CHROMIUM, [...asked, `${service.url}/docs/reference`], {
        maxBuffer: 64 << 20,
        timeout: 200_000,
      });
      const named = [...stdout.matchAll(/<summary><code>([A-Z]+ [^<]+)<\/code>/g)].map(([, name = ""]) => name);
      // Tools of test/contract/bench_tools.ts, with this service's own prices.
      expect(named).toEqual(
        expect.arrayContaining(["GET /api/tools", "POST /api/tools/show", "GET /api/account/usage"]),
      );
      expect(named.some((name) => name.includes("/operator/"))).toBe(true);
      expect(stdout).toMatch(/<code>POST \/api\/tools\/show<\/code> Tool show · 3 credits<\/summary>/);
      expect(stdout).not.toMatch(/Loading…|could not be loaded|opened from a file/);
    } finally {
      await service.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  },
  300_000,
);
