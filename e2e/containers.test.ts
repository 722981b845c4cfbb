// The processes of the Kubernetes manifests, started with their arguments: they listen where the
// manifests say, answer the probes, and stop when they are told to.
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Container,
  listContainers,
  listPods,
  readManifests,
} from "../tools/containers/read-manifests.ts";
import { readTree, repositoryRoot } from "../tools/tidy/tree.ts";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  LOOPS,
  openCommandWorld,
  statusOf,
  until,
} from "./command-world.ts";

const SERVED = fileURLToPath(new URL("../apps/cli/src/__fixtures__/served.mjs", import.meta.url));
const manifests = readManifests(readTree(repositoryRoot));
const containers = listPods(manifests).flatMap(listContainers);
let world: CommandWorld;

beforeAll(() => {
  world = openCommandWorld();
  writeSecret("secrets/sign", "sign-key.pem", IDENTITY.pem);
  const sha256 = createHash("sha256").update("key-of-ada").digest("hex");
  const keys = [{ sha256, tenant: "default", id: "ada", roles: [] }];
  writeSecret("secrets/people", "keys.json", JSON.stringify({ keys }));
  const cells = manifests.flatMap(({ data }) => data?.["cells.json"] ?? []).join("");
  writeSecret("config", "cells.json", cells);
});
afterAll(() => world?.close());

/** As Kubernetes mounts it: a link to a link, and 0440. */
function writeSecret(folder: string, name: string, text: string): void {
  const place = join(world.folder, folder);
  mkdirSync(join(place, "..2026"), { recursive: true });
  writeFileSync(join(place, "..2026", name), text, { mode: 0o440 });
  symlinkSync("..2026", join(place, "..data"));
  symlinkSync(join("..data", name), join(place, name));
}

function find(name: string): Container {
  const found = containers.find((container) => container.name === name);
  if (found === undefined) throw new Error(`no container is called ${name}`);
  return found;
}

/** The arguments of the manifest, with what is this machine's in place of the cluster's. */
async function localize(
  { args = [], ports = [] }: Container,
  project: string,
): Promise<{ args: string[]; portOf: ReadonlyMap<string, number> }> {
  const portOf = new Map<string, number>();
  let line = args.join("\n");
  for (const { name, containerPort } of ports) {
    const free = await findFreePort();
    portOf.set(name, free);
    line = line.replace(new RegExp(`(port=)${containerPort}$`, "m"), `$1${free}`);
  }
  const local = line
    .replace("--from=loops", `--from=${project}`)
    .replace("$(TURNSEAL_IDENTITY_KEY)", IDENTITY.key)
    .replaceAll(/=\/(secrets|config)\//g, `=${world.folder}/$1/`);
  return { args: local.split("\n"), portOf };
}

/** Nothing is at the engine, and what is kept would be kept where nothing can be written. */
const environment = () => ({
  TURNSEAL_HOST: "http://127.0.0.1:1",
  TURNSEAL_ADMIN_URL: "http://127.0.0.1:1",
  TURNSEAL_POSTGRES_URL: world.databaseUrl,
  TURNSEAL_CELL: "00a",
});

test("the job that migrates does, and may be run again", async () => {
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  const { args = [] } = find("migrate");
  for (const said of ["applied 1", "nothing to do"]) {
    const done = await world.run(args, environment());
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining(said) });
  }
});

test.each([
  ["worker", LOOPS, ["--without-standby", "--store=/sys/turnseal"]],
  ["serve", SERVED, ["--store=/sys/turnseal"]],
  ["route", "", []],
])(
  "%s listens where its manifest says, answers its probes, and stops",
  async (name, project, more) => {
    const container = find(name);
    const { args, portOf } = await localize(container, project);
    const signing = Object.fromEntries(
      (container.env ?? []).map((each) => [
        each.name,
        (each.value ?? "").replace(/^\/secrets/, join(world.folder, "secrets")),
      ]),
    );
    const running = world.start([...args, ...more], { ...environment(), ...signing });
    for (const probe of [container.readinessProbe, container.livenessProbe]) {
      const { path, port } = probe?.httpGet ?? { path: "", port: "" };
      const url = `http://127.0.0.1:${portOf.get(port)}${path}`;
      const ended = running.ended.then(({ err }) => Promise.reject(new Error(err)));
      const asked = until(async () => (await statusOf(url)) === 200 || undefined, 30_000);
      await Promise.race([asked, ended]);
    }
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0 });
  },
);
