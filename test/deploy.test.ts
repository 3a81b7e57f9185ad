import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { DCLinter } from "dclint";
import { type Dockerfile, DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadSettings } from "../src/config/settings.ts";
import { bench } from "./contract/bench.ts";

// No container engine runs here: the test lints the files and checks every name in them against its definition.
const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "assay-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("Containerfile", () => {
  const text = read("deploy/Containerfile");
  const file: Dockerfile = DockerfileParser.parse(text);
  const named = (keyword: string) =>
    file.getInstructions().filter((instruction) => instruction.getKeyword() === keyword);
  const words = (instruction: { getArguments(): { getValue(): string }[] }): readonly string[] =>
    instruction.getArguments().map((argument) => argument.getValue());

  test("passes the linter", () => {
    expect(validate(text).map(({ message }) => message)).toEqual([]);
  });

  test("copies only files that exist, are needed and not ignored", () => {
    const allowed = read(".dockerignore")
      .split("\n")
      .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
    const copies = file.getCOPYs();
    const from_context = copies
      .filter((copy) => copy.getFlags().length === 0)
      .flatMap((copy) => words(copy).slice(0, -1));
    expect(from_context.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const isAllowed = (path: string) => allowed.some((kept) => path === kept || path.startsWith(`${kept}/`));
    expect(from_context.filter((path) => !isAllowed(path))).toEqual([]);
    expect(allowed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // The compiler's inputs, their imports from elsewhere, and the folders whose changes rebuild a clone.
    const { include } = JSON.parse(read("tsconfig.build.json")) as { include: string[] };
    const built_for = [...read("assay").matchAll(/"\$here\/([\w.]+)"(?=.*-newer)/g)].map(([, path]) => String(path));
    expect(built_for).toContain("portal");
    expect(
      [...include, "test/fixed_chain.ts", ...built_for].filter(
        (path) => !from_context.some((one) => path.startsWith(one)),
      ),
    ).toEqual([]);
  });

  test("builds on stages that it has, from images with a version", () => {
    const stages = file.getFROMs().map((from) => from.getBuildStage());
    const sources = file
      .getCOPYs()
      .flatMap((copy) => copy.getFlags().flatMap((flag) => (flag.getName() === "from" ? [flag.getValue()] : [])));
    expect(sources.length).toBeGreaterThan(2);
    expect(sources.filter((stage) => !stages.includes(stage))).toEqual([]);
    const images = file.getFROMs().flatMap((from) => from.getImage() ?? []);
    for (const image of images) expect(stages.includes(image) || /^node:\d+-slim$/.test(image), image).toBe(true);
    const [, major] = /^node:(\d+)/.exec(images[0] ?? "") ?? [];
    expect(Number(major)).toBe(24);
  });

  test("runs as an unprivileged user, keeps data in a volume, and starts the build's program", () => {
    expect(named("USER").map(words)).toEqual([["node"]]);
    expect(named("VOLUME").map(words)).toEqual([["/data"]]);
    expect(named("ADD")).toEqual([]);
    const started = [...text.matchAll(/"(dist\/[^"]+\.js)"/g)].map(([, path]) => String(path));
    expect(started.sort()).toEqual(["dist/bundle/cli.js", "dist/scripts/container_health.js"]);
    for (const path of started) expect(existsSync(join(root, path)), path).toBe(true);
    const env = Object.fromEntries(
      file
        .getENVs()
        .flatMap((one) => one.getProperties().map((property) => [property.getName(), property.getValue() ?? ""])),
    );
    const { settings, data_dir } = loadSettings({ config: null, cwd: folder, home: folder, env });
    expect([settings.listen, data_dir]).toEqual(["0.0.0.0:8787", "/data"]);
    expect(named("EXPOSE").map(words)).toEqual([["8787"]]);
  });
});

interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly profiles?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: object;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}

const compose = parse(read("deploy/compose.yaml")) as Compose;
const services = Object.entries(compose.services);
const own = services.filter(([, { build }]) => build !== undefined);
const stores = services.filter(([, { build }]) => build === undefined);

describe("compose.yaml", () => {
  test("is valid by the compose specification's schema, without linter errors", () => {
    const schema = join(dirname(createRequire(import.meta.url).resolve("dclint/package.json")), "schemas");
    const { $schema: _, ...spec } = JSON.parse(readFileSync(join(schema, "compose.schema.json"), "utf8"));
    const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(spec);
    expect([isCompose(compose), isCompose.errors]).toEqual([true, null]);
    expect(isCompose({ services: { a: { imag: "b" } } })).toBe(false);
    // The order of keys is a matter of taste, and the project's formatter uses double quotes.
    const rules = {
      "require-quotes-in-ports": [2, { quoteType: "double" }],
      "service-keys-order": 0,
      "services-alphabetical-order": 0,
      "top-level-properties-order": 0,
    } as const;
    // Its type declarations are broken; this declares the fields of its findings that the test reads.
    const found: readonly { readonly messages: readonly { readonly rule: string; readonly message: string }[] }[] =
      new DCLinter({ rules }).lintFiles([join(root, "deploy/compose.yaml")], false);
    expect(found.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`))).toEqual([]);
  });

  test("names only secrets, volumes, networks, services and files that it defines", () => {
    const defined = (kind: "secrets" | "volumes" | "networks") => Object.keys(compose[kind]).sort();
    const used = (list: (service: ComposeService) => readonly string[]) =>
      [...new Set(services.flatMap(([, service]) => list(service)))].sort();
    expect(used(({ secrets }) => secrets ?? [])).toEqual(
      // postgres_url contains postgres_password, and redis_url contains redis_password.
      defined("secrets"),
    );
    expect(used(({ volumes }) => (volumes ?? []).map((volume) => volume.split(":")[0] ?? ""))).toEqual(
      defined("volumes"),
    );
    expect(used(({ networks }) => networks)).toEqual(defined("networks"));
    for (const [, { depends_on }] of services)
      for (const [name, { condition }] of Object.entries(depends_on ?? {})) {
        expect(condition).toBe("service_healthy");
        expect(compose.services[name]?.healthcheck, name).toBeDefined();
      }
    for (const { file } of Object.values(compose.configs))
      expect(existsSync(join(root, "deploy", file)), file).toBe(true);
    for (const [, { environment, secrets }] of services)
      for (const path of Object.values(environment ?? {}).filter((value) => value.startsWith("/run/secrets/")))
        expect(secrets).toContain(path.slice("/run/secrets/".length));
  });

  test("publishes no store, and exposes the service on this machine only", () => {
    expect(stores.map(([name]) => name).sort()).toEqual(["clickhouse", "postgres", "redis"]);
    for (const [name, { ports, networks, image }] of stores) {
      expect([name, ports, networks]).toEqual([name, undefined, ["stores"]]);
      expect(image).toMatch(/:\d+(\.\d+)?$/);
    }
    expect(compose.networks.stores?.internal).toBe(true);
    for (const [, { ports = [] }] of own) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:8787$/);
  });

  test("runs its own containers on a read-only root, without capabilities", () => {
    const stages = DockerfileParser.parse(read("deploy/Containerfile"))
      .getFROMs()
      .map((from) => from.getBuildStage());
    expect(own.map(([name]) => name).sort()).toEqual(["assay", "demo"]);
    for (const [name, { build, read_only, cap_drop }] of own) {
      expect([name, read_only, cap_drop, build?.context]).toEqual([name, true, ["ALL"], ".."]);
      expect(existsSync(join(root, build?.dockerfile ?? "")), name).toBe(true);
      expect(stages).toContain(build?.target);
    }
    expect(compose.services.demo?.profiles).toEqual(["demo"]);
    expect(compose.services.assay?.profiles).toBeUndefined();
  });
});

describe("secrets and settings", () => {
  const script = join(folder, "make_secrets.sh");
  writeFileSync(script, read("deploy/make_secrets.sh"));
  const make = () => spawnSync("sh", [script], { encoding: "utf8" });
  const secret = (name: string): string => readFileSync(join(folder, "secrets", name), "utf8").trim();

  test("makes every secret once, readable only by the owner of the folder", () => {
    const names = Object.values(compose.secrets).map(({ file }) => file.replace("./", ""));
    const first = make();
    expect([first.status, first.stdout.trim().split("\n").sort()]).toEqual([0, [...names].sort()]);
    const before = secret("key_pepper");
    expect([make().stdout, secret("key_pepper")]).toEqual(["", before]);
    expect(statSync(join(folder, "secrets")).mode & 0o777).toBe(0o700);
    expect(new Set(names.map((name) => readFileSync(join(folder, name), "utf8"))).size).toBe(names.length);
  });

  test("gives the service an environment that the configuration accepts, with the stores of the other containers", () => {
    make();
    const environment = compose.services.assay?.environment ?? {};
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace("/run/secrets", join(folder, "secrets")),
      ]),
    );
    const config = join(root, "deploy", compose.configs.assay?.file ?? "");
    const { settings } = loadSettings({ config, cwd: folder, home: folder, env });
    const { POSTGRES_USER, POSTGRES_DB } = compose.services.postgres?.environment ?? {};
    const { CLICKHOUSE_USER, CLICKHOUSE_DB } = compose.services.clickhouse?.environment ?? {};
    const postgres = `postgres://${POSTGRES_USER}:${secret("postgres_password")}@postgres:5432/${POSTGRES_DB}`;
    expect(settings.accounts).toMatchObject({ engine: "postgres", url: postgres });
    expect(settings.rate_limit.redis_url).toBe(`redis://:${secret("redis_password")}@redis:6379`);
    expect(settings.facts).toEqual({
      engine: "clickhouse",
      url: "http://clickhouse:8123",
      user: CLICKHOUSE_USER,
      password: secret("clickhouse_password"),
      database: CLICKHOUSE_DB,
      cluster: null,
      nodes: [],
    });
    expect([settings.keys.pepper, settings.operator.token]).toEqual([secret("key_pepper"), secret("operator_token")]);
    expect(Object.keys(settings.networks)).toEqual(["ethereum"]);
  });

  test("names every service, secret and file on the page about containers", () => {
    const page = read("docs/operating/containers.md");
    const files = ["Containerfile", "compose.yaml", "assay.config.json", "make_secrets.sh"];
    for (const word of [...services.map(([name]) => name), ...Object.keys(compose.secrets), ...files])
      expect(page, word).toContain(`\`${word}\``);
  });
});

describe("systemd", () => {
  const unit = read("deploy/systemd/assay.service");

  const canVerify = spawnSync("systemd-analyze", ["--version"]).status === 0;
  test.skipIf(!canVerify)("the unit passes systemd's own check without a remark", () => {
    const place = join(folder, "assay.service");
    const verified = (text: string) => {
      // The check looks for the program.
      writeFileSync(place, text.replace("ExecStart=/usr/bin/node", `ExecStart=${process.execPath}`));
      const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", place], { encoding: "utf8" });
      return [status, stdout + stderr];
    };
    expect(verified(unit)).toEqual([0, ""]);
    expect(verified(unit.replace("ProtectSystem", "ProtectSystm"))).toEqual([
      0,
      expect.stringContaining("Unknown key"),
    ]);
  });

  test("starts the program of the installed package, which contains the unit, with settings that it accepts", () => {
    const [, program, config] = /^ExecStart=\/usr\/bin\/node (\S+) up --config (\S+)$/m.exec(unit) ?? [];
    const { bin, files } = JSON.parse(read("package.json")) as { bin: { assay: string }; files: string[] };
    expect([program, config]).toEqual([`/opt/assay/node_modules/assay/${bin.assay}`, "/etc/assay/assay.config.json"]);
    expect(files).toContain("deploy/systemd");
    writeFileSync(join(folder, "key_pepper"), "the pepper of the unit's test");
    const env = Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
        name,
        value.replace("%S", "/var/lib").replace("%d", folder),
      ]),
    );
    const { settings, data_dir } = loadSettings({ config: null, cwd: folder, home: folder, env });
    expect([data_dir, settings.keys.pepper, settings.log_format]).toEqual([
      "/var/lib/assay",
      "the pepper of the unit's test",
      "json",
    ]);
    expect(unit).toMatch(/^StateDirectory=assay$/m);
    const wait_s = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    expect(wait_s * 1_000).toBeGreaterThan(settings.call_timeout_ms);
    for (const word of ["/opt/assay", "/etc/assay/key_pepper", "/var/lib/assay"])
      expect(read("docs/operating/systemd.md")).toContain(word);
  });
});

test("reports a container healthy while its service answers", async () => {
  const service = await bench();
  const health = async (listen: string): Promise<unknown> => {
    const script = join(root, "dist/scripts/container_health.js");
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, ASSAY_LISTEN: listen },
      stdio: "inherit",
    });
    return (await once(child, "close"))[0];
  };
  expect(await health(`0.0.0.0:${service.port}`)).toBe(0);
  await service.rest.close();
  expect(await health(`0.0.0.0:${service.port}`)).toBe(1);
});
